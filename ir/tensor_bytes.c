#include "ir/tensor_bytes.h"

#include <math.h>
#include <string.h>

#include "ir/base/limits.h"
#include "ir/base/xmath.h"

/* ---- numbers as bit patterns ---- */

static uint64_t pattern_of_double(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint64_t pattern_of_float(double x) {
    float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* The nearest binary16, ties to even (IEEE 754): a multiple of 2^-24 below 2^-14, else of 2^-10 of
 * its power of two. Rounding up may carry into the exponent, which is right. */
static uint64_t pattern_of_half(double x) {
    uint64_t sign = signbit(x) ? 0x8000 : 0;
    double size = fabs(x);
    if (isnan(x)) {
        return sign | 0x7e00;
    }
    if (size >= 65520) {
        return sign | 0x7c00;
    }
    if (size < ldexp(1, -14)) {
        return sign | (uint64_t)nearbyint(ldexp(size, 24));
    }
    int exponent;
    double fraction = frexp(size, &exponent); /* in [0.5, 1) */
    uint64_t rounded = (uint64_t)nearbyint(ldexp(fraction, 11)) - 1024;
    return sign | (((uint64_t)(exponent + 14) << 10) + rounded);
}

/* The nearest bfloat16 of a float, ties to even. */
static uint64_t pattern_of_bfloat(double x) {
    uint64_t bits = pattern_of_float(x);
    return isnan(x) ? (bits >> 16 | 0x40) : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

typedef uint64_t (*to_pattern)(double x);

static to_pattern float_pattern(tn_dtype dtype) {
    switch ((int)dtype) {
    case TN_DT_DOUBLE:
        return pattern_of_double;
    case TN_DT_FLOAT:
        return pattern_of_float;
    case TN_DT_FLOAT16:
        return pattern_of_half;
    case TN_DT_BFLOAT16:
        return pattern_of_bfloat;
    default:
        return NULL;
    }
}

/* ---- bit patterns as numbers ---- */

uint64_t tn_pattern_load(const uint8_t *bytes, unsigned n) {
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++) {
        v |= (uint64_t)bytes[i] << (8 * i);
    }
    return v;
}

/* Binary16 (IEEE 754). */
static double half(uint16_t h) {
    int exponent = (h >> 10) & 31, mantissa = h & 1023;
    double v = exponent == 31  ? (mantissa != 0 ? NAN : INFINITY)
               : exponent == 0 ? ldexp(mantissa, -24)
                               : ldexp(mantissa + 1024, exponent - 25);
    return (h & 0x8000) != 0 ? -v : v;
}

static double single(uint32_t bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

static double wide(uint64_t bits) {
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

bool tn_pattern_int(tn_dtype dtype, uint64_t pattern, int64_t *out) {
    const tn_dtype_info *info = tn_dtype_get(dtype);
    unsigned bits = info->bits;
    if (bits < 64) {
        pattern &= (1ull << bits) - 1;
    }
    if (info->kind == 'I' && bits < 64 && (pattern >> (bits - 1)) != 0) {
        *out = (int64_t)pattern - (int64_t)(1ull << bits);
        return true;
    }
    if (info->kind == 'U' && pattern > INT64_MAX) {
        return false;
    }
    int64_t v;
    memcpy(&v, &pattern, sizeof v);
    *out = info->kind == 'B' ? v != 0 : v;
    return true;
}

bool tn_pattern_float(tn_dtype dtype, uint64_t pattern, double *out) {
    switch ((int)dtype) {
    case TN_DT_FLOAT:
        *out = single((uint32_t)pattern);
        return true;
    case TN_DT_DOUBLE:
        *out = wide(pattern);
        return true;
    case TN_DT_FLOAT16:
        *out = half((uint16_t)pattern);
        return true;
    case TN_DT_BFLOAT16:
        *out = single((uint32_t)(pattern & 0xffff) << 16);
        return true;
    default:
        return false;
    }
}

/* ---- tensors ---- */

void tn_put_pattern(tn_sink *out, uint64_t pattern, unsigned bits) {
    for (unsigned i = 0; i < bits / 8; i++) {
        tn_put_c(out, (char)(pattern >> (8 * i) & 0xff));
    }
}

/* An extent of 0 makes the tensor empty, but the others still have to be sane. */
bool tn_tensor_measure(tn_tensor *t) {
    uint64_t n = 1, bits = tn_dtype_get(t->dtype)->bits, total;
    bool empty = false;
    for (uint32_t i = 0; i < t->rank; i++) {
        empty |= t->dims[i] == 0;
        uint64_t extent = t->dims[i] == 0 ? 1 : (uint64_t)t->dims[i];
        if (t->dims[i] < 0 || !tn_mul_u64(n, extent, &n) || n > TN_MAX_TENSOR_BYTES) {
            return false;
        }
    }
    n = empty ? 0 : n;
    if (!tn_mul_u64(n, bits, &total) || total / 8 > TN_MAX_TENSOR_BYTES) {
        return false;
    }
    t->n_elements = n;
    t->bytes = total / 8 + (total % 8 != 0);
    return true;
}

bool tn_tensor_has_bytes(const tn_tensor *t) {
    char kind = tn_dtype_get(t->dtype)->kind;
    bool is_whole = kind == 'I' || kind == 'U' || kind == 'B';
    return t->bytes == 0 || t->payload != NULL || (t->ints != NULL && is_whole) ||
           (t->floats != NULL && float_pattern(t->dtype) != NULL);
}

static uint64_t pattern_at(const tn_tensor *t, uint64_t i) {
    return t->ints != NULL ? (uint64_t)t->ints[i] : float_pattern(t->dtype)(t->floats[i]);
}

/* Elements below a byte share it, the first in the lowest bits. */
static void put_elements(const tn_tensor *t, tn_sink *out) {
    unsigned bits = tn_dtype_get(t->dtype)->bits, filled = 0;
    uint64_t mask = bits < 8 ? (1u << bits) - 1 : UINT64_MAX, byte = 0;
    for (uint64_t i = 0; i < t->n_elements; i++) {
        byte |= (pattern_at(t, i) & mask) << filled;
        filled += bits;
        if (filled >= 8 || i + 1 == t->n_elements) {
            tn_put_pattern(out, byte, bits < 8 ? 8 : bits);
            byte = 0;
            filled = 0;
        }
    }
}

void tn_tensor_put_bytes(const tn_tensor *t, tn_sink *out) {
    if (t->payload != NULL) {
        t->payload->put(t, out);
    } else if (t->bytes > 0) {
        put_elements(t, out);
    }
}

/* ---- bytes that are given ---- */

static void put_given(const tn_tensor *t, tn_sink *out) {
    tn_put_n(out, t->payload->at, (size_t)t->bytes); /* they are in memory */
}

/* The pattern of element i; those below a byte share it, the first in the lowest bits. */
static uint64_t given_pattern(const uint8_t *data, unsigned bits, uint64_t i) {
    unsigned per_byte = bits < 8 ? 8 / bits : 1;
    return bits < 8 ? (uint64_t)data[i / per_byte] >> (i % per_byte * bits)
                    : tn_pattern_load(data + i * (bits / 8), bits / 8);
}

static void know_elements(tn_arena *arena, tn_tensor *t, const uint8_t *data) {
    const tn_dtype_info *info = tn_dtype_get(t->dtype);
    bool is_float = info->kind == 'F', good = true;
    if (t->n_elements > (is_float ? TN_MAX_FLOATS : TN_MAX_CONTENT) ||
        (!is_float && info->kind != 'I' && info->kind != 'U' && info->kind != 'B')) {
        return;
    }
    int64_t *ints = TN_ARRAY(arena, int64_t, is_float ? 0 : t->n_elements);
    double *floats = TN_ARRAY(arena, double, is_float ? t->n_elements : 0);
    for (uint64_t i = 0; i < t->n_elements && good; i++) {
        uint64_t pattern = given_pattern(data, info->bits, i);
        good = is_float ? tn_pattern_float(t->dtype, pattern, &floats[i])
                        : tn_pattern_int(t->dtype, pattern, &ints[i]);
    }
    t->ints = good && !is_float ? ints : NULL;
    t->floats = good && is_float ? floats : NULL;
}

void tn_tensor_set_bytes(tn_arena *arena, tn_tensor *t, const void *data) {
    tn_payload *payload = TN_NEW(arena, tn_payload);
    *payload = (tn_payload){put_given, data};
    t->payload = payload;
    know_elements(arena, t, data);
}
