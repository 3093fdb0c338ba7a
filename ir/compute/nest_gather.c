/* Elements and slices that are picked by index. */
#include "ir/compute/nest_rules.h"

void tn_nest_put_place(tn_nest *n, uint32_t depth, tn_calc *place) {
    n->stage[n->n_stages++] = (tn_nest_stage){.depth = depth, .first = n->n_axes, .body = place};
}

/* The result has the axes of the indices in place of one axis of the data. */
bool tn_compute_gather(tn_compute *c) {
    const tn_compute_value *x = tn_compute_operand(c, 0), *by = tn_compute_operand(c, 1);
    int64_t steps[TN_NEST_AXES], own[TN_NEST_AXES];
    tn_affine in = {0}, index = {0};
    uint32_t axis;
    tn_nest *n = tn_compute_over(c, 0);
    if (n == NULL || !tn_compute_axis(tn_compute_int(c, "axis", 0), x->rank, &axis)) {
        return false;
    }
    tn_compute_steps(x, steps);
    tn_compute_steps(by, own);
    for (uint32_t i = 0; i < n->n_outer; i++) {
        bool indices = i >= axis && i < axis + by->rank;
        index.by[i] = indices ? own[i - axis] : 0;
        in.by[i] = indices ? 0 : steps[i < axis ? i : i + 1 - by->rank];
    }
    tn_nest_put_place(
        n, axis + by->rank,
        tn_calc_index(c->arena, tn_calc_load(c->arena, 1, &index), x->dims[axis], steps[axis]));
    n->value = tn_calc_load_by(c->arena, 0, &in, tn_calc_local(c->arena, 0));
    return true;
}

/* An element of the data for each index, in the place of that along all axes but one. */
bool tn_compute_gather_elements(tn_compute *c) {
    const tn_compute_value *x = tn_compute_operand(c, 0), *y = &c->results[0];
    int64_t steps[TN_NEST_AXES];
    tn_affine in = {0};
    uint32_t axis;
    tn_nest *n = tn_compute_over(c, 0);
    if (n == NULL || x->rank != y->rank ||
        !tn_compute_axis(tn_compute_int(c, "axis", 0), x->rank, &axis)) {
        return false;
    }
    tn_compute_steps(x, steps);
    for (uint32_t i = 0; i < x->rank; i++) {
        if (i != axis && y->dims[i] > x->dims[i]) {
            return false;
        }
        in.by[i] = i != axis ? steps[i] : 0;
    }
    n->value = tn_calc_load_by(
        c->arena, 0, &in,
        tn_calc_index(c->arena, tn_calc_load(c->arena, 1, &n->store), x->dims[axis], steps[axis]));
    return true;
}

/* Indices of several axes stand side by side along the last axis; both may begin with axes that
 * they share. */
bool tn_compute_gather_nd(tn_compute *c) {
    const tn_compute_value *x = tn_compute_operand(c, 0), *by = tn_compute_operand(c, 1);
    int64_t batch = tn_compute_int(c, "batch_dims", 0), steps[TN_NEST_AXES], own[TN_NEST_AXES];
    tn_affine in = {0}, index = {0};
    tn_calc *place = NULL;
    tn_nest *n = tn_compute_over(c, 0);
    if (n == NULL || by->rank == 0 || batch < 0 || batch >= by->rank ||
        by->dims[by->rank - 1] > x->rank - batch) {
        return false;
    }
    uint32_t tuple = (uint32_t)by->dims[by->rank - 1], depth = by->rank - 1;
    tn_compute_steps(x, steps);
    tn_compute_steps(by, own);
    for (uint32_t i = 0; i < n->n_outer; i++) {
        index.by[i] = i < depth ? own[i] : 0;
        in.by[i] = i < batch    ? steps[i]
                   : i >= depth ? steps[(uint32_t)batch + tuple + i - depth]
                                : 0;
    }
    for (uint32_t k = 0; k < tuple; k++) {
        uint32_t axis = (uint32_t)batch + k;
        tn_affine at = index;
        at.base += k;
        tn_calc *one =
            tn_calc_index(c->arena, tn_calc_load(c->arena, 1, &at), x->dims[axis], steps[axis]);
        place = place == NULL ? one : tn_calc_make(c->arena, TN_CALC_ADD, place, one, NULL);
    }
    tn_nest_put_place(n, depth, place);
    n->value = tn_calc_load_by(c->arena, 0, &in, tn_calc_local(c->arena, 0));
    return true;
}
