#include "passes/fuse/fuse_load.h"

#include "ir/ops/claims.h"

/* ---- what is alive ---- */

static const tn_op *lift(const tn_op *op, const tn_graph *to) {
    while (op != NULL && op->graph != to) {
        op = op->graph->owner;
    }
    return op;
}

static uint32_t last_reader(const tn_fuse_load *l, const tn_value *v) {
    uint32_t last = v->def != NULL ? l->at[v->def->id] : 0;
    for (const tn_use *u = v->first_use; u != NULL; u = u->next) {
        const tn_op *op = lift(u->op, v->graph);
        last = op != NULL && l->at[op->id] > last ? l->at[op->id] : last;
    }
    return last;
}

static uint64_t bytes_of(const tn_value *v) {
    int64_t bytes;
    bool inside =
        v->def != NULL && !v->def->erased && !tn_is_const(v) && (v->flags & TN_VF_OUTPUT) == 0;
    return inside && tn_type_fixed_bytes(v->graph->module->dims, v->type, &bytes) ? (uint64_t)bytes
                                                                                  : 0;
}

static void share(tn_fuse_load *l, const tn_value *v, uint32_t root) {
    uint32_t last = l->last[v->id];
    l->root[v->id] = root;
    l->last[root] = last > l->last[root] ? last : l->last[root];
}

/* A view lies in its operand; what may be made in place does where nobody reads that later. */
static void find_root(tn_fuse_load *l, const tn_op *op) {
    const tn_value *v = tn_result(op, 0);
    tn_view_claim view = tn_op_view(op);
    tn_inplace way;
    if (v == NULL) {
        return;
    }
    const tn_value *x = tn_operand(op, view.operand);
    if (view.kind != TN_VIEW_NONE && view.kind != TN_VIEW_PERMUTED && view.holds && x != NULL &&
        bytes_of(v) == bytes_of(x)) {
        share(l, v, l->root[x->id]);
        return;
    }
    for (uint32_t i = 0; tn_op_inplace(op, i, &way); i++) {
        for (uint32_t k = 0; k < op->n_operands && k < 32 && way.result == 0; k++) {
            x = op->operands[k].value;
            if ((way.operands >> k & 1) != 0 && x != NULL && l->bytes[l->root[x->id]] > 0 &&
                l->last[l->root[x->id]] == l->at[op->id] && bytes_of(v) == bytes_of(x)) {
                share(l, v, l->root[x->id]);
                return;
            }
        }
    }
}

/* Views first: how long an operand lives says whether what reads it may lie over it. */
tn_fuse_load tn_fuse_load_make(tn_module *m, tn_arena *arena) {
    uint32_t n = m->n_values + 1, position = 0;
    tn_fuse_load l = {arena,
                      TN_ARRAY(arena, uint32_t, m->n_ops + 1u),
                      TN_ARRAY(arena, uint32_t, n),
                      TN_ARRAY(arena, uint32_t, n),
                      TN_ARRAY(arena, uint32_t, n),
                      TN_ARRAY(arena, uint64_t, n),
                      TN_ARRAY(arena, uint64_t, m->n_ops + 2u)};
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        for (const tn_op *op = m->graphs[i]->first; op != NULL; op = op->next) {
            l.at[op->id] = position++;
        }
    }
    for (uint32_t i = 0; i < m->n_values; i++) {
        const tn_value *v = m->values[i];
        l.root[i] = i;
        l.first[i] = v->def != NULL ? l.at[v->def->id] : 0;
        l.last[i] = last_reader(&l, v);
        l.bytes[i] = bytes_of(v);
    }
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        for (const tn_op *op = m->graphs[i]->first; op != NULL; op = op->next) {
            find_root(&l, op);
        }
    }
    for (uint32_t i = 0; i < m->n_values; i++) { /* by how much it changes at each position */
        if (l.root[i] == i && l.bytes[i] > 0) {
            l.load[l.first[i]] += l.bytes[i];
            l.load[l.last[i] + 1] -= l.bytes[i];
        }
    }
    for (uint32_t p = 1; p < position; p++) {
        l.load[p] += l.load[p - 1];
    }
    return l;
}

/* ---- with a group ---- */

/* What changes if the ops are one. */
typedef struct changes {
    tn_arena *arena;
    const tn_fuse_load *l;
    const tn_group *g;
    uint32_t end; /* position of the last op, which makes the result */
    int64_t *at;  /* by position, from `from` on */
    uint32_t from;
    TN_VEC(uint32_t) seen; /* roots */
} changes;

