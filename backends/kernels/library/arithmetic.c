/* Functions of two and of many operands that are broadcast against each other. Integers wrap. */
#include "each.h"

#define FLOATS(name, expression)                                                                   \
    static float name(float a, float b) {                                                          \
        return expression;                                                                         \
    }
#define WHOLES(name, expression)                                                                   \
    static int64_t whole_##name(int64_t a, int64_t b) {                                            \
        return expression;                                                                         \
    }
#define WRAPPED(a, sign, b) (int64_t)((uint64_t)(a)sign(uint64_t)(b))

FLOATS(add, a + b)
WHOLES(add, WRAPPED(a, +, b))
FLOATS(subtract, a - b)
WHOLES(subtract, WRAPPED(a, -, b))
FLOATS(multiply, a *b)
WHOLES(multiply, WRAPPED(a, *, b))
FLOATS(divide, a / b)
/* Nobody has said what a division by 0 gives: 0. */
WHOLES(divide, b == 0 ? 0 : b == -1 ? WRAPPED(0, -, a) : a / b)
FLOATS(least, isnan(a) || a < b ? a : b)
WHOLES(least, a < b ? a : b)
FLOATS(greatest, isnan(a) || a > b ? a : b)
WHOLES(greatest, a > b ? a : b)

#define ARITHMETIC(op, f)                                                                          \
    static int any_##f(const tenure_tensor *a, const tenure_tensor *b, const tenure_tensor *y) {   \
        return each_pair(f, whole_##f, a, b, y);                                                   \
    }                                                                                              \
    OLD_PAIR(op, 1, any_##f)                                                                       \
    OLD_PAIR(op, 6, any_##f)                                                                       \
    KERNEL_BINARY(op, 7, any_##f)                                                                  \
    KERNEL_BINARY(op, 13, any_##f)                                                                 \
    KERNEL_BINARY(op, 14, any_##f)

ARITHMETIC(Add, add)
ARITHMETIC(Sub, subtract)
ARITHMETIC(Mul, multiply)
ARITHMETIC(Div, divide)

/* ---- Pow: base and exponent may be of different types ---- */

static int64_t whole_power(int64_t a, int64_t b) {
    uint64_t r = 1, base = (uint64_t)a;
    if (b < 0) {
        return a == 1 ? 1 : a == -1 ? (b % 2 == 0 ? 1 : -1) : 0;
    }
    for (; b > 0; b /= 2, base *= base) {
        r *= b % 2 != 0 ? base : 1;
    }
    return (int64_t)r;
}

static int power(const tenure_tensor *a, const tenure_tensor *b, const tenure_tensor *y) {
    if ((a->dtype != TENURE_DTYPE_F32 && !is_whole(a)) ||
        (b->dtype != TENURE_DTYPE_F32 && !is_whole(b))) {
        return BAD_TYPE2(KNOWS_NUMBERS, a, b);
    }
    if (check_broadcast(a, y) != 0 || check_broadcast(b, y) != 0) {
        return KERNEL_BAD_SHAPE;
    }
    for (size_t i = 0; i < y->elements; i++) {
        size_t at_a = broadcast_index(a, y, i), at_b = broadcast_index(b, y, i);
        if (y->dtype == TENURE_DTYPE_F32) {
            OUT(y, float)[i] = powf(float_at(a, at_a), float_at(b, at_b));
        } else if (is_whole(b)) {
            put_whole(y, i, whole_power(whole_at(a, at_a), whole_at(b, at_b)));
        } else {
            put_whole(y, i, (int64_t)powf(float_at(a, at_a), float_at(b, at_b)));
        }
    }
    return 0;
}
OLD_PAIR(Pow, 1, power)
KERNEL_BINARY(Pow, 7, power)
KERNEL_BINARY(Pow, 12, power)
KERNEL_BINARY(Pow, 13, power)
KERNEL_BINARY(Pow, 15, power)

/* ---- Mod: the sign of the divisor, or with fmod that of the dividend ---- */

FLOATS(remainder_of, fmodf(a, b))
WHOLES(remainder_of, b == 0 || b == -1 ? 0 : a % b)
FLOATS(modulus, fmodf(a, b) != 0 && (fmodf(a, b) < 0) != (b < 0) ? fmodf(a, b) + b : fmodf(a, b))
WHOLES(modulus, b == 0 || b == -1 ? 0 : a % b != 0 && (a % b < 0) != (b < 0) ? a % b + b : a % b)

#define MOD(version)                                                                               \
    int tenure_Mod_##version(const tenure_Mod_##version##_attributes *attributes,                  \
                             const tenure_tensor *a, const tenure_tensor *b,                       \
                             const tenure_tensor *y, const tenure_context *c) {                    \
        (void)c;                                                                                   \
        return attributes->fmod != 0 ? each_pair(remainder_of, whole_remainder_of, a, b, y)        \
                                     : each_pair(modulus, whole_modulus, a, b, y);                 \
    }
MOD(10)
MOD(13)
MOD(28)

/* ---- PRelu ---- */

FLOATS(sloped, a < 0 ? b * a : a)
WHOLES(sloped, a < 0 ? WRAPPED(a, *, b) : a)

static int prelu(const tenure_tensor *x, const tenure_tensor *slope, const tenure_tensor *y) {
    return each_pair(sloped, whole_sloped, x, slope, y);
}

/* Up to version 6 a slope of one axis is one for each channel. */
static int old_prelu(const tenure_tensor *x, const tenure_tensor *slope, const tenure_tensor *y) {
    tenure_dim dims[MAX_RANK];
    tenure_tensor wide;
    int bad = old_broadcast(slope, y, 1, slope->rank == 1 && y->rank > 1, dims, &wide);
    return bad ? bad : prelu(x, &wide, y);
}

int tenure_PRelu_1(const tenure_PRelu_1_attributes *attributes, const tenure_tensor *x,
                   const tenure_tensor *slope, const tenure_tensor *y, const tenure_context *c) {
    (void)attributes;
    (void)c;
    return old_prelu(x, slope, y);
}
KERNEL_BINARY(PRelu, 6, old_prelu)
KERNEL_BINARY(PRelu, 7, prelu)
KERNEL_BINARY(PRelu, 9, prelu)
KERNEL_BINARY(PRelu, 16, prelu)

/* ---- any number of operands ---- */

#define MANY(op, version, f, g, mean)                                                              \
    int tenure_##op##_##version(const tenure_tensor *const *in, uint32_t n,                        \
                                const tenure_tensor *y, const tenure_context *c) {                 \
        (void)c;                                                                                   \
        return each_of_many(f, g, mean, in, n, y);                                                 \
    }
#define MANY_OF_ALL(op, f, g, mean)                                                                \
    int tenure_##op##_1(const tenure_##op##_1_attributes *attributes,                              \
                        const tenure_tensor *const *in, uint32_t n, const tenure_tensor *y,        \
                        const tenure_context *c) {                                                 \
        (void)attributes;                                                                          \
        (void)c;                                                                                   \
        return each_of_many(f, g, mean, in, n, y);                                                 \
    }                                                                                              \
    MANY(op, 6, f, g, mean)                                                                        \
    MANY(op, 8, f, g, mean)                                                                        \
    MANY(op, 13, f, g, mean)

MANY_OF_ALL(Sum, add, NULL, 0)
MANY_OF_ALL(Mean, add, NULL, 1)
MANY_OF_ALL(Max, greatest, whole_greatest, 0)
MANY(Max, 12, greatest, whole_greatest, 0)
MANY_OF_ALL(Min, least, whole_least, 0)
MANY(Min, 12, least, whole_least, 0)

/* ---- Clip ---- */

static int64_t whole_bound(const tenure_tensor *t, int64_t none) {
    return t != NULL ? whole_at(t, 0) : none;
}

static int clip(const tenure_tensor *x, const tenure_tensor *y, float low, float high) {
    if (x->dtype != TENURE_DTYPE_F32) {
        return BAD_TYPE(KNOWS_F32, x);
    }
    for (size_t i = 0; i < y->elements; i++) {
        float v = IN(x, float)[beside(x, y, i)];
        v = v < low ? low : v;
        OUT(y, float)[i] = v > high ? high : v;
    }
    return 0;
}

static int clip_by_operands(const tenure_tensor *x, const tenure_tensor *low,
                            const tenure_tensor *high, const tenure_tensor *y) {
    if (x->dtype == TENURE_DTYPE_F32) {
        return clip(x, y, low != NULL ? IN(low, float)[0] : -INFINITY,
                    high != NULL ? IN(high, float)[0] : INFINITY);
    }
    if (!is_whole(x)) {
        return BAD_TYPE(KNOWS_WHOLE, x);
    }
    int64_t from = whole_bound(low, INT64_MIN), to = whole_bound(high, INT64_MAX);
    for (size_t i = 0; i < y->elements; i++) {
        put_whole(y, i, whole_least(whole_greatest(whole_at(x, beside(x, y, i)), from), to));
    }
    return 0;
}

#define CLIP(version)                                                                              \
    int tenure_Clip_##version(const tenure_tensor *x, const tenure_tensor *low,                    \
                              const tenure_tensor *high, const tenure_tensor *y,                   \
                              const tenure_context *c) {                                           \
        (void)c;                                                                                   \
        return clip_by_operands(x, low, high, y);                                                  \
    }
CLIP(11)
CLIP(12)
CLIP(13)

int tenure_Clip_1(const tenure_Clip_1_attributes *attributes, const tenure_tensor *x,
                  const tenure_tensor *y, const tenure_context *c) {
    (void)c;
    return clip(x, y, attributes->has_min ? attributes->min : -INFINITY,
                attributes->has_max ? attributes->max : INFINITY);
}

int tenure_Clip_6(const tenure_Clip_6_attributes *attributes, const tenure_tensor *x,
                  const tenure_tensor *y, const tenure_context *c) {
    (void)c;
    return clip(x, y, attributes->min, attributes->max);
}
