/* Functions of one element that networks have between their layers. */
#include "each.h"

#define KERNEL_PLAIN(op, version, f)                                                               \
    int tenure_##op##_##version(const tenure_tensor *x, const tenure_tensor *y,                    \
                                const tenure_context *c) {                                         \
        (void)c;                                                                                   \
        return each_float(f, NULL, x, y);                                                          \
    }
#define KERNEL_PLAIN_1(op, f)                                                                      \
    int tenure_##op##_1(const tenure_##op##_1_attributes *attributes, const tenure_tensor *x,      \
                        const tenure_tensor *y, const tenure_context *c) {                         \
        (void)attributes;                                                                          \
        (void)c;                                                                                   \
        return each_float(f, NULL, x, y);                                                          \
    }
/* With one and with two attributes, which are the function's p[0] and p[1]. */
#define KERNEL_ONE(op, version, f, first)                                                          \
    int tenure_##op##_##version(const tenure_##op##_##version##_attributes *attributes,            \
                                const tenure_tensor *x, const tenure_tensor *y,                    \
                                const tenure_context *c) {                                         \
        const float p[] = {attributes->first};                                                     \
        (void)c;                                                                                   \
        return each_float(f, p, x, y);                                                             \
    }
#define KERNEL_TWO(op, version, f, first, second)                                                  \
    int tenure_##op##_##version(const tenure_##op##_##version##_attributes *attributes,            \
                                const tenure_tensor *x, const tenure_tensor *y,                    \
                                const tenure_context *c) {                                         \
        const float p[] = {attributes->first, attributes->second};                                 \
        (void)c;                                                                                   \
        return each_float(f, p, x, y);                                                             \
    }

static float relu(float x, const float *p) {
    (void)p;
    return x > 0 ? x : 0;
}

static int64_t whole_relu(int64_t x, const float *p) {
    (void)p;
    return x > 0 ? x : 0;
}

static int any_relu(const tenure_tensor *x, const tenure_tensor *y) {
    return each_number(relu, whole_relu, NULL, x, y);
}
KERNEL_UNARY_1(Relu, any_relu)
KERNEL_UNARY(Relu, 6, any_relu)
KERNEL_UNARY(Relu, 13, any_relu)
KERNEL_UNARY(Relu, 14, any_relu)

static float leaky_relu(float x, const float *p) {
    return x < 0 ? p[0] * x : x;
}
KERNEL_ONE(LeakyRelu, 1, leaky_relu, alpha)
KERNEL_ONE(LeakyRelu, 6, leaky_relu, alpha)
KERNEL_ONE(LeakyRelu, 16, leaky_relu, alpha)

static float elu(float x, const float *p) {
    return x < 0 ? p[0] * (expf(x) - 1) : x;
}
KERNEL_ONE(Elu, 1, elu, alpha)
KERNEL_ONE(Elu, 6, elu, alpha)
KERNEL_ONE(Elu, 22, elu, alpha)

static float celu(float x, const float *p) {
    return x < 0 ? p[0] * (expf(x / p[0]) - 1) : x;
}
KERNEL_ONE(Celu, 12, celu, alpha)
KERNEL_ONE(Celu, 28, celu, alpha)

static float selu(float x, const float *p) {
    return p[1] * (x > 0 ? x : p[0] * (expf(x) - 1));
}
KERNEL_TWO(Selu, 1, selu, alpha, gamma)
KERNEL_TWO(Selu, 6, selu, alpha, gamma)
KERNEL_TWO(Selu, 22, selu, alpha, gamma)

static float thresholded_relu(float x, const float *p) {
    return x > p[0] ? x : 0;
}
KERNEL_ONE(ThresholdedRelu, 10, thresholded_relu, alpha)
KERNEL_ONE(ThresholdedRelu, 22, thresholded_relu, alpha)

static float shrink(float x, const float *p) {
    if (x < -p[1]) {
        return x + p[0];
    }
    return x > p[1] ? x - p[0] : 0;
}
KERNEL_TWO(Shrink, 9, shrink, bias, lambd)

static float sigmoid(float x, const float *p) {
    (void)p;
    return 1 / (1 + expf(-x));
}
KERNEL_PLAIN_1(Sigmoid, sigmoid)
KERNEL_PLAIN(Sigmoid, 6, sigmoid)
KERNEL_PLAIN(Sigmoid, 13, sigmoid)

static float hard_sigmoid(float x, const float *p) {
    float v = p[0] * x + p[1];
    return v < 0 ? 0 : v > 1 ? 1 : v;
}
KERNEL_TWO(HardSigmoid, 1, hard_sigmoid, alpha, beta)
KERNEL_TWO(HardSigmoid, 6, hard_sigmoid, alpha, beta)
KERNEL_TWO(HardSigmoid, 22, hard_sigmoid, alpha, beta)

static float hard_swish(float x, const float *p) {
    float v = x / 6 + 0.5f;
    (void)p;
    return x * (v < 0 ? 0 : v > 1 ? 1 : v);
}
KERNEL_PLAIN(HardSwish, 14, hard_swish)
KERNEL_PLAIN(HardSwish, 22, hard_swish)

static float swish(float x, const float *p) {
    return x / (1 + expf(-p[0] * x));
}
KERNEL_ONE(Swish, 24, swish, alpha)

static float hyperbolic_tangent(float x, const float *p) {
    (void)p;
    return tanhf(x);
}
KERNEL_PLAIN_1(Tanh, hyperbolic_tangent)
KERNEL_PLAIN(Tanh, 6, hyperbolic_tangent)
KERNEL_PLAIN(Tanh, 13, hyperbolic_tangent)

static float softplus(float x, const float *p) {
    (void)p;
    return x > 0 ? x + log1pf(expf(-x)) : log1pf(expf(x));
}
KERNEL_PLAIN(Softplus, 1, softplus)
KERNEL_PLAIN(Softplus, 22, softplus)

static float softsign(float x, const float *p) {
    (void)p;
    return x / (1 + fabsf(x));
}
KERNEL_PLAIN(Softsign, 1, softsign)
KERNEL_PLAIN(Softsign, 22, softsign)

static float mish(float x, const float *p) {
    return x * tanhf(softplus(x, p));
}
KERNEL_PLAIN(Mish, 18, mish)
KERNEL_PLAIN(Mish, 22, mish)

static float gelu(float x, const float *p) {
    (void)p;
    return 0.5f * x * (1 + erff(x * 0.70710678f));
}

static float gelu_by_tanh(float x, const float *p) {
    (void)p;
    return 0.5f * x * (1 + tanhf(0.79788456f * (x + 0.044715f * x * x * x)));
}

int tenure_Gelu_20(const tenure_Gelu_20_attributes *attributes, const tenure_tensor *x,
                   const tenure_tensor *y, const tenure_context *c) {
    (void)c;
    return each_float(strcmp(attributes->approximate, "tanh") == 0 ? gelu_by_tanh : gelu, NULL, x,
                      y);
}
