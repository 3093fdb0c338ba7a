/* Elements that are floats of 16 bits and more. */
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

int is_float(const tenure_tensor *t) {
    return t->dtype == TENURE_DTYPE_F32 || t->dtype == TENURE_DTYPE_F64 ||
           t->dtype == TENURE_DTYPE_F16 || t->dtype == TENURE_DTYPE_BF16;
}

double double_at(const tenure_tensor *t, size_t i) {
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

void put_double(const tenure_tensor *t, size_t i, double v) {
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

const float *floats_from(const tenure_tensor *t, size_t i, size_t n, float *room) {
    if (t->dtype == TENURE_DTYPE_F32) {
        return IN(t, float) + i;
    }
    for (size_t k = 0; k < n; k++) {
        room[k] = (float)double_at(t, i + k);
    }
    return room;
}

void put_floats(const tenure_tensor *t, size_t i, size_t n, const float *from) {
    if (t->dtype == TENURE_DTYPE_F32) {
        memcpy(OUT(t, float) + i, from, n * sizeof *from);
        return;
    }
    for (size_t k = 0; k < n; k++) {
        put_double(t, i + k, (double)from[k]);
    }
}
