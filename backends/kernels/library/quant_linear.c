/* QuantizeLinear, DequantizeLinear, DynamicQuantizeLinear. */
#include "quant.h"

/* Which scale belongs to an element: one for all, one for each place along an axis, or one for each
 * block there. */
typedef struct spread {
    split at;
    size_t block, blocks; /* 0: no blocks */
} spread;

static spread spread_over(const tenure_tensor *x, const tenure_tensor *scale, int64_t axis,
                          int64_t block) {
    spread s = {split_at(x, (size_t)axis), (size_t)block, 0};
    if (block > 0 && scale->rank == x->rank && (size_t)axis < x->rank) {
        s.blocks = (size_t)scale->dims[axis];
    }
    return s;
}

static size_t spread_index(const spread *s, size_t i) {
    size_t along = i / s->at.behind % s->at.extent;
    if (s->blocks == 0) {
        return along;
    }
    size_t before = i / s->at.behind / s->at.extent;
    return (before * s->blocks + along / s->block) * s->at.behind + i % s->at.behind;
}

static int quantize(const tenure_tensor *x, const tenure_tensor *scale, const tenure_tensor *zero,
                    const tenure_tensor *y, int64_t axis, int64_t block) {
    if (scale->dtype != TENURE_DTYPE_F32 || !quant_is(y) ||
        (x->dtype != TENURE_DTYPE_F32 && x->dtype != TENURE_DTYPE_I32)) {
        return BAD_TYPE3("f32 and i32 to " KNOWS_QUANTISED, x, scale, y);
    }
    spread s = spread_over(x, scale, axis, block);
    for (size_t i = 0; i < y->elements; i++) {
        size_t k = spread_index(&s, element_at(y, i)), at = beside(x, y, i);
        float v = x->dtype == TENURE_DTYPE_F32 ? IN(x, float)[at] : (float)IN(x, int32_t)[at];
        quant_store(y, i, v / quant_scale(scale, k), quant_zero(zero, k));
    }
    return 0;
}

static int dequantize(const tenure_tensor *x, const tenure_tensor *scale, const tenure_tensor *zero,
                      const tenure_tensor *y, int64_t axis, int64_t block) {
    if (scale->dtype != TENURE_DTYPE_F32 || y->dtype != TENURE_DTYPE_F32 || !quant_is(x)) {
        return BAD_TYPE3(KNOWS_QUANTISED " to f32", x, scale, y);
    }
    spread s = spread_over(x, scale, axis, block);
    for (size_t i = 0; i < y->elements; i++) {
        size_t k = spread_index(&s, element_at(y, i));
        quantum q = {quant_scale(scale, k), quant_zero(zero, k)};
        OUT(y, float)[i] = quant_float(x, beside(x, y, i), q);
    }
    return 0;
}

#define LINEAR(op, version, function, axis, block)                                                 \
    int tenure_##op##_##version(const tenure_##op##_##version##_attributes *a,                     \
                                const tenure_tensor *x, const tenure_tensor *scale,                \
                                const tenure_tensor *zero, const tenure_tensor *y,                 \
                                const tenure_context *c) {                                         \
        (void)c;                                                                                   \
        return function(x, scale, zero, y, axis, block);                                           \
    }
#define LINEAR_PLAIN(op, function)                                                                 \
    int tenure_##op##_10(const tenure_tensor *x, const tenure_tensor *scale,                       \
                         const tenure_tensor *zero, const tenure_tensor *y,                        \
                         const tenure_context *c) {                                                \
        (void)c;                                                                                   \
        return function(x, scale, zero, y, 1, 0);                                                  \
    }

LINEAR_PLAIN(QuantizeLinear, quantize)
LINEAR(QuantizeLinear, 13, quantize, a->axis, 0)
LINEAR(QuantizeLinear, 19, quantize, a->axis, 0)
LINEAR(QuantizeLinear, 21, quantize, a->axis, a->block_size)
LINEAR(QuantizeLinear, 23, quantize, a->axis, a->block_size)
LINEAR(QuantizeLinear, 24, quantize, a->axis, a->block_size)
LINEAR(QuantizeLinear, 25, quantize, a->axis, a->block_size)
LINEAR(QuantizeLinear, 28, quantize, a->axis, a->block_size)
LINEAR(com_microsoft_QuantizeLinear, 1, quantize, a->has_axis ? a->axis : 1, 0)
LINEAR_PLAIN(DequantizeLinear, dequantize)
LINEAR(DequantizeLinear, 13, dequantize, a->axis, 0)
LINEAR(DequantizeLinear, 19, dequantize, a->axis, 0)
LINEAR(DequantizeLinear, 21, dequantize, a->axis, a->block_size)
LINEAR(DequantizeLinear, 23, dequantize, a->axis, a->block_size)
LINEAR(DequantizeLinear, 24, dequantize, a->axis, a->block_size)
LINEAR(DequantizeLinear, 25, dequantize, a->axis, a->block_size)
LINEAR(DequantizeLinear, 28, dequantize, a->axis, a->block_size)
LINEAR(com_microsoft_DequantizeLinear, 1, dequantize, a->has_axis ? a->axis : 1, 0)

int tenure_DynamicQuantizeLinear_11(const tenure_tensor *x, const tenure_tensor *y,
                                    const tenure_tensor *y_scale, const tenure_tensor *y_zero_point,
                                    const tenure_context *c) {
    (void)c;
    if (x->dtype != TENURE_DTYPE_F32) {
        return BAD_TYPE(KNOWS_F32, x);
    }
    quantum q = quantum_for(x);
    for (size_t i = 0; i < x->elements && y != NULL; i++) {
        quant_store(y, i, IN(x, float)[i] / q.scale, q.zero);
    }
    if (y_scale != NULL) {
        OUT(y_scale, float)[0] = q.scale;
    }
    if (y_zero_point != NULL) {
        OUT(y_zero_point, uint8_t)[0] = (uint8_t)q.zero;
    }
    return 0;
}
