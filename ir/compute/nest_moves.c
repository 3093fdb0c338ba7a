/* Ops that move elements and compute nothing. */
#include "ir/compute/nest_rules.h"

bool tn_compute_transpose(tn_compute *c) {
    const tn_compute_value *x = tn_compute_operand(c, 0);
    int64_t steps[TN_NEST_AXES];
    tn_affine in = {0};
    tn_nest *n = tn_compute_over(c, 0);
    if (n == NULL) {
        return false;
    }
    tn_compute_steps(x, steps);
    for (uint32_t i = 0; i < x->rank; i++) {
        int64_t axis = tn_compute_ints(c, "perm", i, x->rank - 1 - i);
        if (axis < 0 || axis >= x->rank) {
            return false;
        }
        in.by[i] = steps[axis];
    }
    n->value = tn_calc_load(c->arena, 0, &in);
    return true;
}

/* A nest an operand. */
bool tn_compute_concat(tn_compute *c) {
    const tn_compute_value *y = &c->results[0];
    int64_t stated = tn_compute_int(c, "axis", 1), at = 0, steps[TN_NEST_AXES], own[TN_NEST_AXES];
    uint32_t axis = (uint32_t)(stated < 0 ? stated + y->rank : stated);
    if (axis >= y->rank || y->rank > TN_NEST_AXES / 2) {
        return false;
    }
    tn_compute_steps(y, steps);
    for (uint32_t i = 0; i < c->n_operands; i++) {
        const tn_compute_value *x = &c->operands[i];
        tn_nest *n = tn_compute_nest(c, 0);
        tn_affine in = {0};
        tn_compute_steps(x, own);
        n->store.base = at * steps[axis];
        for (uint32_t k = 0; k < y->rank; k++) {
            uint32_t a = tn_nest_axis(n, x->dims[k]);
            n->store.by[a] = steps[k];
            in.by[a] = own[k];
        }
        n->n_outer = n->n_axes;
        n->value = tn_calc_load(c->arena, i, &in);
        at += x->dims[axis];
    }
    return true;
}
