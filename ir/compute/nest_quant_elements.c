/* Functions of one element and of two, averages and pieces, of whole numbers of 8 bits that stand
 * for floats. */
#include "ir/compute/nest_rules.h"

static bool is_result(const tn_compute *c, uint32_t scale, uint32_t zero) {
    const tn_compute_value *z = tn_compute_operand(c, zero);
    return tn_compute_is_byte(c->results[0].dtype) && tn_compute_is_float(c, scale) &&
           (z == NULL || (z->dtype == c->results[0].dtype &&
                          (z->rank == 0 || (z->rank == 1 && z->dims[0] == 1))));
}

/* A float in steps of the result. */
static tn_calc *in_steps(const tn_compute *c, tn_calc *x, uint32_t scale, uint32_t zero) {
    static const tn_affine first = {0};
    x = tn_calc_two(c, TN_CALC_DIV, x, tn_calc_load(c->arena, scale, &first));
    return tn_quantum_round(c, x, zero, &first);
}

/* ---- element by element ---- */

static bool binary(tn_compute *c, tn_calc_op op) {
    static const tn_quantum a = {0, 1, 2}, b = {3, 4, 5};
    tn_affine of_a, of_b;
    if (!tn_quantum_is(c, a) || !tn_quantum_is(c, b) || !is_result(c, 6, 7)) {
        return false;
    }
    tn_nest *n = tn_compute_over(c, 0);
    if (n == NULL || !tn_compute_broadcast(tn_compute_operand(c, 0), n, n->n_outer, &of_a) ||
        !tn_compute_broadcast(tn_compute_operand(c, 3), n, n->n_outer, &of_b)) {
        return false;
    }
    n->value = in_steps(
        c, tn_calc_two(c, op, tn_quantum_float(c, a, &of_a), tn_quantum_float(c, b, &of_b)), 6, 7);
    return true;
}

bool tn_compute_qlinear_add(tn_compute *c) {
    return binary(c, TN_CALC_ADD);
}

bool tn_compute_qlinear_mul(tn_compute *c) {
    return binary(c, TN_CALC_MUL);
}

/* The nest of a function of one element; *x is what it stands for. */
static tn_nest *unary(tn_compute *c, tn_calc **x) {
    static const tn_quantum q = {0, 1, 2};
    tn_nest *n = tn_quantum_is(c, q) && is_result(c, 3, 4) ? tn_compute_over(c, 0) : NULL;
    *x = n != NULL ? tn_quantum_float(c, q, &n->store) : NULL;
    return n;
}

bool tn_compute_qlinear_sigmoid(tn_compute *c) {
    tn_calc *x;
    tn_nest *n = unary(c, &x);
    if (n == NULL) {
        return false;
    }
    x = tn_calc_make(c->arena, TN_CALC_NEG, x, NULL, NULL);
    x = tn_calc_make(c->arena, TN_CALC_EXP, x, NULL, NULL);
    x = tn_calc_two(c, TN_CALC_ADD, tn_calc_number(c->arena, 1), x);
    n->value = in_steps(c, tn_calc_two(c, TN_CALC_DIV, tn_calc_number(c->arena, 1), x), 3, 4);
    return true;
}

bool tn_compute_qlinear_leaky_relu(tn_compute *c) {
    static const tn_quantum q = {0, 1, 2};
    tn_calc *x;
    tn_nest *n = unary(c, &x);
    if (n == NULL) {
        return false;
    }
    tn_calc *same = tn_quantum_float(c, q, &n->store),
            *less = tn_calc_two(c, TN_CALC_LESS, tn_quantum_float(c, q, &n->store),
                                tn_calc_number(c->arena, 0));
    x = tn_calc_two(c, TN_CALC_MUL, x,
                    tn_calc_number(c->arena, tn_compute_float(c, "alpha", 0.01)));
    n->value = in_steps(c, tn_calc_make(c->arena, TN_CALC_SELECT, less, x, same), 3, 4);
    return true;
}

/* ---- averages ---- */

static bool is_pool(const tn_compute *c) {
    static const tn_quantum q = {0, 1, 2};
    return tn_quantum_is(c, q) && is_result(c, 3, 4) && tn_compute_int(c, "channels_last", 0) == 0;
}

/* The terms of the sums less the zero point; the scale of what is summed up. */
static tn_calc *take_zero(const tn_compute *c, tn_nest *n) {
    static const tn_affine first = {0};
    n->stage[0].body = tn_quantum_less(c, n->stage[0].body, 2, &first);
    n->value = tn_calc_convert(c->arena, n->value, TN_DT_FLOAT);
    return tn_calc_load(c->arena, 1, &first);
}

bool tn_compute_qlinear_average_pool(tn_compute *c) {
    tn_calc *count = NULL;
    tn_nest *n = is_pool(c) ? tn_compute_pool_of(c, &count) : NULL;
    if (n == NULL) {
        return false;
    }
    tn_calc *x_scale = take_zero(c, n), *sum = tn_calc_two(c, TN_CALC_MUL, n->value, x_scale);
    count = tn_calc_convert(c->arena, count, TN_DT_FLOAT);
    n->value = in_steps(c, tn_calc_two(c, TN_CALC_DIV, sum, count), 3, 4);
    return true;
}

bool tn_compute_qlinear_global_average_pool(tn_compute *c) {
    static const tn_affine first = {0};
    int64_t places = 1;
    tn_nest *n = is_pool(c) ? tn_compute_global_pool_of(c, &places) : NULL;
    if (n == NULL) {
        return false;
    }
    tn_calc *x_scale = take_zero(c, n);
    tn_calc *by = tn_calc_two(c, TN_CALC_MUL, tn_calc_load(c->arena, 3, &first),
                              tn_calc_number(c->arena, (double)places));
    tn_calc *value =
        tn_calc_two(c, TN_CALC_MUL, n->value, tn_calc_two(c, TN_CALC_DIV, x_scale, by));
    n->value = tn_quantum_round(c, value, 4, &first);
    return true;
}

/* ---- pieces ---- */

/* Operands behind the first two are tensor, scale and zero point in turn. */
bool tn_compute_qlinear_concat(tn_compute *c) {
    const tn_compute_value *y = &c->results[0];
    int64_t at = 0;
    uint32_t axis;
    if (!tn_compute_axis(tn_compute_int(c, "axis", 0), y->rank, &axis) ||
        y->rank > TN_NEST_AXES / 2 || c->n_operands % 3 != 2 || !is_result(c, 0, 1)) {
        return false;
    }
    for (uint32_t i = 2; i < c->n_operands; i += 3) {
        tn_quantum q = {i, i + 1, i + 2};
        tn_affine in;
        if (!tn_quantum_is(c, q)) {
            return false;
        }
        tn_nest *n = tn_compute_piece(c, i, axis, at, &in);
        n->value = in_steps(c, tn_quantum_float(c, q, &in), 0, 1);
        at += c->operands[i].dims[axis];
    }
    return true;
}
