/* Runs the example's network as it is read, and with its pairs fused by the plug-in's pass, each in its
 * plan; both must give the same bits. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fused.h"
#include "plain.h"

static float at(const tenure_tensor *t, size_t i) {
    return ((const float *)t->data)[i];
}

static void gemm(const tenure_tensor *a, const tenure_tensor *b, const tenure_tensor *c, float *row,
                 int32_t i) {
    for (int32_t j = 0; j < b->dims[1]; j++) {
        float sum = at(c, (size_t)j);
        for (int32_t k = 0; k < b->dims[0]; k++) {
            sum += at(a, (size_t)(i * b->dims[0] + k)) * at(b, (size_t)(k * b->dims[1] + j));
        }
        row[j] = sum;
    }
}

int tenure_Gemm_13(const tenure_Gemm_13_attributes *attributes, const tenure_tensor *A,
                   const tenure_tensor *B, const tenure_tensor *C, const tenure_tensor *Y,
                   const tenure_context *context) {
    (void)attributes, (void)context;
    for (int32_t i = 0; i < A->dims[0]; i++) {
        gemm(A, B, C, (float *)Y->data + i * B->dims[1], i);
    }
    return 0;
}

int tenure_Relu_14(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context) {
    (void)context;
    for (size_t i = 0; i < X->elements; i++) {
        ((float *)Y->data)[i] = at(X, i) > 0 ? at(X, i) : 0;
    }
    return 0;
}

int tenure_acme_Dense_0(const tenure_attribute *attributes, uint32_t n_attributes,
                        const tenure_tensor *const *in, uint32_t n_in,
                        const tenure_tensor *const *out, uint32_t n_out,
                        const tenure_context *context) {
    (void)attributes;
    size_t row = (size_t)in[1]->dims[1] * sizeof(float);
    if (n_attributes != 0 || n_in != 3 || n_out != 1 || context->workspace_bytes != row) {
        return 1;
    }
    for (int32_t i = 0; i < in[0]->dims[0]; i++) {
        float *work = context->workspace;
        gemm(in[0], in[1], in[2], work, i);
        for (int32_t j = 0; j < in[1]->dims[1]; j++) {
            ((float *)out[0]->data)[i * in[1]->dims[1] + j] = work[j] > 0 ? work[j] : 0;
        }
    }
    return 0;
}

static void fill(void *data, size_t bytes, unsigned seed) {
    for (size_t i = 0; i < bytes / sizeof(float); i++) {
        seed = seed * 1103515245u + 12345u;
        ((float *)data)[i] = (float)((seed >> 16) % 2001) / 1000.0f - 1.0f;
    }
}

int main(void) {
    static _Alignas(64) unsigned char weights[FUSED_CONST_SIZE];
    plain_memory p = PLAIN_STATIC_MEMORY;
    fused_memory f = FUSED_STATIC_MEMORY;
    if (PLAIN_CONST_SIZE != FUSED_CONST_SIZE) {
        return 1;
    }
    fill(weights, sizeof weights, 1);
    p.pool_const = f.pool_const = weights;
    fill((unsigned char *)p.io + PLAIN_X_OFFSET, PLAIN_X_SIZE, 2);
    fill((unsigned char *)f.io + FUSED_X_OFFSET, FUSED_X_SIZE, 2);
    int status = plain_run(&p, NULL) | fused_run(&f, NULL);
    const void *y = (unsigned char *)p.io + PLAIN_Y_OFFSET, *z = (unsigned char *)f.io + FUSED_Y_OFFSET;
    int same = status == 0 && memcmp(y, z, PLAIN_Y_SIZE) == 0 && ((const float *)y)[0] != 0;
    printf("%s\n", same ? "equal" : "different");
    return same ? 0 : 1;
}
