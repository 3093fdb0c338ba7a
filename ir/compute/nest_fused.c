/* Products and normalisations with what an optimiser has put into them. */
#include <math.h>
#include <string.h>

#include "ir/compute/nest_over.h"

static bool activate(tn_compute *c, const double *parameters) {
    const char *op = tn_compute_text(c, "activation");
    tn_nest *n = &c->nests.data[0];
    n->value = op[0] == '\0' ? n->value : tn_compute_formula_of(c, op, n->value, parameters);
    return n->value != NULL;
}

bool tn_compute_fused_conv(tn_compute *c) {
    const tn_compute_value *z = tn_compute_operand(c, 3), *y = &c->results[0];
    const tn_attr *stated = tn_compute_attr(c, "activation_params");
    double parameters[TN_COMPUTE_PARAMETERS] = {NAN, NAN};
    uint32_t n = stated != NULL && stated->kind == TN_ATTR_FLOATS ? stated->n : 0;
    if (n > TN_COMPUTE_PARAMETERS || !tn_compute_conv(c)) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        parameters[i] = stated->u.floats[i];
    }
    tn_nest *nest = &c->nests.data[0];
    if (z != NULL) {
        if (z->rank != y->rank || memcmp(z->dims, y->dims, y->rank * sizeof y->dims[0]) != 0) {
            return false;
        }
        nest->value =
            tn_calc_two(c, TN_CALC_ADD, nest->value, tn_calc_load(c->arena, 3, &nest->store));
    }
    return activate(c, parameters);
}

bool tn_compute_fused_gemm(tn_compute *c) {
    const double parameters[TN_COMPUTE_PARAMETERS] = {tn_compute_float(c, "activation_alpha", NAN),
                                                      tn_compute_float(c, "activation_beta", NAN)};
    return tn_compute_gemm(c) && activate(c, parameters);
}

bool tn_compute_fast_gelu(tn_compute *c) {
    return tn_compute_of(c, tn_compute_operand(c, 1) == NULL
                                ? "0.5 * X * (1 + tanh(0.7978845608028654 * "
                                  "(X + 0.044715 * X * X * X)))"
                                : "0.5 * (X + bias) * (1 + tanh(0.7978845608028654 * ((X + bias) + "
                                  "0.044715 * (X + bias) * (X + bias) * (X + bias))))");
}

/* ---- rows of input + skip + bias ---- */

/* What is normalised: the operands' element at `at`, along a row by nest axis `inner`. The skip may
 * have fewer axes, or one of them, which are those of the batch. */
static tn_calc *skip_sum(tn_compute *c, const tn_rows *r, const tn_affine *at, uint32_t inner,
                         uint32_t bias) {
    const tn_compute_value *skip = tn_compute_operand(c, 1);
    tn_affine beside = *at, along = {0};
    along.by[inner] = 1;
    for (uint32_t i = 0; i + 1 < r->rank; i++) {
        if (i + skip->rank < r->rank || skip->dims[i + skip->rank - r->rank] != r->dims[i]) {
            beside.by[r->axis[i]] = 0;
        }
    }
    tn_calc *sum = tn_calc_two(c, TN_CALC_ADD, tn_calc_load(c->arena, 0, at),
                               tn_calc_load(c->arena, 1, &beside));
    return tn_compute_operand(c, bias) == NULL
               ? sum
               : tn_calc_two(c, TN_CALC_ADD, sum, tn_calc_load(c->arena, bias, &along));
}

/* The skip is repeated over the first axes alone, and all the rest are as long as a row. */
static bool skip_fits(const tn_compute *c) {
    const tn_compute_value *x = tn_compute_operand(c, 0), *skip = tn_compute_operand(c, 1);
    bool repeated = true;
    if (skip == NULL || x->rank < 2 || skip->rank < 2 || skip->rank > x->rank) {
        return false;
    }
    for (uint32_t i = 0; i < skip->rank; i++) {
        int64_t extent = x->dims[x->rank - skip->rank + i];
        repeated = repeated && skip->dims[i] == 1;
        if (skip->dims[i] != extent && !repeated) {
            return false;
        }
    }
    for (uint32_t i = 2; i < c->n_operands; i++) {
        const tn_compute_value *v = tn_compute_operand(c, i);
        if (v != NULL && (v->rank != 1 || v->dims[0] != x->dims[x->rank - 1])) {
            return false;
        }
    }
    return skip->dims[skip->rank - 1] == x->dims[x->rank - 1];
}

/* A stage's body is the sum, less the mean where `centred`. */
static tn_nest_stage *sum_stage(tn_compute *c, tn_rows *r, uint32_t bias, bool centred) {
    tn_affine at;
    tn_nest_stage *s = tn_rows_stage(c, r, TN_COMBINE_SUM, &at);
    s->body = skip_sum(c, r, &at, s->first, bias);
    s->body = centred ? tn_calc_two(c, TN_CALC_SUB, s->body, tn_rows_mean(c, r, 0)) : s->body;
    return s;
}

static bool skip_norm(tn_compute *c, bool centred, uint32_t beta, uint32_t bias) {
    tn_rows r;
    bool statistics =
        (c->n_results > 1 && c->results[1].there) || (c->n_results > 2 && c->results[2].there);
    if (statistics || !skip_fits(c) || tn_compute_operand(c, 2) == NULL) {
        return false;
    }
    uint32_t last = c->operands[0].rank - 1;
    tn_rows_of(c, &r, 1u << last);
    if (c->n_results > 3 && c->results[3].there) { /* before the result, which may lie over it */
        if (!tn_rows_begin(c, &r, 3, 0, true)) {
            return false;
        }
        r.n->value = skip_sum(c, &r, &r.element, r.axis[last], bias);
    }
    if (!tn_rows_begin(c, &r, 0, 2, true)) {
        return false;
    }
    if (centred) {
        sum_stage(c, &r, bias, false);
    }
    tn_nest_stage *squares = sum_stage(c, &r, bias, centred);
    squares->body = tn_calc_two(c, TN_CALC_MUL, squares->body, squares->body);
    tn_calc *x = skip_sum(c, &r, &r.element, r.axis[last], bias);
    x = centred ? tn_calc_two(c, TN_CALC_SUB, x, tn_rows_mean(c, &r, 0)) : x;
    x = tn_calc_two(c, TN_CALC_DIV, x,
                    tn_rows_deviation(c, &r, centred, tn_compute_float(c, "epsilon", 1e-12)));
    tn_affine along = {0};
    along.by[r.axis[last]] = 1;
    x = tn_calc_two(c, TN_CALC_MUL, x, tn_calc_load(c->arena, 2, &along));
    bool shifted = centred && tn_compute_operand(c, beta) != NULL;
    r.n->value = shifted ? tn_calc_two(c, TN_CALC_ADD, x, tn_calc_load(c->arena, beta, &along)) : x;
    return true;
}

bool tn_compute_skip_layer_norm(tn_compute *c) {
    return skip_norm(c, true, 3, 4);
}

bool tn_compute_skip_rms_norm(tn_compute *c) {
    return skip_norm(c, false, 0, 3);
}
