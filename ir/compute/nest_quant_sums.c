/* Sums of products of whole numbers of 8 bits, in 32 bits: convolutions and products of matrices. A
 * result of 8 bits is such a sum times a float, rounded. */
#include "ir/compute/nest_rules.h"

/* Operands of a sum, and where their zero points and scales lie, one for all or one for each column
 * (a filter, or a column of the second matrix) or row. */
typedef struct sums {
    uint32_t x_scale, x_zero, w_scale, w_zero;
    tn_affine of_x_scale, of_x_zero, of_w_scale, of_w_zero;
} sums;

enum { NONE = 1000 }; /* no operand */

static bool is_one(const tn_compute_value *v) {
    return v->rank == 0 || (v->rank == 1 && v->dims[0] == 1);
}

static bool are_bytes(const tn_compute *c, uint32_t x, uint32_t w) {
    return tn_compute_is_byte(tn_compute_operand(c, x)->dtype) &&
           tn_compute_is_byte(tn_compute_operand(c, w)->dtype);
}

/* One for all, or one for each place of `of`, of which there are n. */
static bool spread(const tn_compute *c, uint32_t operand, const tn_affine *of, int64_t n,
                   tn_affine *at) {
    const tn_compute_value *v = tn_compute_operand(c, operand);
    *at = (tn_affine){0};
    if (v == NULL || is_one(v)) {
        return true;
    }
    *at = *of;
    return v->rank == 1 && v->dims[0] == n;
}

/* The zero points go into the terms. */
static void take_zeros(const tn_compute *c, tn_nest *n, const sums *s) {
    tn_calc *body = n->stage[0].body;
    body->arg[0] = tn_quantum_less(c, body->arg[0], s->x_zero, &s->of_x_zero);
    body->arg[1] = tn_quantum_less(c, body->arg[1], s->w_zero, &s->of_w_zero);
}

/* The scale of the sums. */
static tn_calc *scale_of(const tn_compute *c, const sums *s) {
    return tn_calc_two(c, TN_CALC_MUL, tn_calc_load(c->arena, s->x_scale, &s->of_x_scale),
                       tn_calc_load(c->arena, s->w_scale, &s->of_w_scale));
}

/* The value is the sum times x_scale * w_scale / y_scale, rounded. */
static bool requantize(tn_compute *c, tn_nest *n, tn_calc *scale, uint32_t y_scale,
                       uint32_t y_zero) {
    static const tn_affine first = {0};
    const tn_compute_value *zero = tn_compute_operand(c, y_zero);
    if (!tn_compute_is_float(c, y_scale) || (zero != NULL && !is_one(zero)) ||
        !tn_compute_is_byte(c->results[0].dtype)) {
        return false;
    }
    tn_calc *sum = tn_calc_convert(c->arena, n->value, TN_DT_FLOAT);
    scale = tn_calc_two(c, TN_CALC_DIV, scale, tn_calc_load(c->arena, y_scale, &first));
    n->value = tn_quantum_round(c, tn_calc_two(c, TN_CALC_MUL, sum, scale), y_zero, &first);
    return true;
}

static bool are_floats(const tn_compute *c, const sums *s) {
    const tn_compute_value *x = tn_compute_operand(c, s->x_scale),
                           *w = tn_compute_operand(c, s->w_scale);
    return x != NULL && w != NULL && x->dtype == TN_DT_FLOAT && w->dtype == TN_DT_FLOAT;
}

/* ---- convolutions ---- */

static tn_nest *conv(tn_compute *c, uint32_t x, uint32_t w, sums *s, tn_affine *filter) {
    static const tn_affine first = {0};
    int64_t filters = c->results[0].rank > 1 ? c->results[0].dims[1] : 0;
    tn_nest *n = are_bytes(c, x, w) ? tn_compute_conv_of(c, x, w, filter) : NULL;
    if (n == NULL || !spread(c, s->x_zero, &first, 1, &s->of_x_zero) ||
        !spread(c, s->w_zero, filter, filters, &s->of_w_zero) ||
        !spread(c, s->x_scale, &first, 1, &s->of_x_scale) ||
        !spread(c, s->w_scale, filter, filters, &s->of_w_scale)) {
        return NULL;
    }
    take_zeros(c, n, s);
    return n;
}

