/* Whole numbers and floats. */
#include "quant.h"

int quant_is(const tenure_tensor *t) {
    switch (t->dtype) {
    case TENURE_DTYPE_I4:
    case TENURE_DTYPE_U4:
    case TENURE_DTYPE_I8:
    case TENURE_DTYPE_U8:
    case TENURE_DTYPE_I16:
    case TENURE_DTYPE_U16:
    case TENURE_DTYPE_I32:
        return 1;
    default:
        return 0;
    }
}

int32_t quant_load(const tenure_tensor *t, size_t i) {
    switch (t->dtype) {
    case TENURE_DTYPE_I8:
        return IN(t, int8_t)[i];
    case TENURE_DTYPE_U8:
        return IN(t, uint8_t)[i];
    case TENURE_DTYPE_I16:
        return IN(t, int16_t)[i];
    case TENURE_DTYPE_U16:
        return IN(t, uint16_t)[i];
    case TENURE_DTYPE_I32:
        return IN(t, int32_t)[i];
    default:
        break;
    }
    int32_t nibble = IN(t, uint8_t)[i / 2] >> i % 2 * 4 & 15;
    return t->dtype == TENURE_DTYPE_I4 && nibble > 7 ? nibble - 16 : nibble;
}

int32_t quant_zero(const tenure_tensor *zero, size_t i) {
    return zero == NULL ? 0 : quant_load(zero, zero->elements == 1 ? 0 : i);
}

float quant_scale(const tenure_tensor *scale, size_t i) {
    return IN(scale, float)[scale->elements == 1 ? 0 : i];
}

static void store_nibble(const tenure_tensor *t, size_t i, int32_t value) {
    uint8_t *at = OUT(t, uint8_t) + i / 2;
    *at = (uint8_t)(i % 2 == 0 ? value & 15 : (*at & 15) | (value & 15) << 4);
}

static int32_t rounded(float value, int32_t zero, int32_t low, int32_t high) {
    float v = nearbyintf(value) + (float)zero;
    if (!(v > (float)low)) {
        return low;
    }
    return v < (float)high ? (int32_t)v : high;
}

void quant_store(const tenure_tensor *t, size_t i, float value, int32_t zero) {
    switch (t->dtype) {
    case TENURE_DTYPE_I8:
        OUT(t, int8_t)[i] = (int8_t)rounded(value, zero, INT8_MIN, INT8_MAX);
        break;
    case TENURE_DTYPE_U8:
        OUT(t, uint8_t)[i] = (uint8_t)rounded(value, zero, 0, UINT8_MAX);
        break;
    case TENURE_DTYPE_I16:
        OUT(t, int16_t)[i] = (int16_t)rounded(value, zero, INT16_MIN, INT16_MAX);
        break;
    case TENURE_DTYPE_U16:
        OUT(t, uint16_t)[i] = (uint16_t)rounded(value, zero, 0, UINT16_MAX);
        break;
    case TENURE_DTYPE_I32:
        OUT(t, int32_t)[i] = rounded(value, zero, INT32_MIN, INT32_MAX);
        break;
    case TENURE_DTYPE_I4:
        store_nibble(t, i, rounded(value, zero, -8, 7));
        break;
    default:
        store_nibble(t, i, rounded(value, zero, 0, 15));
        break;
    }
}

quantum quantum_of(const tenure_tensor *scale, const tenure_tensor *zero) {
    quantum q = {quant_scale(scale, 0), quant_zero(zero, 0)};
    return q;
}

quantum quantum_for(const tenure_tensor *x) {
    float low = 0, high = 0;
    for (size_t i = 0; i < x->elements; i++) {
        float v = IN(x, float)[i];
        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    quantum q = {high == low ? 1 : (high - low) / 255, 0};
    float zero = nearbyintf(-low / q.scale);
    q.zero = zero < 255 ? (int32_t)zero : 255;
    return q;
}

float quant_float(const tenure_tensor *t, size_t i, quantum q) {
    return (float)((int64_t)quant_load(t, i) - q.zero) * q.scale;
}