static void add(changes *c, uint32_t from, uint32_t to, int64_t bytes) {
    for (uint32_t p = from > c->from ? from : c->from; p <= to && p <= c->end; p++) {
        c->at[p - c->from] += bytes;
    }
}

static bool is_made_within(const changes *c, uint32_t root) {
    const tn_op *def = c->g->data[0]->graph->module->values[root]->def;
    return def != NULL && tn_group_has(c->g, def);
}

/* Bytes that the ops read, or hand to one another. */
static void change(changes *c, const tn_value *v) {
    const tn_fuse_load *l = c->l;
    uint32_t root = l->root[v->id];
    const tn_value *y = tn_result(c->g->data[c->g->len - 1], 0);
    int64_t bytes = (int64_t)l->bytes[root];
    for (uint32_t i = 0; i < c->seen.len; i++) {
        if (c->seen.data[i] == root) {
            return;
        }
    }
    tn_vec_push(c->arena, &c->seen, root);
    bool lies = l->root[y->id] == root;
    if (is_made_within(c, root)) {
        add(c, l->first[root], lies ? c->end - 1 : l->last[root], -bytes);
    } else if (lies) {
        add(c, c->end, c->end, bytes);
    } else if (l->last[root] < c->end) {
        add(c, l->last[root] + 1, c->end, bytes);
    }
}

bool tn_fuse_load_ends(const tn_fuse_load *l, const tn_value *v, const tn_op *op) {
    uint32_t root = l->root[v->id];
    return l->bytes[root] > 0 &&
           (root == l->root[tn_result(op, 0)->id] || l->last[root] <= l->at[op->id]);
}

static changes changes_of(tn_arena *arena, const tn_fuse_load *l, const tn_group *g, uint32_t from,
                          uint64_t workspace, const tn_value *over) {
    uint32_t end = l->at[g->data[g->len - 1]->id];
    changes c = {.arena = arena,
                 .l = l,
                 .g = g,
                 .end = end,
                 .at = TN_ARRAY(arena, int64_t, end - from + 1u),
                 .from = from};
    for (uint32_t i = 0; i < g->len; i++) {
        const tn_op *op = g->data[i];
        for (uint32_t k = 0; k < op->n_operands; k++) {
            if (op->operands[k].value != NULL) {
                change(&c, op->operands[k].value);
            }
        }
    }
    const tn_value *y = tn_result(g->data[g->len - 1], 0);
    bool lies = over != NULL && tn_fuse_load_ends(l, over, g->data[g->len - 1]);
    add(&c, end, end, (int64_t)workspace - (lies ? (int64_t)l->bytes[l->root[y->id]] : 0));
    return c;
}

uint32_t tn_fuse_load_begin(const tn_fuse_load *l, const tn_group *g) {
    uint32_t from = l->at[g->data[0]->id];
    for (uint32_t i = 0; i < g->len; i++) {
        from = l->at[g->data[i]->id] < from ? l->at[g->data[i]->id] : from;
    }
    return from;
}

uint64_t tn_fuse_load_with(const tn_fuse_load *l, const tn_group *g, uint32_t from,
                           uint64_t workspace, const tn_value *over) {
    uint64_t most = 0;
    tn_arena *arena = tn_arena_new(tn_arena_ctx(l->arena));
    bool *gone = TN_ARRAY(arena, bool, l->at[g->data[g->len - 1]->id] - from + 1u);
    for (uint32_t i = 0; i + 1 < g->len; i++) {
        gone[l->at[g->data[i]->id] - from] = true;
    }
    changes c = g->len > 1 ? changes_of(arena, l, g, from, workspace, over)
                           : (changes){.end = l->at[g->data[0]->id]};
    for (uint32_t p = from; p <= c.end; p++) {
        int64_t load = (int64_t)l->load[p] + (c.at != NULL ? c.at[p - from] : 0);
        most = !gone[p - from] && load > (int64_t)most ? (uint64_t)load : most;
    }
    tn_arena_drop(arena);
    return most;
}

void tn_fuse_load_commit(tn_fuse_load *l, const tn_group *g, uint64_t workspace,
                         const tn_value *over) {
    uint32_t from = tn_fuse_load_begin(l, g);
    changes c = changes_of(l->arena, l, g, from, workspace, over);
    for (uint32_t p = from; p <= c.end; p++) {
        l->load[p] = (uint64_t)((int64_t)l->load[p] + c.at[p - from]);
    }
    for (uint32_t i = 0; i < c.seen.len; i++) {
        uint32_t root = c.seen.data[i];
        bool within = is_made_within(&c, root);
        l->last[root] = !within && l->last[root] < c.end ? c.end : l->last[root];
    }
}