bool tn_compute_conv_integer(tn_compute *c) {
    sums s = {NONE, 2, NONE, 3, {0}, {0}, {0}, {0}};
    tn_affine filter;
    return conv(c, 0, 1, &s, &filter) != NULL;
}

bool tn_compute_qlinear_conv(tn_compute *c) {
    sums s = {1, 2, 4, 5, {0}, {0}, {0}, {0}};
    const tn_compute_value *bias = tn_compute_operand(c, 8);
    tn_affine filter;
    if (tn_compute_int(c, "channels_last", 0) != 0 || !are_floats(c, &s) ||
        (bias != NULL && bias->dtype != TN_DT_INT32)) {
        return false;
    }
    tn_nest *n = conv(c, 0, 3, &s, &filter);
    if (n == NULL) {
        return false;
    }
    n->stage[0].start = bias != NULL ? tn_calc_load(c->arena, 8, &filter) : NULL;
    return requantize(c, n, scale_of(c, &s), 6, 7);
}

/* ---- products of matrices ---- */

/* One for all; for a row of the first matrix, or a column of the second; or as many axes as the
 * result has. */
static bool of_lines(const tn_compute *c, const tn_nest *n, uint32_t operand, bool rows,
                     tn_affine *at) {
    const tn_compute_value *v = tn_compute_operand(c, operand);
    uint32_t axis = n->n_outer - (rows ? 2 : 1), matrix = n->n_outer < 2 ? 0 : n->n_outer;
    *at = (tn_affine){0};
    if (v == NULL || is_one(v)) {
        return true;
    }
    if (matrix == 0 || v->rank > matrix ||
        (v->rank > 1 && v->dims[v->rank - (rows ? 1 : 2)] != 1)) {
        return false;
    }
    at->by[axis] = 1;
    return v->rank == 1 ? v->dims[0] == n->extent[axis] : tn_compute_broadcast(v, n, matrix, at);
}

static bool lines(tn_compute *c, const tn_nest *n, uint32_t a, uint32_t b, sums *s) {
    bool matrices = tn_compute_operand(c, a)->rank > 1 && tn_compute_operand(c, b)->rank > 1;
    const uint32_t all[] = {s->x_scale, s->x_zero, s->w_scale, s->w_zero};
    for (uint32_t i = 0; i < 4 && !matrices; i++) {
        const tn_compute_value *v = tn_compute_operand(c, all[i]);
        if (v != NULL && !is_one(v)) {
            return false;
        }
    }
    return of_lines(c, n, s->x_scale, true, &s->of_x_scale) &&
           of_lines(c, n, s->x_zero, true, &s->of_x_zero) &&
           of_lines(c, n, s->w_scale, false, &s->of_w_scale) &&
           of_lines(c, n, s->w_zero, false, &s->of_w_zero);
}

static tn_nest *product(tn_compute *c, uint32_t a, uint32_t b, sums *s) {
    tn_nest *n = are_bytes(c, a, b) ? tn_compute_matmul_of(c, a, b) : NULL;
    if (n == NULL || !lines(c, n, a, b, s)) {
        return NULL;
    }
    take_zeros(c, n, s);
    return n;
}

bool tn_compute_matmul_integer(tn_compute *c) {
    sums s = {NONE, 2, NONE, 3, {0}, {0}, {0}, {0}};
    return product(c, 0, 1, &s) != NULL;
}

bool tn_compute_qlinear_matmul(tn_compute *c) {
    sums s = {1, 2, 4, 5, {0}, {0}, {0}, {0}};
    tn_nest *n = are_floats(c, &s) ? product(c, 0, 3, &s) : NULL;
    return n != NULL && requantize(c, n, scale_of(c, &s), 6, 7);
}

