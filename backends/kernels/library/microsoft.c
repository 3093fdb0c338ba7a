/* Functions of com.microsoft: the forms of Gelu, and SkipLayerNormalization. */
#include "kernels.h"

static float gelu(float x) {
    return 0.5F * x * (1 + erff(x * 0.70710678F));
}
static float gelu_by_tanh(float x) {
    return 0.5F * x * (1 + tanhf(0.79788456F * (x + 0.044715F * x * x * x)));
}

/* `bias` lies along the last axis and may be NULL. */
static int biased(const tenure_tensor *x, const tenure_tensor *bias, const tenure_tensor *y,
                  float (*f)(float)) {
    if (x->dtype != TENURE_DTYPE_F32) {
        return BAD_TYPE(KNOWS_F32, x);
    }
    for (size_t i = 0; i < y->elements; i++) {
        float b = bias == NULL ? 0 : IN(bias, float)[i % bias->elements];
        OUT(y, float)[i] = f(IN(x, float)[i] + b);
    }
    return 0;
}

int tenure_com_microsoft_Gelu_1(const tenure_tensor *x, const tenure_tensor *y,
                                const tenure_context *c) {
    (void)c;
    return biased(x, NULL, y, gelu);
}
int tenure_com_microsoft_FastGelu_1(const tenure_tensor *x, const tenure_tensor *bias,
                                    const tenure_tensor *y, const tenure_context *c) {
    (void)c;
    return biased(x, bias, y, gelu_by_tanh);
}
int tenure_com_microsoft_BiasGelu_1(const tenure_tensor *x, const tenure_tensor *bias,
                                    const tenure_tensor *y, const tenure_context *c) {
    (void)c;
    return biased(x, bias, y, gelu);
}
int tenure_com_microsoft_QuickGelu_1(const tenure_com_microsoft_QuickGelu_1_attributes *a,
                                     const tenure_tensor *x, const tenure_tensor *y,
                                     const tenure_context *c) {
    (void)c;
    if (x->dtype != TENURE_DTYPE_F32) {
        return BAD_TYPE(KNOWS_F32, x);
    }
    for (size_t i = 0; i < y->elements; i++) {
        float v = IN(x, float)[i];
        OUT(y, float)[i] = v / (1 + expf(-a->alpha * v));
    }
    return 0;
}

/* What is normalised: rows of input + skip + bias, skip repeated over the batch. */
typedef struct skipped {
    const tenure_tensor *input, *skip, *bias;
    size_t extent;
} skipped;

static float skip_sum(const skipped *s, size_t i) {
    float b = s->bias == NULL ? 0 : IN(s->bias, float)[i % s->extent];
    return IN(s->input, float)[i] + IN(s->skip, float)[i % s->skip->elements] + b;
}

/* The mean of a row, or 0 without `centred`, and 1 / sqrt of what it deviates from that. */
static void moments(const skipped *s, size_t row, int centred, float epsilon, float *mean,
                    float *inverse) {
    float sum = 0, squares = 0, n = (float)s->extent;
    for (size_t i = 0; i < s->extent && centred; i++) {
        sum += skip_sum(s, row * s->extent + i);
    }
    *mean = sum / n;
    for (size_t i = 0; i < s->extent; i++) {
        float v = skip_sum(s, row * s->extent + i) - *mean;
        squares += v * v;
    }
    *inverse = 1 / sqrtf(squares / n + epsilon);
}

typedef struct normalised {
    const tenure_tensor *y, *mean, *inverse, *sum;
} normalised;

static int skip_norm(skipped s, const tenure_tensor *gamma, const tenure_tensor *beta, int centred,
                     float epsilon, normalised to) {
    if (s.input->dtype != TENURE_DTYPE_F32) {
        return BAD_TYPE(KNOWS_F32, s.input);
    }
    s.extent = gamma->elements;
    for (size_t row = 0; row < s.input->elements / s.extent; row++) {
        float mean, inverse;
        moments(&s, row, centred, epsilon, &mean, &inverse);
        for (size_t k = 0; k < s.extent; k++) {
            size_t i = row * s.extent + k;
            float v = skip_sum(&s, i);
            if (to.sum != NULL) {
                OUT(to.sum, float)[i] = v;
            }
            OUT(to.y, float)
            [i] = (v - mean) * inverse * IN(gamma, float)[k] +
                  (beta == NULL ? 0 : IN(beta, float)[k]);
        }
        if (to.mean != NULL) {
            OUT(to.mean, float)[row] = mean;
        }
        if (to.inverse != NULL) {
            OUT(to.inverse, float)[row] = inverse;
        }
    }
    return 0;
}

int tenure_com_microsoft_SkipLayerNormalization_1(
    const tenure_com_microsoft_SkipLayerNormalization_1_attributes *a, const tenure_tensor *input,
    const tenure_tensor *skip, const tenure_tensor *gamma, const tenure_tensor *beta,
    const tenure_tensor *bias, const tenure_tensor *output, const tenure_tensor *mean,
    const tenure_tensor *inverse, const tenure_tensor *sum, const tenure_context *c) {
    (void)c;
    skipped s = {input, skip, bias, 0};
    normalised to = {output, mean, inverse, sum};
    return skip_norm(s, gamma, beta, 1, a->epsilon, to);
}
int tenure_com_microsoft_SkipSimplifiedLayerNormalization_1(
    const tenure_com_microsoft_SkipSimplifiedLayerNormalization_1_attributes *a,
    const tenure_tensor *input, const tenure_tensor *skip, const tenure_tensor *gamma,
    const tenure_tensor *bias, const tenure_tensor *output, const tenure_tensor *mean,
    const tenure_tensor *inverse, const tenure_tensor *sum, const tenure_context *c) {
    (void)c;
    skipped s = {input, skip, bias, 0};
    normalised to = {output, mean, inverse, sum};
    return skip_norm(s, gamma, NULL, 0, a->epsilon, to);
}
