/* Quantised functions of one element and of two: com.microsoft.QLinear*. */
#include "quant.h"

static float quant_sum(float a, float b) {
    return a + b;
}
static float quant_times(float a, float b) {
    return a * b;
}

typedef struct quantised {
    const tenure_tensor *x, *scale, *zero;
} quantised;

static int binary(quantised a, quantised b, quantised y, float (*f)(float, float)) {
    walk wa, wb;
    if (!quant_is(a.x) || !quant_is(b.x) || !quant_is(y.x)) {
        return BAD_TYPE3(KNOWS_QUANTISED, a.x, b.x, y.x);
    }
    if (walk_broadcast(a.x, y.x, &wa) != 0 || walk_broadcast(b.x, y.x, &wb) != 0) {
        return KERNEL_BAD_SHAPE;
    }
    quantum qa = quantum_of(a.scale, a.zero), qb = quantum_of(b.scale, b.zero),
            qy = quantum_of(y.scale, y.zero);
    for (size_t i = 0; i < y.x->elements; i++) {
        float v =
            f(quant_float(a.x, walk_index(&wa, i), qa), quant_float(b.x, walk_index(&wb, i), qb));
        quant_store(y.x, i, v / qy.scale, qy.zero);
    }
    return 0;
}

#define QLINEAR_BINARY(op, function)                                                               \
    int tenure_com_microsoft_##op##_1(const tenure_tensor *a, const tenure_tensor *a_scale,        \
                                      const tenure_tensor *a_zero, const tenure_tensor *b,         \
                                      const tenure_tensor *b_scale, const tenure_tensor *b_zero,   \
                                      const tenure_tensor *y_scale, const tenure_tensor *y_zero,   \
                                      const tenure_tensor *y, const tenure_context *c) {           \
        (void)c;                                                                                   \
        quantised left = {a, a_scale, a_zero}, right = {b, b_scale, b_zero},                       \
                  result = {y, y_scale, y_zero};                                                   \
        return binary(left, right, result, function);                                              \
    }
QLINEAR_BINARY(QLinearAdd, quant_sum)
QLINEAR_BINARY(QLinearMul, quant_times)

static float sigmoid(float x, float alpha) {
    (void)alpha;
    return 1 / (1 + expf(-x));
}
static float leaky(float x, float alpha) {
    return x < 0 ? x * alpha : x;
}

static int unary(quantised x, quantised y, float (*f)(float, float), float alpha) {
    if (!quant_is(x.x) || !quant_is(y.x)) {
        return BAD_TYPE2(KNOWS_QUANTISED, x.x, y.x);
    }
    quantum qx = quantum_of(x.scale, x.zero), qy = quantum_of(y.scale, y.zero);
    for (size_t i = 0; i < y.x->elements; i++) {
        quant_store(y.x, i, f(quant_float(x.x, i, qx), alpha) / qy.scale, qy.zero);
    }
    return 0;
}

int tenure_com_microsoft_QLinearSigmoid_1(const tenure_tensor *x, const tenure_tensor *x_scale,
                                          const tenure_tensor *x_zero, const tenure_tensor *y_scale,
                                          const tenure_tensor *y_zero, const tenure_tensor *y,
                                          const tenure_context *c) {
    (void)c;
    quantised operand = {x, x_scale, x_zero}, result = {y, y_scale, y_zero};
    return unary(operand, result, sigmoid, 0);
}

int tenure_com_microsoft_QLinearLeakyRelu_1(
    const tenure_com_microsoft_QLinearLeakyRelu_1_attributes *a, const tenure_tensor *x,
    const tenure_tensor *x_scale, const tenure_tensor *x_zero, const tenure_tensor *y_scale,
    const tenure_tensor *y_zero, const tenure_tensor *y, const tenure_context *c) {
    (void)c;
    quantised operand = {x, x_scale, x_zero}, result = {y, y_scale, y_zero};
    return unary(operand, result, leaky, a->alpha);
}

int tenure_com_microsoft_QLinearConcat_1(const tenure_com_microsoft_QLinearConcat_1_attributes *a,
                                         const tenure_tensor *y_scale, const tenure_tensor *y_zero,
                                         const tenure_tensor *const *inputs, uint32_t n_inputs,
                                         const tenure_tensor *y, const tenure_context *c) {
    (void)c;
    split whole = split_at(y, (size_t)a->axis);
    quantum qy = quantum_of(y_scale, y_zero);
    size_t begin = 0;
    for (uint32_t k = 0; k + 2 < n_inputs; k += 3) {
        const tenure_tensor *x = inputs[k];
        if (!quant_is(x) || !quant_is(y)) {
            return BAD_TYPE2(KNOWS_QUANTISED, x, y);
        }
        quantum qx = quantum_of(inputs[k + 1], inputs[k + 2]);
        size_t run = (size_t)x->dims[a->axis] * whole.behind;
        for (size_t i = 0; i < x->elements; i++) {
            size_t at = i / run * whole.extent * whole.behind + begin + i % run;
            quant_store(y, at, quant_float(x, i, qx) / qy.scale, qy.zero);
        }
        begin += run;
    }
    return 0;
}
