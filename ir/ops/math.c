/* Element-wise arithmetic: result types by broadcasting, and known elements. */
#include <math.h>

#include "ir/base/xmath.h"
#include "ir/infer/common.h"
#include "ir/infer/fold.h"
#include "ir/ops/op_rules.h"

/* ---- one operand ---- */

static tn_dim keep(tn_infer *in, tn_dim a) {
    (void)in;
    return a;
}

static tn_dim dim_neg(tn_infer *in, tn_dim a) {
    return tn_dim_sub(in->dims, tn_in_const(in, 0), a);
}

static tn_dim dim_abs(tn_infer *in, tn_dim a) {
    tn_dim zero = tn_in_const(in, 0);
    if (tn_dim_provably_ge(in->dims, a, zero)) {
        return a;
    }
    return tn_dim_provably_ge(in->dims, zero, a) ? dim_neg(in, a) : TN_DIM_UNKNOWN;
}

static tn_dim dim_sign(tn_infer *in, tn_dim a) {
    tn_dim zero = tn_in_const(in, 0), one = tn_in_const(in, 1);
    if (a == zero) {
        return zero;
    }
    if (tn_dim_provably_ge(in->dims, a, one)) {
        return one;
    }
    tn_dim minus = tn_in_const(in, -1);
    return tn_dim_provably_ge(in->dims, minus, a) ? minus : TN_DIM_UNKNOWN;
}

static double float_neg(double a) {
    return -a;
}

static double float_sign(double a) {
    return (double)((a > 0) - (a < 0));
}

static tn_dim dim_relu(tn_infer *in, tn_dim a) {
    return tn_dim_max(in->dims, a, tn_in_const(in, 0));
}

static double float_relu(double a) {
    return a > 0 ? a : 0;
}

static double float_reciprocal(double a) {
    return 1 / a;
}

#define UNARY(name, on_dims, on_floats)                                                            \
    void tn_shape_##name(tn_infer *in) {                                                           \
        tn_out_type(in, 0, tn_in_type(in, 0));                                                     \
        tn_fold_unary(in, &(tn_fold1){on_dims, on_floats});                                        \
    }
UNARY(abs, dim_abs, fabs)
UNARY(neg, dim_neg, float_neg)
UNARY(sign, dim_sign, float_sign)
UNARY(floor, keep, floor)
UNARY(ceil, keep, ceil)
UNARY(round, keep, rint) /* half to even, the default rounding mode */
UNARY(sqrt, NULL, sqrt)
UNARY(reciprocal, NULL, float_reciprocal)
UNARY(relu, dim_relu, float_relu)

/* ---- two and more operands ---- */

static tn_dim dim_add(tn_infer *in, tn_dim a, tn_dim b) {
    return tn_dim_add(in->dims, a, b);
}

static tn_dim dim_sub(tn_infer *in, tn_dim a, tn_dim b) {
    return tn_dim_sub(in->dims, a, b);
}

static tn_dim dim_mul(tn_infer *in, tn_dim a, tn_dim b) {
    return tn_dim_mul(in->dims, a, b);
}

/* Integers truncate towards zero, which is the floor only where no operand is negative; whole
 * floats stay whole only when the division is exact. */
static tn_dim dim_div(tn_infer *in, tn_dim a, tn_dim b) {
    int64_t x, y;
    bool whole = !tn_dtype_is_int(tn_in_dtype(in, 0));
    if (tn_dim_is_const(in->dims, a, &x) && tn_dim_is_const(in->dims, b, &y)) {
        bool fine = y != 0 && !(x == INT64_MIN && y == -1) && (!whole || x % y == 0);
        return fine ? tn_in_const(in, x / y) : TN_DIM_UNKNOWN;
    }
    tn_dim q = tn_dim_floordiv(in->dims, a, b);
    if (whole) {
        return q != TN_DIM_UNKNOWN && tn_dim_mul(in->dims, q, b) == a ? q : TN_DIM_UNKNOWN;
    }
    tn_dim zero = tn_in_const(in, 0);
    bool positive = tn_dim_provably_ge(in->dims, a, zero) && tn_dim_provably_ge(in->dims, b, zero);
    return positive || tn_dim_mul(in->dims, q, b) == a ? q : TN_DIM_UNKNOWN;
}

static double float_add(double a, double b) {
    return a + b;
}

static double float_sub(double a, double b) {
    return a - b;
}

static double float_mul(double a, double b) {
    return a * b;
}

static double float_div(double a, double b) {
    return a / b;
}

/* The sign of the result is the divisor's, or with attribute fmod the dividend's. */
static tn_dim dim_mod(tn_infer *in, tn_dim a, tn_dim b) {
    int64_t x, y;
    tn_dim zero = tn_in_const(in, 0);
    bool truncating = tn_attr_int(in->op, "fmod", 0) != 0;
    if (tn_dim_is_const(in->dims, a, &x) && tn_dim_is_const(in->dims, b, &y)) {
        if (y == 0 || (x == INT64_MIN && y == -1)) {
            return TN_DIM_UNKNOWN;
        }
        return truncating ? tn_in_const(in, x % y) : tn_dim_mod(in->dims, a, b);
    }
    bool positive = tn_dim_provably_ge(in->dims, a, zero) && tn_dim_provably_ge(in->dims, b, zero);
    return positive || !truncating ? tn_dim_mod(in->dims, a, b) : TN_DIM_UNKNOWN;
}

