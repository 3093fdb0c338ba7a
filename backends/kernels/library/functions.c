/* Mathematical functions of one element. */
#include "each.h"

/* A function of floats by the name of the C library, or by an expression of x. */
#define FLOAT(name, expression)                                                                    \
    static float name(float x, const float *p) {                                                   \
        (void)p;                                                                                   \
        return expression;                                                                         \
    }                                                                                              \
    static int any_##name(const tenure_tensor *x, const tenure_tensor *y) {                        \
        return each_float(name, NULL, x, y);                                                       \
    }
/* The same, and one of integers. */
#define NUMBER(name, expression, of_whole)                                                         \
    static float name(float x, const float *p) {                                                   \
        (void)p;                                                                                   \
        return expression;                                                                         \
    }                                                                                              \
    static int64_t whole_##name(int64_t x, const float *p) {                                       \
        (void)p;                                                                                   \
        return of_whole;                                                                           \
    }                                                                                              \
    static int any_##name(const tenure_tensor *x, const tenure_tensor *y) {                        \
        return each_number(name, whole_##name, NULL, x, y);                                        \
    }

NUMBER(magnitude, fabsf(x), x < 0 ? (int64_t)(0 - (uint64_t)x) : x)
KERNEL_UNARY_1(Abs, any_magnitude)
KERNEL_UNARY(Abs, 6, any_magnitude)
KERNEL_UNARY(Abs, 13, any_magnitude)

NUMBER(negative, -x, (int64_t)(0 - (uint64_t)x))
KERNEL_UNARY_1(Neg, any_negative)
KERNEL_UNARY(Neg, 6, any_negative)
KERNEL_UNARY(Neg, 13, any_negative)

NUMBER(sign, (float)((x > 0) - (x < 0)), (x > 0) - (x < 0))
KERNEL_UNARY(Sign, 9, any_sign)
KERNEL_UNARY(Sign, 13, any_sign)

FLOAT(reciprocal, 1 / x)
KERNEL_UNARY_1(Reciprocal, any_reciprocal)
KERNEL_UNARY(Reciprocal, 6, any_reciprocal)
KERNEL_UNARY(Reciprocal, 13, any_reciprocal)

FLOAT(down, floorf(x))
KERNEL_UNARY_1(Floor, any_down)
KERNEL_UNARY(Floor, 6, any_down)
KERNEL_UNARY(Floor, 13, any_down)

FLOAT(up, ceilf(x))
KERNEL_UNARY_1(Ceil, any_up)
KERNEL_UNARY(Ceil, 6, any_up)
KERNEL_UNARY(Ceil, 13, any_up)

FLOAT(half_to_even, nearbyintf(x)) /* in the rounding mode that programs begin with */
KERNEL_UNARY(Round, 11, any_half_to_even)
KERNEL_UNARY(Round, 22, any_half_to_even)

FLOAT(exponential, expf(x))
KERNEL_UNARY_1(Exp, any_exponential)
KERNEL_UNARY(Exp, 6, any_exponential)
KERNEL_UNARY(Exp, 13, any_exponential)

FLOAT(logarithm, logf(x))
KERNEL_UNARY_1(Log, any_logarithm)
KERNEL_UNARY(Log, 6, any_logarithm)
KERNEL_UNARY(Log, 13, any_logarithm)

FLOAT(root, sqrtf(x))
KERNEL_UNARY_1(Sqrt, any_root)
KERNEL_UNARY(Sqrt, 6, any_root)
KERNEL_UNARY(Sqrt, 13, any_root)

FLOAT(error_function, erff(x))
KERNEL_UNARY(Erf, 9, any_error_function)
KERNEL_UNARY(Erf, 13, any_error_function)

