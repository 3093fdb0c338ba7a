/* Every rule that could read known elements is run again and watched. Elements it reads for types
 * or conditions are used. Elements that only become elements of results are used where those are,
 * which is found by going back from result to operand. */
#include "ir/infer/used.h"

#include "ir/infer/infer.h"
#include "ir/ops/claims.h"

enum { SCRATCH_LIMIT = 1 << 16 };

/* The op makes elements of results out of those of the value. */
typedef struct move {
    const tn_op *op;
    const tn_value *from;
} move;

typedef struct using {
    const tn_module *m;
    tn_arena *arena;
    bool *used; /* by value id */
    TN_VEC(const tn_value *) todo;
    const tn_op *op;    /* whose rule is at work */
    TN_VEC(move) moves; /* by ascending op id */
    uint32_t *first;    /* by op id, and one more: its first move */
}
using;

static void use(using *u, const tn_value *v) {
    if (v != NULL && !u->used[v->id]) {
        u->used[v->id] = true;
        tn_vec_push(u->arena, &u->todo, v);
    }
}

/* ---- what rules read ---- */

static void on_read(const tn_infer *in, const tn_value *v, bool moves) {
    using *u = in->user;
    if (moves) {
        move one = {u->op, v};
        tn_vec_push(u->arena, &u->moves, one);
    } else {
        use(u, v);
    }
}

static void on_conflict(tn_infer *in, const char *text) {
    (void)in;
    (void)text;
}

static bool is_known(const tn_value *v) {
    const tn_tensor *t = tn_infer_tensor(v);
    return v->content != NULL || v->float_content != NULL ||
           (t != NULL && (t->ints != NULL || t->floats != NULL));
}

/* Rules of sequences read operands of the ops that made the sequence. */
static bool may_read(const tn_op *op) {
    for (uint32_t k = 0; k < op->n_operands; k++) {
        const tn_value *v = op->operands[k].value;
        if (v != NULL && (is_known(v) || v->type->kind == TN_TYPE_SEQUENCE)) {
            return true;
        }
    }
    return op->n_regions > 0;
}

static void watch(using *u, tn_infer *in, const tn_op *op) {
    u->op = op;
    in->phase = 0;
    do {
        tn_infer_op(in, op);
        in->phase++;
    } while (in->region != NULL);
}

/* Where a part lies, and whether a view holds, rows read from integers behind what is viewed. */
static void use_parameters(using *u, const tn_op *op) {
    const tn_op_info *info = op->info;
    if (info->part == NULL && info->view_if == NULL) {
        return;
    }
    tn_view_claim claim = tn_op_view(op);
    uint32_t n_viewed = claim.kind == TN_VIEW_GATHERED ? claim.n : 1;
    for (uint32_t k = 0; k < op->n_operands; k++) {
        const tn_value *v = op->operands[k].value;
        bool is_viewed = k >= claim.operand && k - claim.operand < n_viewed;
        if (v != NULL && !is_viewed && tn_dtype_get(v->type->dtype)->kind != 'F') {
            use(u, v);
        }
    }
}

static void watch_all(using *u) {
    tn_arena *scratch = tn_arena_new(u->m->ctx);
    tn_infer in = {.ctx = u->m->ctx,
                   .dims = u->m->dims,
                   .user = u,
                   .on_conflict = on_conflict,
                   .on_read = on_read};
    for (uint32_t i = 0; i < u->m->n_ops; i++) {
        const tn_op *op = u->m->ops[i];
        u->first[i] = u->moves.len;
        if (op->erased || !may_read(op)) {
            continue;
        }
        if (tn_arena_bytes(scratch) > SCRATCH_LIMIT) {
            tn_arena_drop(scratch);
            scratch = tn_arena_new(u->m->ctx);
        }
        in.arena = in.scratch = scratch;
        watch(u, &in, op);
        use_parameters(u, op);
    }
    u->first[u->m->n_ops] = u->moves.len;
    tn_arena_drop(scratch);
}

/* ---- and what that came from ---- */

/* By value id, the position of arguments among the inputs of their graphs. */
static uint32_t *positions(const using *u) {
    uint32_t *at = TN_ARRAY(u->arena, uint32_t, u->m->n_values);
    for (uint32_t i = 0; i < u->m->n_graphs; i++) {
        const tn_graph *g = u->m->graphs[i];
        for (uint32_t k = 0; k < g->n_inputs; k++) {
            at[g->inputs[k]->id] = k;
        }
    }
    return at;
}

static void use_sources(using *u, const tn_value *result) {
    const tn_op *op = result->def;
    for (uint32_t i = u->first[op->id]; i < u->first[op->id + 1]; i++) {
        use(u, u->moves.data[i].from);
    }
    for (uint32_t b = 0; b < op->n_regions; b++) {
        const tn_graph *body = op->regions[b];
        use(u, result->def_index < body->n_outputs ? body->outputs[result->def_index] : NULL);
    }
}

const bool *tn_used_contents(const tn_module *m, tn_arena *arena) {
    using u = {.m = m, .arena = arena, .used = TN_ARRAY(arena, bool, m->n_values)};
    u.first = TN_ARRAY(arena, uint32_t, m->n_ops + 1u);
    watch_all(&u);
    const uint32_t *position = u.todo.len > 0 && m->n_graphs > 1 ? positions(&u) : NULL;
    while (u.todo.len > 0) {
        const tn_value *v = u.todo.data[--u.todo.len];
        if (v->kind == TN_VALUE_RESULT) {
            use_sources(&u, v);
        } else if (v->kind == TN_VALUE_INPUT && v->graph->owner != NULL) {
            use(&u, tn_operand(v->graph->owner, position[v->id]));
        }
    }
    return u.used;
}

tn_value *const *tn_fixed_inputs(const tn_module *m, tn_arena *arena, uint32_t *n) {
    tn_value **fixed = TN_ARRAY(arena, tn_value *, m->main->n_inputs);
    uint32_t known = 0;
    for (uint32_t i = 0; i < m->main->n_inputs; i++) {
        const tn_value *v = m->main->inputs[i];
        known += v->content != NULL || v->float_content != NULL;
    }
    const bool *used = known > 0 ? tn_used_contents(m, arena) : NULL;
    *n = 0;
    for (uint32_t i = 0; i < m->main->n_inputs && used != NULL; i++) {
        if (used[m->main->inputs[i]->id]) {
            fixed[(*n)++] = m->main->inputs[i];
        }
    }
    return fixed;
}