/* Powers a shape computation can meet: small whole exponents. */
static tn_dim dim_pow(tn_infer *in, tn_dim a, tn_dim b) {
    int64_t exponent;
    if (!tn_dim_is_const(in->dims, b, &exponent) || exponent < 0 || exponent > 64) {
        return TN_DIM_UNKNOWN;
    }
    tn_dim power = tn_in_const(in, 1);
    for (int64_t i = 0; i < exponent; i++) {
        power = tn_dim_mul(in->dims, power, a);
    }
    return power;
}

static tn_dim dim_min(tn_infer *in, tn_dim a, tn_dim b) {
    return tn_dim_min(in->dims, a, b);
}

static tn_dim dim_max(tn_infer *in, tn_dim a, tn_dim b) {
    return tn_dim_max(in->dims, a, b);
}

/* Before opset 7 the second operand is stretched to the first, aligned at attribute `axis`. */
static tn_dim *joint_shape(tn_infer *in, uint32_t *rank) {
    if (tn_before(in, 7) && tn_op_attr(in->op, "broadcast") != NULL) {
        return tn_in_dims(in, 0, 0, rank);
    }
    return tn_broadcast_operands(in, 0, in->op->n_operands, rank);
}

static void arith(tn_infer *in, const tn_fold2 *f) {
    uint32_t rank;
    tn_dtype dtype = tn_in_dtype_any(in, 0, in->op->n_operands);
    tn_dim *dims = joint_shape(in, &rank);
    if (dims == NULL) {
        if (!in->failed) {
            tn_out_unranked(in, 0, dtype);
        }
        return;
    }
    tn_out(in, 0, dtype, rank, dims);
    if (f != NULL && tn_op_attr(in->op, "axis") == NULL) {
        tn_fold_nary(in, f, rank, dims);
    }
}

#define NARY(name, on_dims, on_floats)                                                             \
    void tn_shape_##name(tn_infer *in) {                                                           \
        arith(in, &(tn_fold2){on_dims, on_floats});                                                \
    }
NARY(add, dim_add, float_add)
NARY(sub, dim_sub, float_sub)
NARY(mul, dim_mul, float_mul)
NARY(div, dim_div, float_div)
NARY(mod, dim_mod, fmod)
NARY(min, dim_min, fmin)
NARY(max, dim_max, fmax)

void tn_shape_broadcast(tn_infer *in) {
    arith(in, NULL);
}

/* The exponent may have another element type than the base, which decides the result's. */
void tn_shape_pow(tn_infer *in) {
    uint32_t rank;
    tn_dim *dims = joint_shape(in, &rank);
    if (dims != NULL) {
        tn_out(in, 0, tn_in_dtype(in, 0), rank, dims);
        tn_fold_nary(in, &(tn_fold2){dim_pow, pow}, rank, dims);
    } else if (!in->failed) {
        tn_out_unranked(in, 0, tn_in_dtype(in, 0));
    }
}

/* Bounds are attributes before opset 11; known elements are followed only with bounds as operands,
 * the form integers have. */
void tn_shape_clip(tn_infer *in) {
    tn_elems x, bound;
    tn_dtype dtype = tn_in_dtype(in, 0);
    tn_out_type(in, 0, tn_in_type(in, 0));
    if (!tn_dtype_is_int(dtype) || !tn_in_elems(in, 0, &x) || x.dims == NULL || tn_before(in, 11)) {
        return;
    }
    tn_dim *dims = tn_arena_regrow(in->scratch, x.dims, x.n, x.n + 1u, sizeof *dims);
    for (uint32_t k = 1; k <= 2; k++) {
        if (!tn_in_has(in, k)) {
            continue;
        }
        if (!tn_in_elems(in, k, &bound) || bound.n != 1 || bound.dims == NULL) {
            return;
        }
        for (uint32_t i = 0; i < x.n; i++) {
            dims[i] = k == 1 ? tn_dim_max(in->dims, dims[i], bound.dims[0])
                             : tn_dim_min(in->dims, dims[i], bound.dims[0]);
        }
    }
    tn_fold_store(in, dtype, &(tn_elems){.n = x.n, .dims = dims});
}

/* One determinant for each matrix. */
void tn_shape_det(tn_infer *in) {
    uint32_t rank;
    if (!tn_in_rank(in, 0, &rank) || rank < 2) {
        tn_out_unranked(in, 0, tn_in_dtype(in, 0));
        return;
    }
    tn_out(in, 0, tn_in_dtype(in, 0), rank - 2, tn_in_type(in, 0)->dims);
}
