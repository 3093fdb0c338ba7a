/* Kernels that break what plans rest on. */
#include <math.h>

enum { VECTOR = 48 };

static const float *floats(const tenure_tensor *x) {
    return (const float *)x->data;
}

int broken_accumulating(const tenure_tensor *a, const tenure_tensor *b, const tenure_tensor *y,
                        const tenure_context *c) {
    (void)c;
    float *to = (float *)y->data;
    for (size_t i = 0; i < y->elements; i++) {
        to[i] = floats(b)[i % b->elements];
    }
    for (size_t i = 0; i < y->elements; i++) {
        to[i] += floats(a)[i % a->elements];
    }
    return 0;
}

static int softmax(const tenure_tensor *x, const tenure_tensor *y, size_t n) {
    float *to = (float *)y->data, sum = 0;
    for (size_t i = 0; i < y->elements; i++) {
        to[i] = expf(floats(x)[i]);
        sum += to[i];
    }
    for (size_t i = 0; i < n; i++) {
        to[i] = i < y->elements ? expf(floats(x)[i]) / sum : 0;
    }
    return 0;
}

int broken_rereading(const tenure_Softmax_11_attributes *a, const tenure_tensor *x,
                     const tenure_tensor *y, const tenure_context *c) {
    (void)a;
    (void)c;
    return softmax(x, y, y->elements);
}

int broken_overshooting(const tenure_Softmax_11_attributes *a, const tenure_tensor *x,
                        const tenure_tensor *y, const tenure_context *c) {
    (void)a;
    (void)c;
    return softmax(x, y, (y->elements / VECTOR + 1) * VECTOR);
}

int broken_unfinished(const tenure_tensor *x, const tenure_tensor *y, const tenure_context *c) {
    (void)c;
    for (size_t i = 0; i + 1 < y->elements; i++) {
        float v = floats(x)[i];
        ((float *)y->data)[i] = v > 0 ? v : 0;
    }
    return 0;
}

int broken_silent(const tenure_tensor *x, const tenure_tensor *y, const tenure_context *c) {
    (void)x;
    (void)y;
    (void)c;
    return 0;
}