/* One for each column, added. */
static bool add_bias(tn_compute *c, tn_nest *n, uint32_t operand) {
    const tn_compute_value *bias = tn_compute_operand(c, operand);
    tn_affine at;
    if (bias == NULL) {
        return true;
    }
    if (bias->dtype != TN_DT_FLOAT || bias->rank != 1 ||
        !tn_compute_broadcast(bias, n, n->n_outer, &at)) {
        return false;
    }
    n->value = tn_calc_two(c, TN_CALC_ADD, n->value, tn_calc_load(c->arena, operand, &at));
    return true;
}

bool tn_compute_matmul_to_float(tn_compute *c) {
    sums s = {2, 4, 3, 5, {0}, {0}, {0}, {0}};
    tn_nest *n = are_floats(c, &s) ? product(c, 0, 1, &s) : NULL;
    if (n == NULL) {
        return false;
    }
    n->value = tn_calc_two(c, TN_CALC_MUL, tn_calc_convert(c->arena, n->value, TN_DT_FLOAT),
                           scale_of(c, &s));
    return add_bias(c, n, 6);
}

bool tn_compute_qgemm(tn_compute *c) {
    sums s = {1, 2, 4, 5, {0}, {0}, {0}, {0}};
    const tn_compute_value *add = tn_compute_operand(c, 6);
    tn_affine third;
    tn_nest *n = are_floats(c, &s) && are_bytes(c, 0, 3) ? tn_compute_gemm_of(c, 0, 3) : NULL;
    if (n == NULL || !lines(c, n, 0, 3, &s) || s.of_x_scale.by[0] != 0) {
        return false;
    }
    take_zeros(c, n, &s);
    if (add != NULL) {
        if (add->dtype != TN_DT_INT32 || !tn_compute_broadcast(add, n, 2, &third)) {
            return false;
        }
        n->value = tn_calc_two(c, TN_CALC_ADD, n->value, tn_calc_load(c->arena, 6, &third));
    }
    tn_calc *alpha = tn_calc_number(c->arena, tn_compute_float(c, "alpha", 1));
    tn_calc *x = tn_calc_load(c->arena, s.x_scale, &s.of_x_scale);
    tn_calc *scale = tn_calc_two(c, TN_CALC_MUL, tn_calc_two(c, TN_CALC_MUL, alpha, x),
                                 tn_calc_load(c->arena, s.w_scale, &s.of_w_scale));
    if (tn_compute_operand(c, 7) != NULL) {
        return requantize(c, n, scale, 7, 8);
    }
    n->value = tn_calc_two(c, TN_CALC_MUL, tn_calc_convert(c->arena, n->value, TN_DT_FLOAT), scale);
    return true;
}

/* ---- scales found on the way ---- */

/* Stages `at` and `at` + 1: the least and the largest element of operand 0, and 0. */
static void find_ends(tn_compute *c, tn_nest *n, uint32_t at) {
    const tn_compute_value *x = tn_compute_operand(c, 0);
    int64_t elements = 1;
    for (uint32_t i = 0; i < x->rank; i++) {
        elements *= x->dims[i];
    }
    for (uint32_t i = 0; i < 2; i++) {
        tn_affine all = {0};
        tn_nest_stage *s = &n->stage[at + i];
        s->combine = i == 0 ? TN_COMBINE_MIN : TN_COMBINE_MAX;
        s->first = tn_nest_axis(n, elements);
        s->n = 1;
        all.by[s->first] = 1;
        s->start = tn_calc_number(c->arena, 0);
        s->body = tn_calc_load(c->arena, 0, &all);
    }
    n->n_stages += 2;
}

