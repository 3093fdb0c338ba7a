/* What is made from places and few numbers, or is kept by its place. */
#include <math.h>

#include "ir/compute/nest_rules.h"

/* The column less the row, and `base`. */
static tn_calc *off_diagonal(tn_compute *c, const tn_nest *n, int64_t base) {
    tn_affine at = {.base = base};
    at.by[n->n_outer - 2] = -1;
    at.by[n->n_outer - 1] = 1;
    return tn_calc_place(c->arena, &at);
}

bool tn_compute_trilu(tn_compute *c) {
    tn_affine first = {0};
    tn_nest *n = tn_compute_over(c, 0);
    if (n == NULL || n->n_outer < 2) {
        return false;
    }
    bool upper = tn_compute_int(c, "upper", 1) != 0;
    tn_calc *k = tn_compute_operand(c, 1) != NULL ? tn_calc_load(c->arena, 1, &first)
                                                  : tn_calc_number(c->arena, 0);
    tn_calc *keep = tn_calc_make(c->arena, upper ? TN_CALC_AT_LEAST : TN_CALC_AT_MOST,
                                 off_diagonal(c, n, 0), k, NULL);
    n->value = tn_calc_make(c->arena, TN_CALC_SELECT, keep, tn_calc_load(c->arena, 0, &n->store),
                            tn_calc_number(c->arena, 0));
    return true;
}

bool tn_compute_eye_like(tn_compute *c) {
    int64_t k = tn_compute_int(c, "k", 0);
    tn_nest *n = tn_compute_over(c, 0);
    if (n == NULL || n->n_outer != 2) {
        return false;
    }
    k = k < -n->extent[0] ? -n->extent[0] : k > n->extent[1] ? n->extent[1] : k;
    tn_calc *on = tn_calc_make(c->arena, TN_CALC_EQUAL, off_diagonal(c, n, -k),
                               tn_calc_number(c->arena, 0), NULL);
    n->value = tn_calc_make(c->arena, TN_CALC_SELECT, on, tn_calc_number(c->arena, 1),
                            tn_calc_number(c->arena, 0));
    return true;
}

/* The index is that of the place, from version 11 on also counted from the end; others set none. */
bool tn_compute_one_hot(tn_compute *c) {
    const tn_compute_value *by = tn_compute_operand(c, 0), *y = &c->results[0];
    int64_t own[TN_NEST_AXES];
    tn_affine at = {0}, place = {0}, off = {0}, on = {.base = 1};
    uint32_t axis;
    tn_nest *n = tn_compute_over(c, 0);
    if (n == NULL || y->rank != by->rank + 1 || by->dtype == TN_DT_UINT64 ||
        !tn_compute_axis(tn_compute_int(c, "axis", -1), y->rank, &axis)) {
        return false;
    }
    tn_compute_steps(by, own);
    for (uint32_t i = 0; i < by->rank; i++) {
        at.by[i < axis ? i : i + 1] = own[i];
    }
    place.by[axis] = 1;
    tn_arena *arena = c->arena;
    tn_nest_put_place(n, y->rank - 1,
                      tn_calc_convert(arena, tn_calc_load(arena, 0, &at), TN_DT_INT64));
    if (axis + 1 != y->rank) { /* another for each element */
        n->stage[0].depth = y->rank;
    }
    tn_calc *is = tn_calc_make(arena, TN_CALC_EQUAL, tn_calc_local(arena, 0),
                               tn_calc_place(arena, &place), NULL);
    if (c->version == 0 || c->version >= 11) {
        place.base = -y->dims[axis];
        tn_calc *from_end = tn_calc_make(arena, TN_CALC_EQUAL, tn_calc_local(arena, 0),
                                         tn_calc_place(arena, &place), NULL);
        is = tn_calc_make(arena, TN_CALC_OR, is, from_end, NULL);
    }
    n->value = tn_calc_make(arena, TN_CALC_SELECT, is, tn_calc_load(arena, 2, &on),
                            tn_calc_load(arena, 2, &off));
    return true;
}

bool tn_compute_range(tn_compute *c) {
    tn_affine first = {0};
    tn_nest *n = tn_compute_over(c, 0);
    if (n == NULL || n->n_outer != 1 || tn_compute_int(c, "stash_type", 1) != 1) {
        return false;
    }
    tn_calc *steps = tn_calc_make(c->arena, TN_CALC_MUL, tn_calc_place(c->arena, &n->store),
                                  tn_calc_load(c->arena, 2, &first), NULL);
    n->value = tn_calc_make(c->arena, TN_CALC_ADD, tn_calc_load(c->arena, 0, &first), steps, NULL);
    return true;
}

bool tn_compute_constant_of_shape(tn_compute *c) {
    const tn_attr *a = tn_compute_attr(c, "value");
    const tn_tensor *t = a != NULL && a->kind == TN_ATTR_TENSOR ? a->u.t : NULL;
    bool whole = t != NULL && t->n_elements == 1 && t->ints != NULL;
    bool floats = t != NULL && t->n_elements == 1 && t->floats != NULL;
    tn_nest *n = tn_compute_over(c, 0);
    if (n == NULL || (a != NULL && !whole && !floats)) {
        return false;
    }
    double number = whole ? (double)t->ints[0] : floats ? t->floats[0] : 0;
    n->value = tn_calc_number(c->arena, number);
    return !isnan(number);
}
