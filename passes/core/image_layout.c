#include "passes/core/image_layout.h"

#include "ir/base/limits.h"
#include "ir/mutate.h"
#include "ir/ops/claims.h"
#include "ir/ops/part.h"

typedef struct laying {
    tn_module *m;
    tn_arena *arena;
    bool *fixed; /* by value: keeps the order of the model */
    bool *found; /* by value */
    TN_VEC(tn_value *) open;
} laying;

/* Whether it would make a difference. */
static bool has_places(const tn_value *v) {
    tn_part p;
    int64_t places = 1;
    if (!tn_part_begin(&p, v) || p.rank < 3 || p.whole[1] == 1) {
        return false;
    }
    for (uint32_t i = 2; i < p.rank; i++) {
        places = p.whole[i] == 1 ? places : 2;
    }
    return places > 1;
}

static void add(laying *l, tn_value *v) {
    if (v != NULL && !l->fixed[v->id] && !l->found[v->id] && has_places(v)) {
        l->found[v->id] = true;
        tn_vec_push(l->arena, &l->open, v);
    }
}

/* An operand and a result that are one buffer by the op's definition lie in one way, whatever else
 * reads them. */
static void fix_demanded(laying *l, const tn_op *op) {
    uint32_t result;
    for (uint32_t k = 0; k < op->n_operands; k++) {
        const tn_value *operand = op->operands[k].value;
        if (operand != NULL && tn_op_overwrites(op, k, &result) && tn_result(op, result) != NULL) {
            l->fixed[operand->id] = l->fixed[op->results[result]->id] = true;
        }
    }
}

/* Values of nested graphs, and all that ops with such have to do with. */
static void fix(laying *l) {
    const uint32_t kept = TN_VF_STATE | TN_VF_PARAM | TN_VF_DEFAULT | TN_VF_WORKSPACE;
    for (uint32_t i = 0; i < l->m->n_values; i++) {
        const tn_value *v = l->m->values[i];
        bool outside = v->graph != l->m->main || tn_is_const(v) || (v->flags & kept) != 0;
        outside = outside || (v->kind == TN_VALUE_RESULT && v->def->n_regions > 0);
        for (const tn_use *u = v->first_use; u != NULL && !outside; u = u->next) {
            outside = u->op->n_regions > 0 || u->op->graph != l->m->main;
        }
        l->fixed[i] = outside;
    }
    for (uint32_t i = 0; i < l->m->n_bindings; i++) {
        l->fixed[l->m->bindings[i].state->id] = l->fixed[l->m->bindings[i].value->id] = true;
    }
    TN_FOR_OPS(op, l->m->main) {
        fix_demanded(l, op);
    }
}

/* Whether the op leaves axes as they are, so that what it reads and makes may lie in one way. */
static bool keeps_axes(const tn_op *op) {
    tn_view_kind kind = op->info->view;
    return (op->info->traits & TN_T_ELEMENTWISE) != 0 || kind == TN_VIEW_PART ||
           kind == TN_VIEW_PARTS || kind == TN_VIEW_GATHERED;
}

static uint32_t rank_of(const tn_value *v) {
    return v != NULL && v->type->kind == TN_TYPE_TENSOR && v->type->has_rank ? v->type->rank : 0;
}

static void spread(laying *l, const tn_op *op, uint32_t rank) {
    if (op->n_regions > 0 || !keeps_axes(op)) {
        return;
    }
    for (uint32_t i = 0; i < op->n_operands; i++) {
        if (rank_of(op->operands[i].value) == rank) {
            add(l, op->operands[i].value);
        }
    }
    for (uint32_t i = 0; i < op->n_results; i++) {
        if (rank_of(op->results[i]) == rank) {
            add(l, op->results[i]);
        }
    }
}

uint32_t tn_lay_channels_last(tn_module *m, tn_arena *arena) {
    laying l = {.m = m,
                .arena = arena,
                .fixed = TN_ARRAY(arena, bool, m->n_values),
                .found = TN_ARRAY(arena, bool, m->n_values)};
    uint32_t n = 0;
    fix(&l);
    TN_FOR_OPS(op, m->main) {
        if ((op->info->traits & TN_T_IMAGES) != 0) {
            add(&l, tn_operand(op, 0));
            add(&l, tn_result(op, 0));
        }
    }
    while (l.open.len > 0) {
        tn_value *v = l.open.data[--l.open.len];
        tn_value_set_flags(v, TN_VF_CHANNELS_LAST, 0);
        n++;
        if (v->kind == TN_VALUE_RESULT) {
            spread(&l, v->def, v->type->rank);
        }
        for (const tn_use *u = v->first_use; u != NULL; u = u->next) {
            spread(&l, u->op, v->type->rank);
        }
    }
    return n;
}
