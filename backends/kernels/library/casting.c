/* Cast: between f32, f64, f16, bf16, integers and truths. */
#include "kernels.h"

/* A number of eleven bits of mantissa, with its smallest ones below 2^-14. */
static float from_half(uint16_t h) {
    int exponent = h >> 10 & 31, mantissa = h & 1023;
    float v = exponent == 0    ? ldexpf((float)mantissa, -24)
              : exponent == 31 ? (mantissa != 0 ? NAN : INFINITY)
                               : ldexpf((float)(mantissa + 1024), exponent - 25);
    return h >> 15 != 0 ? -v : v;
}

static uint16_t to_half(float v) {
    int exponent = 0;
    uint16_t sign = signbit(v) ? 0x8000 : 0;
    if (v != v) {
        return (uint16_t)(sign | 0x7e00);
    }
    float a = fabsf(v);
    if (a >= 65520) {
        return (uint16_t)(sign | 0x7c00);
    }
    frexpf(a, &exponent);
    if (a == 0 || exponent < -13) {
        return (uint16_t)(sign | (uint16_t)nearbyintf(ldexpf(a, 24)));
    }
    /* A mantissa that is rounded up to the next power carries into the exponent. */
    return (uint16_t)(sign | (uint16_t)(((exponent + 13) << 10) +
                                        (int)nearbyintf(ldexpf(a, 11 - exponent))));
}

static float from_bfloat(uint16_t h) {
    uint32_t bits = (uint32_t)h << 16;
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static uint16_t to_bfloat(float v) {
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return v != v ? 0x7fc0 : (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static int is_float(const tenure_tensor *t) {
    return t->dtype == TENURE_DTYPE_F32 || t->dtype == TENURE_DTYPE_F64 ||
           t->dtype == TENURE_DTYPE_F16 || t->dtype == TENURE_DTYPE_BF16;
}

static double double_at(const tenure_tensor *t, size_t i) {
    switch (t->dtype) {
    case TENURE_DTYPE_F16:
        return (double)from_half(IN(t, uint16_t)[i]);
    case TENURE_DTYPE_BF16:
        return (double)from_bfloat(IN(t, uint16_t)[i]);
    case TENURE_DTYPE_F64:
        return IN(t, double)[i];
    default:
        return (double)IN(t, float)[i];
    }
}

static void put_double(const tenure_tensor *t, size_t i, double v) {
    switch (t->dtype) {
    case TENURE_DTYPE_F16:
        OUT(t, uint16_t)[i] = to_half((float)v);
        break;
    case TENURE_DTYPE_BF16:
        OUT(t, uint16_t)[i] = to_bfloat((float)v);
        break;
    case TENURE_DTYPE_F64:
        OUT(t, double)[i] = v;
        break;
    default:
        OUT(t, float)[i] = (float)v;
    }
}

/* Towards 0; what no int64_t holds becomes the nearest one, and what is no number 0. */
static int64_t whole_of(double v, const tenure_tensor *t) {
    if (t->dtype == TENURE_DTYPE_BOOL) {
        return v != 0 || v != v;
    }
    if (t->dtype == TENURE_DTYPE_U64 && v >= 9223372036854775808.0) {
        return v >= 18446744073709551616.0 ? -1 : (int64_t)(uint64_t)v;
    }
    return v != v                        ? 0
           : v >= 9223372036854775808.0  ? INT64_MAX
           : v <= -9223372036854775808.0 ? INT64_MIN
                                         : (int64_t)v;
}

static int cast(const tenure_tensor *x, const tenure_tensor *y) {
    int from = is_float(x), to = is_float(y);
    if (x->dtype == y->dtype) {
        return copy_all(x, y);
    }
    if ((!from && !is_whole(x)) || (!to && !is_whole(y))) {
        return BAD_TYPE2("f32, f64, f16, bf16, integers and bool", x, y);
    }
    for (size_t i = 0; i < y->elements; i++) {
        size_t at = beside(x, y, i);
        if (from && to) {
            put_double(y, i, double_at(x, at));
        } else if (from) {
            put_whole(y, i, whole_of(double_at(x, at), y));
        } else if (to) {
            int64_t v = whole_at(x, at);
            put_double(y, i, x->dtype == TENURE_DTYPE_U64 ? (double)(uint64_t)v : (double)v);
        } else {
            put_whole(y, i, whole_at(x, at));
        }
    }
    return 0;
}

#define CAST(version)                                                                              \
    int tenure_Cast_##version(const tenure_Cast_##version##_attributes *attributes,                \
                              const tenure_tensor *x, const tenure_tensor *y,                      \
                              const tenure_context *c) {                                           \
        (void)attributes;                                                                          \
        (void)c;                                                                                   \
        return cast(x, y);                                                                         \
    }
CAST(1)
CAST(6)
CAST(9)
CAST(13)
CAST(19)
CAST(21)
CAST(23)
CAST(24)
CAST(25)
CAST(28)

/* The type of the second operand is that of the result. */
#define CAST_LIKE(version)                                                                         \
    int tenure_CastLike_##version(const tenure_CastLike_##version##_attributes *attributes,        \
                                  const tenure_tensor *x, const tenure_tensor *like,               \
                                  const tenure_tensor *y, const tenure_context *c) {               \
        (void)attributes;                                                                          \
        (void)like;                                                                                \
        (void)c;                                                                                   \
        return cast(x, y);                                                                         \
    }
CAST_LIKE(19)
CAST_LIKE(21)
CAST_LIKE(23)
CAST_LIKE(24)
CAST_LIKE(25)

int tenure_CastLike_15(const tenure_tensor *x, const tenure_tensor *like, const tenure_tensor *y,
                       const tenure_context *c) {
    (void)like;
    (void)c;
    return cast(x, y);
}
