/* From the last op of a group backwards: what feeds only ops of the group goes into it. An op that
 * does something to each element of a product or a window goes behind that, rather than in front of
 * what reads it. */
#include "passes/fuse/grow.h"

#include "ir/ops/claims.h"
#include "passes/fuse/fuse_load.h"

enum { MOST_OPS = 24, MOST_BEFORE = 8 };

typedef struct growing {
    tn_module *m;
    tn_arena *scratch;
    tn_fuse_memory *memory;
    const bool *apart, *overwritten; /* by value id */
    tn_map left;                     /* results that were tried in vain, for the group at hand */
    bool *taken;                     /* by op id: of a group; n_ops of the model as it came */
    uint32_t n_ops;
    uint32_t n_stages; /* of the nest of the group */
    tn_fuse_load load;
    uint64_t fullest; /* of that, before there were groups */
} growing;

/* Whether result 0 is all that anybody needs of the op. */
static bool makes_one(const tn_op *op, bool last) {
    for (uint32_t r = 1; r < op->n_results; r++) {
        const tn_value *v = op->results[r];
        if (v != NULL && (last || v->n_uses > 0 || (v->flags & TN_VF_OUTPUT) != 0)) {
            return false;
        }
    }
    return tn_result(op, 0) != NULL;
}

bool tn_grow_may_join(tn_arena *scratch, const tn_op *op, bool last, const bool *overwritten) {
    const uint32_t never = TN_T_RANDOM | TN_T_UPDATE | TN_T_CONTROL;
    return !op->erased && op->n_parts == 0 && op->clone_of == NULL && op->info->compute != NULL &&
           tn_op_in_table(op) && (op->info->traits & never) == 0 && makes_one(op, last) &&
           tn_part_refused(scratch, op, overwritten) == NULL;
}

static bool may_join(const growing *w, const tn_op *op, bool last) {
    return op->id < w->n_ops && !w->taken[op->id] &&
           tn_grow_may_join(w->scratch, op, last, w->overwritten);
}

static bool works(const tn_op *op) {
    return op->info->flops != TN_FLOPS_ELEMENTS || (op->info->traits & TN_T_IMAGES) != 0;
}

static uint32_t bits_of(const tn_value *v) {
    return v != NULL ? tn_dtype_get(v->type->dtype)->bits : 0;
}

static bool is_wider(const tn_op *op) {
    return bits_of(tn_result(op, 0)) > bits_of(tn_operand(op, 0));
}

/* Whether a product or window is in front of the op, which alone reads what that makes: it goes
 * there. But what makes elements wider, or moves them, is better done where they are read. */
static bool has_host(const growing *w, const tn_op *op, uint32_t most) {
    bool here = is_wider(op) || tn_op_view(op).kind == TN_VIEW_PERMUTED;
    for (uint32_t k = 0; k < op->n_operands && most > 0 && !here; k++) {
        const tn_value *v = op->operands[k].value;
        tn_op *def = v != NULL && v->graph == op->graph ? v->def : NULL;
        if (def != NULL && tn_op_keeps(op, v) && may_join(w, def, false) &&
            (works(def) || has_host(w, def, most - 1))) {
            return true;
        }
    }
    return false;
}

/* The group with one more op, in the order of the graph. */
static tn_group with(growing *w, const tn_group *g, tn_op *more) {
    tn_group out = {0};
    uint32_t at = 0;
    const tn_op *next = more->next;
    while (next != NULL && !tn_group_has(g, next)) { /* it feeds one of them */
        next = next->next;
    }
    for (; at < g->len && g->data[at] != next; at++) {
        tn_vec_push(w->scratch, &out, g->data[at]);
    }
    tn_vec_push(w->scratch, &out, more);
    for (; at < g->len; at++) {
        tn_vec_push(w->scratch, &out, g->data[at]);
    }
    return out;
}

static bool is_one_nest(growing *w, const tn_group *g) {
    const tn_fuse_outcome *out = tn_fuse_try(w->memory, w->m, g, NULL);
    w->n_stages = out->possible ? out->n_stages : w->n_stages;
    return out->possible;
}

/* Whether what the group reads may be there until its last op: the fullest place between its ops
 * gets no fuller by that, or stays a quarter below the fullest of the model. A sum over what ops
 * far apart make would keep all that they read. */
static bool may_wait(const growing *w, const tn_group *g, const tn_group *more) {
    enum { NEAR = 4 };
    uint32_t from = tn_fuse_load_begin(&w->load, more);
    if (w->load.at[more->data[more->len - 1]->id] - from <= NEAR) {
        return true;
    }
    uint64_t with = tn_fuse_load_with(&w->load, more, from, 0, NULL);
    return with <= w->fullest / 4 * 3 || with <= tn_fuse_load_with(&w->load, g, from, 0, NULL);
}

/* Whether a product may as well read what the op moves: rows stay rows, or it is data of the model,
 * which would be moved in each run. Sums along rows of both factors take longer than to turn one.
 */
static bool is_moved(const tn_op *def) {
    const tn_attr *perm = tn_op_attr(def, "perm");
    const tn_value *x = tn_operand(def, 0);
    bool rows = perm != NULL && perm->kind == TN_ATTR_INTS && perm->n > 0 &&
                perm->u.ints[perm->n - 1] == (int64_t)perm->n - 1;
    return def->info->view != TN_VIEW_NONE &&
           (def->info->view != TN_VIEW_PERMUTED || rows || (x != NULL && tn_is_const(x)));
}

