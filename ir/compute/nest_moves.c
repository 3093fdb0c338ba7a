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

tn_nest *tn_compute_piece(tn_compute *c, uint32_t i, uint32_t axis, int64_t at, tn_affine *in) {
    const tn_compute_value *x = &c->operands[i], *y = &c->results[0];
    int64_t steps[TN_NEST_AXES], own[TN_NEST_AXES];
    tn_nest *n = tn_compute_nest(c, 0);
    *in = (tn_affine){0};
    tn_compute_steps(x, own);
    tn_compute_steps(y, steps);
    n->store.base = at * steps[axis];
    for (uint32_t k = 0; k < y->rank; k++) {
        uint32_t a = tn_nest_axis(n, x->dims[k]);
        n->store.by[a] = steps[k];
        in->by[a] = own[k];
    }
    n->n_outer = n->n_axes;
    return n;
}

/* A nest an operand. */
bool tn_compute_concat(tn_compute *c) {
    const tn_compute_value *y = &c->results[0];
    int64_t at = 0;
    uint32_t axis;
    if (!tn_compute_axis(tn_compute_int(c, "axis", 1), y->rank, &axis) ||
        y->rank > TN_NEST_AXES / 2) {
        return false;
    }
    for (uint32_t i = 0; i < c->n_operands; i++) {
        tn_affine in;
        tn_nest *n = tn_compute_piece(c, i, axis, at, &in);
        n->value = tn_calc_load(c->arena, i, &in);
        at += c->operands[i].dims[axis];
    }
    return true;
}

/* Where an axis of Slice begins, and the step along it. */
static bool slice_of(const tn_compute *c, uint32_t axis, int64_t *from, int64_t *step) {
    const tn_compute_value *x = tn_compute_operand(c, 0);
    const tn_compute_value *starts = tn_compute_operand(c, 1), *axes = tn_compute_operand(c, 3),
                           *steps = tn_compute_operand(c, 4);
    const tn_attr *old = tn_compute_attr(c, "starts"), *old_axes = tn_compute_attr(c, "axes");
    uint32_t n = old != NULL ? old->n : starts != NULL ? starts->n_known : 0;
    const int64_t *list = old != NULL ? old->u.ints : starts != NULL ? starts->known : NULL;
    *from = 0;
    *step = 1;
    if (list == NULL || (axes != NULL && axes->known == NULL) ||
        (steps != NULL && steps->known == NULL)) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        int64_t at = old_axes != NULL ? old_axes->u.ints[i] : axes != NULL ? axes->known[i] : i;
        if ((at < 0 ? at + x->rank : at) != axis) {
            continue;
        }
        int64_t extent = x->dims[axis], begin = list[i] < 0 ? list[i] + extent : list[i];
        *step = steps != NULL ? steps->known[i] : 1;
        int64_t last = *step < 0 ? extent - 1 : extent;
        *from = begin < 0 ? 0 : begin > last ? last : begin;
    }
    return *step != 0;
}

bool tn_compute_slice(tn_compute *c) {
    const tn_compute_value *x = tn_compute_operand(c, 0);
    int64_t steps[TN_NEST_AXES], from, step;
    tn_affine in = {0};
    tn_nest *n = tn_compute_over(c, 0);
    if (n == NULL) {
        return false;
    }
    tn_compute_steps(x, steps);
    for (uint32_t i = 0; i < x->rank; i++) {
        if (!slice_of(c, i, &from, &step)) {
            return false;
        }
        in.base += from * steps[i];
        in.by[i] = step * steps[i];
    }
    n->value = tn_calc_load(c->arena, 0, &in);
    return true;
}

/* A nest a result, one behind the other. */
bool tn_compute_split(tn_compute *c) {
    const tn_compute_value *x = tn_compute_operand(c, 0);
    int64_t stated = tn_compute_int(c, "axis", 0), at = 0, steps[TN_NEST_AXES];
    uint32_t axis = (uint32_t)(stated < 0 ? stated + x->rank : stated);
    tn_compute_steps(x, steps);
    for (uint32_t i = 0; i < c->n_results && axis < x->rank; i++) {
        tn_nest *n = c->results[i].there ? tn_compute_over(c, i) : NULL;
        if (n == NULL) {
            return false;
        }
        tn_affine in = {.base = at * steps[axis]};
        for (uint32_t k = 0; k < x->rank; k++) {
            in.by[k] = steps[k];
        }
        n->value = tn_calc_load(c->arena, 0, &in);
        at += c->results[i].dims[axis];
    }
    return axis < x->rank;
}

bool tn_compute_expand(tn_compute *c) {
    tn_affine in;
    tn_nest *n = tn_compute_over(c, 0);
    if (n == NULL || !tn_compute_broadcast(tn_compute_operand(c, 0), n, n->n_outer, &in)) {
        return false;
    }
    n->value = tn_calc_load(c->arena, 0, &in);
    return true;
}

/* Each axis is gone through once for each repeat. */
bool tn_compute_tile(tn_compute *c) {
    const tn_compute_value *x = tn_compute_operand(c, 0), *y = &c->results[0];
    int64_t own[TN_NEST_AXES], steps[TN_NEST_AXES];
    tn_affine in = {0};
    if (x->rank > TN_NEST_AXES / 2 || x->rank != y->rank) {
        return false;
    }
    tn_nest *n = tn_compute_nest(c, 0);
    tn_compute_steps(x, own);
    tn_compute_steps(y, steps);
    for (uint32_t i = 0; i < x->rank; i++) {
        if (y->dims[i] % x->dims[i] != 0) {
            return false;
        }
        n->store.by[tn_nest_axis(n, y->dims[i] / x->dims[i])] = x->dims[i] * steps[i];
        uint32_t axis = tn_nest_axis(n, x->dims[i]);
        n->store.by[axis] = steps[i];
        in.by[axis] = own[i];
    }
    n->n_outer = n->n_axes;
    n->value = tn_calc_load(c->arena, 0, &in);
    return true;
}