FLOAT(sine, sinf(x))
KERNEL_UNARY(Sin, 7, any_sine)
KERNEL_UNARY(Sin, 22, any_sine)
FLOAT(cosine, cosf(x))
KERNEL_UNARY(Cos, 7, any_cosine)
KERNEL_UNARY(Cos, 22, any_cosine)
FLOAT(tangent, tanf(x))
KERNEL_UNARY(Tan, 7, any_tangent)
KERNEL_UNARY(Tan, 22, any_tangent)
FLOAT(arc_sine, asinf(x))
KERNEL_UNARY(Asin, 7, any_arc_sine)
KERNEL_UNARY(Asin, 22, any_arc_sine)
FLOAT(arc_cosine, acosf(x))
KERNEL_UNARY(Acos, 7, any_arc_cosine)
KERNEL_UNARY(Acos, 22, any_arc_cosine)
FLOAT(arc_tangent, atanf(x))
KERNEL_UNARY(Atan, 7, any_arc_tangent)
KERNEL_UNARY(Atan, 22, any_arc_tangent)
FLOAT(hyperbolic_sine, sinhf(x))
KERNEL_UNARY(Sinh, 9, any_hyperbolic_sine)
KERNEL_UNARY(Sinh, 22, any_hyperbolic_sine)
FLOAT(hyperbolic_cosine, coshf(x))
KERNEL_UNARY(Cosh, 9, any_hyperbolic_cosine)
KERNEL_UNARY(Cosh, 22, any_hyperbolic_cosine)
FLOAT(area_sine, asinhf(x))
KERNEL_UNARY(Asinh, 9, any_area_sine)
KERNEL_UNARY(Asinh, 22, any_area_sine)
FLOAT(area_cosine, acoshf(x))
KERNEL_UNARY(Acosh, 9, any_area_cosine)
KERNEL_UNARY(Acosh, 22, any_area_cosine)
FLOAT(area_tangent, atanhf(x))
KERNEL_UNARY(Atanh, 9, any_area_tangent)
KERNEL_UNARY(Atanh, 22, any_area_tangent)

static int64_t is_zero(int64_t x, const float *p) {
    (void)p;
    return x == 0;
}

static int logical_not(const tenure_tensor *x, const tenure_tensor *y) {
    return each_number(NULL, is_zero, NULL, x, y);
}
KERNEL_UNARY(Not, 1, logical_not)

static int64_t complement(int64_t x, const float *p) {
    (void)p;
    return ~x;
}

static int bitwise_not(const tenure_tensor *x, const tenure_tensor *y) {
    return each_number(NULL, complement, NULL, x, y);
}
KERNEL_UNARY(BitwiseNot, 18, bitwise_not)

static int is_nan(const tenure_tensor *x, const tenure_tensor *y) {
    if (x->dtype != TENURE_DTYPE_F32) {
        return BAD_TYPE(KNOWS_F32, x);
    }
    for (size_t i = 0; i < y->elements; i++) {
        float v = IN(x, float)[i];
        OUT(y, uint8_t)[i] = v != v ? 1 : 0;
    }
    return 0;
}
KERNEL_UNARY(IsNaN, 9, is_nan)
KERNEL_UNARY(IsNaN, 13, is_nan)
KERNEL_UNARY(IsNaN, 20, is_nan)

static int is_inf(const tenure_tensor *x, const tenure_tensor *y, int64_t negative_too,
                  int64_t positive_too) {
    if (x->dtype != TENURE_DTYPE_F32) {
        return BAD_TYPE(KNOWS_F32, x);
    }
    for (size_t i = 0; i < y->elements; i++) {
        float v = IN(x, float)[i];
        int counts = (v < 0 ? negative_too : positive_too) != 0;
        OUT(y, uint8_t)[i] = counts && isinf(v) ? 1 : 0;
    }
    return 0;
}

int tenure_IsInf_10(const tenure_IsInf_10_attributes *attributes, const tenure_tensor *x,
                    const tenure_tensor *y, const tenure_context *c) {
    (void)c;
    return is_inf(x, y, attributes->detect_negative, attributes->detect_positive);
}

int tenure_IsInf_20(const tenure_IsInf_20_attributes *attributes, const tenure_tensor *x,
                    const tenure_tensor *y, const tenure_context *c) {
    (void)c;
    return is_inf(x, y, attributes->detect_negative, attributes->detect_positive);
}