/* A step of 255 from end to end; 1 where all is 0. */
static tn_calc *found_scale(const tn_compute *c, uint32_t at) {
    tn_arena *arena = c->arena;
    tn_calc *span =
        tn_calc_two(c, TN_CALC_SUB, tn_calc_local(arena, at + 1), tn_calc_local(arena, at));
    tn_calc *none =
        tn_calc_two(c, TN_CALC_EQUAL, tn_calc_local(arena, at), tn_calc_local(arena, at + 1));
    return tn_calc_make(arena, TN_CALC_SELECT, none, tn_calc_number(arena, 1),
                        tn_calc_two(c, TN_CALC_DIV, span, tn_calc_number(arena, 255)));
}

/* As a float. */
static tn_calc *found_zero(const tn_compute *c, uint32_t at) {
    tn_calc *low = tn_calc_make(c->arena, TN_CALC_NEG, tn_calc_local(c->arena, at), NULL, NULL);
    tn_calc *zero = tn_calc_make(c->arena, TN_CALC_ROUND,
                                 tn_calc_two(c, TN_CALC_DIV, low, found_scale(c, at)), NULL, NULL);
    return tn_calc_two(c, TN_CALC_MIN, zero, tn_calc_number(c->arena, 255));
}

static tn_calc *found_round(const tn_compute *c, tn_calc *x, uint32_t at) {
    tn_calc *q = tn_calc_make(c->arena, TN_CALC_ROUND,
                              tn_calc_two(c, TN_CALC_DIV, x, found_scale(c, at)), NULL, NULL);
    return tn_calc_saturate(c->arena, tn_calc_two(c, TN_CALC_ADD, q, found_zero(c, at)),
                            TN_DT_UINT8);
}

bool tn_compute_dynamic_quantize(tn_compute *c) {
    if (tn_compute_operand(c, 0)->dtype != TN_DT_FLOAT) {
        return false;
    }
    for (uint32_t i = 0; i < c->n_results; i++) {
        if (!c->results[i].there) {
            continue;
        }
        tn_nest *n = tn_compute_over(c, i);
        if (n == NULL) {
            return false;
        }
        find_ends(c, n, 0);
        n->value = i == 0   ? found_round(c, tn_calc_load(c->arena, 0, &n->store), 0)
                   : i == 1 ? found_scale(c, 0)
                            : tn_calc_saturate(c->arena, found_zero(c, 0), TN_DT_UINT8);
    }
    return c->nests.len > 0;
}

bool tn_compute_dynamic_matmul(tn_compute *c) {
    sums s = {NONE, NONE, 2, 3, {0}, {0}, {0}, {0}};
    const tn_compute_value *scale = tn_compute_operand(c, 2);
    tn_nest *n = tn_compute_is_byte(tn_compute_operand(c, 1)->dtype) && scale != NULL &&
                         scale->dtype == TN_DT_FLOAT &&
                         tn_compute_operand(c, 0)->dtype == TN_DT_FLOAT
                     ? tn_compute_matmul_of(c, 0, 1)
                     : NULL;
    if (n == NULL || !lines(c, n, 0, 1, &s)) {
        return false;
    }
    /* The ends come first. */
    n->stage[2] = n->stage[0];
    n->n_stages = 1;
    n->stage[0] = (tn_nest_stage){0};
    find_ends(c, n, 0);
    tn_calc *body = n->stage[2].body;
    tn_calc *zero = tn_calc_make(c->arena, TN_CALC_WHOLE, found_zero(c, 0), NULL, NULL);
    zero->type = TN_DT_INT32;
    body->arg[0] = tn_calc_two(c, TN_CALC_SUB, found_round(c, body->arg[0], 0), zero);
    body->arg[1] = tn_quantum_less(c, body->arg[1], 3, &s.of_w_zero);
    tn_calc *by =
        tn_calc_two(c, TN_CALC_MUL, found_scale(c, 0), tn_calc_load(c->arena, 2, &s.of_w_scale));
    n->value = tn_calc_two(c, TN_CALC_MUL,
                           tn_calc_convert(c->arena, tn_calc_local(c->arena, 2), TN_DT_FLOAT), by);
    return add_bias(c, n, 4);
}
