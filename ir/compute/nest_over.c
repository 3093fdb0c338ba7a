#include "ir/compute/nest_over.h"

tn_calc *tn_calc_one(const tn_compute *c, tn_calc_op op, tn_calc *a) {
    return tn_calc_make(c->arena, op, a, NULL, NULL);
}

tn_calc *tn_calc_two(const tn_compute *c, tn_calc_op op, tn_calc *a, tn_calc *b) {
    return tn_calc_make(c->arena, op, a, b, NULL);
}

void tn_rows_of(const tn_compute *c, tn_rows *r, uint32_t within) {
    const tn_compute_value *x = tn_compute_operand(c, 0);
    *r = (tn_rows){.rank = x->rank, .within = within};
    tn_compute_steps(x, r->steps);
    for (uint32_t i = 0; i < x->rank; i++) {
        r->dims[i] = x->dims[i];
    }
}

static bool is_within(const tn_rows *r, uint32_t axis) {
    return (r->within >> axis & 1u) != 0;
}

bool tn_rows_begin(tn_compute *c, tn_rows *r, uint32_t result, uint32_t stages, bool each) {
    uint32_t axes = 0;
    r->count = 1;
    for (uint32_t i = 0; i < r->rank; i++) {
        axes += is_within(r, i) ? stages + each : 1;
        r->count *= is_within(r, i) ? r->dims[i] : 1;
    }
    if (axes > TN_NEST_AXES || stages > TN_NEST_STAGES) {
        return false;
    }
    r->n = tn_compute_nest(c, result);
    r->row = r->element = r->place = (tn_affine){0};
    for (uint32_t i = 0; i < r->rank; i++) {
        if (!is_within(r, i)) {
            r->axis[i] = tn_nest_axis(r->n, r->dims[i]);
            r->row.by[r->axis[i]] = r->steps[i];
        }
    }
    r->depth = r->n->n_axes;
    r->element = r->row;
    int64_t step = 1, place = 1;
    for (uint32_t i = 0; each && i < r->rank; i++) {
        if (is_within(r, i)) {
            r->axis[i] = tn_nest_axis(r->n, r->dims[i]);
            r->element.by[r->axis[i]] = r->steps[i];
        }
    }
    r->n->n_outer = r->n->n_axes;
    for (uint32_t i = r->rank; i-- > 0;) {
        if (each && is_within(r, i)) {
            r->place.by[r->axis[i]] = place;
            place *= r->dims[i];
        } else if (!is_within(r, i)) {
            r->n->store.by[r->axis[i]] = step;
            step *= r->dims[i];
        }
    }
    r->n->store = each ? r->element : r->n->store;
    return true;
}

tn_nest_stage *tn_rows_stage(tn_compute *c, tn_rows *r, tn_combine combine, tn_affine *at) {
    tn_nest_stage *s = &r->n->stage[r->n->n_stages++];
    tn_affine element = r->row;
    s->depth = r->depth;
    s->first = r->n->n_axes;
    s->combine = combine;
    int64_t place = r->count;
    r->place = (tn_affine){0};
    for (uint32_t i = 0; i < r->rank; i++) {
        if (is_within(r, i)) {
            uint32_t axis = tn_nest_axis(r->n, r->dims[i]);
            element.by[axis] = r->steps[i];
            place /= r->dims[i];
            r->place.by[axis] = place;
        }
    }
    s->n = r->n->n_axes - s->first;
    s->body = tn_calc_load(c->arena, 0, &element);
    if (at != NULL) {
        *at = element;
    }
    return s;
}

tn_calc *tn_rows_element(tn_compute *c, const tn_rows *r) {
    return tn_calc_load(c->arena, 0, &r->element);
}

tn_calc *tn_rows_mean(tn_compute *c, const tn_rows *r, uint32_t stage) {
    return tn_calc_two(c, TN_CALC_DIV, tn_calc_local(c->arena, stage),
                       tn_calc_number(c->arena, (double)r->count));
}

tn_calc *tn_rows_deviation(tn_compute *c, const tn_rows *r, uint32_t stage, double epsilon) {
    return tn_calc_one(
        c, TN_CALC_SQRT,
        tn_calc_two(c, TN_CALC_ADD, tn_rows_mean(c, r, stage), tn_calc_number(c->arena, epsilon)));
}

bool tn_rows_axes(const tn_compute *c, uint32_t *within) {
    const tn_compute_value *x = tn_compute_operand(c, 0), *given = tn_compute_operand(c, 1);
    const tn_attr *stated = tn_compute_attr(c, "axes");
    const int64_t *list = stated != NULL ? stated->u.ints : given != NULL ? given->known : NULL;
    uint32_t n = stated != NULL ? stated->n : given != NULL ? given->n_known : 0, axis;
    if (given != NULL && given->known == NULL && stated == NULL) {
        return false;
    }
    *within = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!tn_compute_axis(list[i], x->rank, &axis)) {
            return false;
        }
        *within |= 1u << axis;
    }
    if (n == 0) {
        *within = (1u << x->rank) - 1;
    }
    return n > 0 || tn_compute_int(c, "noop_with_empty_axes", 0) == 0;
}
