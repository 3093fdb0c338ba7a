#include "ir/compute/nest_places.h"

bool tn_affine_has_table(const tn_affine *at) {
    for (uint32_t a = 0; a < TN_NEST_AXES; a++) {
        if (at->table[a] != NULL) {
            return true;
        }
    }
    return false;
}

/* Axes of one index lead nowhere. */
bool tn_nest_same_place(const tn_nest *n, const tn_affine *a, const tn_affine *b) {
    bool same = a->base == b->base;
    for (uint32_t i = 0; i < n->n_axes && same; i++) {
        same = n->extent[i] == 1 || (a->by[i] == b->by[i] && a->table[i] == b->table[i]);
    }
    return same;
}

/* Whether a guard of the stage sees to it that the index is one of `end`. */
static bool is_guarded(const tn_nest *n, const tn_nest_stage *s, const tn_affine *at, int64_t end) {
    for (uint32_t g = 0; s != NULL && g < s->n_guards; g++) {
        if (s->guards[g].end <= end && tn_nest_same_place(n, &s->guards[g].at, at)) {
            return true;
        }
    }
    return false;
}

/* The axis, not yet taken, whose neighbours lie furthest apart in `place`; n_outer: all are taken.
 */
static uint32_t widest(const tn_nest *of, const tn_affine *place, const bool *taken) {
    uint32_t best = of->n_outer;
    for (uint32_t a = 0; a < of->n_outer; a++) {
        if (!taken[a] && of->extent[a] > 1 &&
            (best == of->n_outer || place->by[a] > place->by[best])) {
            best = a;
        }
    }
    return best;
}

/* The index along each axis of `of`, which go through all elements at `place`, of the element at
 * `at`, which counts axes of `over`, in its stage `s` or, NULL, outside of stages. False where that
 * is none of the same index for all. */
bool tn_nest_split_by(const tn_nest *of, const tn_affine *place, const tn_nest *over,
                      const tn_nest_stage *s, const tn_affine *at, tn_affine *index) {
    bool taken[TN_NEST_AXES] = {false};
    tn_affine rest = *at;
    int64_t elements = 1, least, most;
    if (tn_affine_has_table(at) || tn_affine_has_table(place) || place->base != 0) {
        return false;
    }
    for (uint32_t a = 0; a < of->n_outer; a++) {
        index[a] = (tn_affine){0};
        elements *= of->extent[a];
    }
    for (uint32_t k = 0; k < over->n_axes; k++) {
        rest.by[k] = over->extent[k] > 1 ? rest.by[k] : 0;
    }
    for (uint32_t a; (a = widest(of, place, taken)) < of->n_outer; taken[a] = true) {
        int64_t step = place->by[a];
        if (step * of->extent[a] != elements) {
            return false; /* not all elements one after the other */
        }
        elements = step;
        index[a].base = rest.base / step;
        rest.base %= step;
        for (uint32_t k = 0; k < over->n_axes; k++) {
            index[a].by[k] = rest.by[k] / step;
            rest.by[k] %= step;
        }
        tn_affine_range(over, &index[a], 0, over->n_axes, &least, &most);
        if ((least < 0 || most >= of->extent[a]) &&
            !is_guarded(over, s, &index[a], of->extent[a])) {
            return false;
        }
    }
    for (uint32_t k = 0; k < over->n_axes; k++) {
        if (rest.by[k] != 0) {
            return false;
        }
    }
    return rest.base == 0 && elements == 1;
}

/* The same of the elements that `of` stores. */
bool tn_nest_split(const tn_nest *of, const tn_nest *over, const tn_nest_stage *s,
                   const tn_affine *at, tn_affine *index) {
    return tn_nest_split_by(of, &of->store, over, s, at, index);
}

/* The one axis that `at` is the index of; TN_NEST_AXES: it is more than that. */
static uint32_t only_axis(const tn_affine *at) {
    uint32_t axis = TN_NEST_AXES;
    for (uint32_t a = 0; a < TN_NEST_AXES; a++) {
        if (at->by[a] != 0) {
            if (axis != TN_NEST_AXES || at->by[a] != 1) {
                return TN_NEST_AXES;
            }
            axis = a;
        }
    }
    return at->base == 0 ? axis : TN_NEST_AXES;
}

/* `at` counts axes that `axis` says the indices of. */
bool tn_nest_move_place(tn_affine *at, const tn_affine *axis, uint32_t n_axes) {
    tn_affine to = {.base = at->base};
    for (uint32_t i = 0; i < n_axes; i++) {
        if (at->table[i] != NULL) {
            uint32_t only = only_axis(&axis[i]);
            if (only == TN_NEST_AXES || to.table[only] != NULL) {
                return false;
            }
            to.table[only] = at->table[i];
        }
        to.base += at->by[i] * axis[i].base;
        for (uint32_t a = 0; a < TN_NEST_AXES; a++) {
            to.by[a] += at->by[i] * axis[i].by[a];
        }
    }
    *at = to;
    return true;
}

bool tn_nest_move_calc(tn_calc *x, const tn_affine *axis, uint32_t n_axes) {
    bool all = x == NULL || x->kind == TN_CALC_OP || x->kind == TN_CALC_NUMBER ||
               x->kind == TN_CALC_LOCAL || tn_nest_move_place(&x->at, axis, n_axes);
    for (uint32_t i = 0; x != NULL && i < 3; i++) {
        all = all && tn_nest_move_calc(x->arg[i], axis, n_axes);
    }
    return all;
}

bool tn_calc_loads(const tn_calc *x, uint32_t operand) {
    bool any = x != NULL && x->kind == TN_CALC_LOAD && x->which == operand;
    for (uint32_t i = 0; x != NULL && i < 3; i++) {
        any = any || tn_calc_loads(x->arg[i], operand);
    }
    return any;
}

bool tn_nest_loads(const tn_nest *n, uint32_t operand) {
    bool any = tn_calc_loads(n->value, operand) || tn_calc_loads(n->value_too, operand);
    for (uint32_t i = 0; i < n->n_stages; i++) {
        any = any || tn_calc_loads(n->stage[i].start, operand) ||
              tn_calc_loads(n->stage[i].body, operand);
    }
    return any;
}

bool tn_calc_moves(const tn_calc *x, uint32_t axis) {
    if (x == NULL) {
        return false;
    }
    bool any = x->kind != TN_CALC_OP && x->at.by[axis] != 0;
    for (uint32_t i = 0; i < 3; i++) {
        any = any || tn_calc_moves(x->arg[i], axis);
    }
    return any;
}