/* An op that feeds the group alone and was not tried; NULL: there is none. */
static tn_op *find_feeder(growing *w, const tn_group *g) {
    uint64_t none;
    for (uint32_t i = g->len; i-- > 0;) {
        const tn_op *op = g->data[i];
        for (uint32_t k = 0; k < op->n_operands; k++) {
            const tn_value *v = op->operands[k].value;
            tn_op *def = v != NULL && v->graph == op->graph ? v->def : NULL;
            if (def == NULL || tn_group_has(g, def) || def->results[0] != v ||
                !tn_group_keeps(g, v) || tn_map_get(&w->left, v->id, &none)) {
                continue;
            }
            /* Terms of a product are elements, moved perhaps, or made wider. */
            bool term = op->info->flops == TN_FLOPS_ELEMENTS || is_wider(def) || is_moved(def);
            if (!w->apart[v->id] && term && may_join(w, def, false) &&
                (w->n_stages == 0 || works(def) || !has_host(w, def, MOST_BEFORE))) {
                return def;
            }
            tn_map_put(&w->left, v->id, 1);
        }
    }
    return NULL;
}

/* Factors of a product are whole numbers all, or none is: the group with whatever feeds the op that
 * `feeder` feeds, where that has one nest. */
static bool join_all(growing *w, tn_group *g, const tn_op *feeder) {
    tn_group all = *g;
    const tn_op *reader = feeder->results[0]->first_use->op;
    for (uint32_t k = 0; k < reader->n_operands && all.len < MOST_OPS; k++) {
        const tn_value *v = reader->operands[k].value;
        tn_op *def = v != NULL && v->graph == reader->graph ? v->def : NULL;
        if (def != NULL && !tn_group_has(&all, def) && tn_group_keeps(&all, v) &&
            !w->apart[v->id] && may_join(w, def, false) && def->n_operands > 1) {
            all = with(w, &all, def);
        }
    }
    bool one = works(reader) && all.len > g->len && is_one_nest(w, &all);
    *g = one ? all : *g;
    return one;
}

/* `near`: no op on the way may make the group one that waits. */
static tn_group grow_from(growing *w, const tn_group *last, bool near) {
    tn_group g = *last;
    tn_op *feeder;
    w->left = tn_map_make(w->scratch);
    if (!is_one_nest(w, &g)) {
        return g;
    }
    while (g.len < MOST_OPS && (feeder = find_feeder(w, &g)) != NULL) {
        tn_group more = with(w, &g, feeder);
        if ((!near || may_wait(w, &g, &more)) &&
            (is_one_nest(w, &more) || join_all(w, &more, feeder))) {
            g = more;
        } else {
            tn_map_put(&w->left, feeder->results[0]->id, 1);
        }
    }
    return g;
}

/* What the last op that joined lets go of may be what one before had kept. */
static tn_group grow(growing *w, tn_op *last) {
    tn_group one = {0};
    tn_vec_push(w->scratch, &one, last);
    tn_group g = grow_from(w, &one, false);
    return may_wait(w, &one, &g) ? g : grow_from(w, &one, true);
}

bool tn_grow_is_view(const tn_op *op) {
    tn_view_kind kind = tn_op_view(op).kind;
    return kind != TN_VIEW_NONE && kind != TN_VIEW_PERMUTED;
}

/* Views need no kernel, so nothing is won where all but one are. */
static uint32_t count_kernels(const tn_group *g) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->len; i++) {
        n += !tn_grow_is_view(g->data[i]);
    }
    return n;
}

tn_grown tn_grow_groups(tn_module *m, tn_arena *scratch, const bool *apart, bool rows,
                        tn_fuse_memory *memory) {
    tn_grown grown = {0, 0};
    uint32_t n = m->n_ops; /* those made here are behind */
    growing w = {.m = m,
                 .scratch = scratch,
                 .memory = memory,
                 .apart = apart,
                 .overwritten = tn_overwritten_values(m, scratch),
                 .taken = TN_ARRAY(scratch, bool, n),
                 .n_ops = n,
                 .load = tn_fuse_load_make(m, scratch)};
    TN_VEC(tn_op *) ops = {0};
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        for (tn_op *op = m->graphs[i]->first; op != NULL; op = op->next) {
            tn_vec_push(scratch, &ops, op);
            uint64_t load = w.load.load[w.load.at[op->id]];
            w.fullest = load > w.fullest ? load : w.fullest;
        }
    }
    for (uint32_t i = ops.len; i-- > 0;) {
        tn_op *op = ops.data[i];
        if (!may_join(&w, op, true) || tn_grow_is_view(op)) {
            continue;
        }
        tn_group g = grow(&w, op);
        if (count_kernels(&g) < 2) {
            continue;
        }
        for (uint32_t k = 0; k < g.len; k++) {
            w.taken[g.data[k]->id] = true;
        }
        tn_fuse_load_commit(&w.load, &g, 0, NULL);
        bool done = tn_group_fuse_own(scratch, &g, NULL, memory);
        grown.groups += done;
        grown.ops += done ? g.len : 0;
    }
    if (rows) {
        tn_grow_rows(m, scratch, apart, w.overwritten, memory, &grown);
    }
    tn_fuse_forget(memory);
    return grown;
}
