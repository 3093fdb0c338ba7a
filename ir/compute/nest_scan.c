/* Running sums and products along an axis. */
#include "ir/compute/nest_rules.h"

typedef struct scan {
    uint32_t axis;
    int64_t steps[TN_NEST_AXES];
    bool exclusive, reverse;
    tn_calc_op op;
} scan;

/* Where elements from the `from`-th on lie that are made along the axis. */
static tn_affine place_of(const tn_compute *c, const scan *s, int64_t from) {
    const tn_compute_value *y = &c->results[0];
    tn_affine at = {0};
    for (uint32_t i = 0; i < y->rank; i++) {
        at.by[i] = i == s->axis && s->reverse ? -s->steps[i] : s->steps[i];
    }
    at.base = s->steps[s->axis] * (s->reverse ? y->dims[s->axis] - 1 - from : from);
    return at;
}

/* `extent` elements along the axis, from the `from`-th on that is made: the first by itself, all
 * others of the one before them, which is stored by then. */
static void put_piece(tn_compute *c, const scan *s, int64_t from, int64_t extent) {
    const tn_compute_value *y = &c->results[0];
    tn_nest *n = tn_compute_nest(c, 0);
    for (uint32_t i = 0; i < y->rank; i++) {
        tn_nest_axis(n, i == s->axis ? extent : y->dims[i]);
    }
    n->n_outer = n->n_axes;
    n->store = place_of(c, s, from);
    tn_affine before = place_of(c, s, from - 1);
    if (from == 0) {
        n->value = s->exclusive ? tn_calc_number(c->arena, s->op == TN_CALC_MUL)
                                : tn_calc_load(c->arena, 0, &n->store);
        return;
    }
    n->value = tn_calc_two(c, s->op, tn_calc_made(c->arena, &before),
                           tn_calc_load(c->arena, 0, s->exclusive ? &before : &n->store));
}

static bool put_scan(tn_compute *c, tn_calc_op op) {
    const tn_compute_value *x = tn_compute_operand(c, 0), *axis = tn_compute_operand(c, 1);
    scan s = {.exclusive = tn_compute_int(c, "exclusive", 0) != 0,
              .reverse = tn_compute_int(c, "reverse", 0) != 0,
              .op = op};
    if (axis == NULL || axis->known == NULL || axis->n_known != 1 || x->rank > TN_NEST_AXES ||
        !tn_compute_axis(axis->known[0], x->rank, &s.axis)) {
        return false;
    }
    tn_compute_steps(x, s.steps);
    put_piece(c, &s, 0, 1);
    if (x->dims[s.axis] > 1) {
        put_piece(c, &s, 1, x->dims[s.axis] - 1);
    }
    return true;
}

bool tn_compute_cumsum(tn_compute *c) {
    return put_scan(c, TN_CALC_ADD);
}

bool tn_compute_cumprod(tn_compute *c) {
    return put_scan(c, TN_CALC_MUL);
}
