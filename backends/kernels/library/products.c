/* Gemm and MatMul. */
#include "kernels.h"

/* Sum over k of a[k * step_a] * b[k * step_b]. */
static float dot(const float *a, size_t step_a, const float *b, size_t step_b, size_t n) {
    float sum = 0;
    for (size_t k = 0; k < n; k++) {
        sum += a[k * step_a] * b[k * step_b];
    }
    return sum;
}

typedef struct gemm_attributes {
    float alpha, beta;
    int a_transposed, b_transposed;
} gemm_attributes;

/* The columns of a constant b as rows, laid out by the first run in bytes that the plan keeps for
 * the step (examples/facts/packed.json): a mark, which is 0 before, and the elements. */
static const float *packed(const tenure_tensor *b, size_t inner, size_t n,
                           const tenure_context *context) {
    uint32_t *mark = (uint32_t *)context->kept;
    float *to = (float *)context->kept + 1;
    if (mark == NULL || context->kept_bytes < sizeof(float) * (1 + b->elements)) {
        return NULL;
    }
    for (size_t i = 0; *mark == 0 && i < b->elements; i++) {
        to[i % n * inner + i / n] = IN(b, float)[i];
    }
    *mark = 1;
    return to;
}

static int gemm(const gemm_attributes *at, const tenure_tensor *a, const tenure_tensor *b,
                const tenure_tensor *c, const tenure_tensor *y, const tenure_context *context) {
    if (a->dtype != TENURE_DTYPE_F32 || b->dtype != TENURE_DTYPE_F32) {
        return BAD_TYPE2(KNOWS_F32, a, b);
    }
    if (a->rank != 2 || b->rank != 2 || y->rank != 2 || (c != NULL && check_broadcast(c, y) != 0)) {
        return KERNEL_BAD_SHAPE;
    }
    size_t m = (size_t)y->dims[0], n = (size_t)y->dims[1],
           inner = (size_t)a->dims[at->a_transposed ? 0 : 1];
    const float *rows = at->b_transposed ? IN(b, float) : packed(b, inner, n, context);
    for (size_t i = 0; i < y->elements; i++) {
        const float *row = IN(a, float) + i / n * (at->a_transposed ? 1 : inner);
        const float *column = rows != NULL ? rows + i % n * inner : IN(b, float) + i % n;
        float v =
            at->alpha * dot(row, at->a_transposed ? m : 1, column, rows != NULL ? 1 : n, inner);
        OUT(y, float)[i] = c != NULL ? v + at->beta * IN(c, float)[broadcast_index(c, y, i)] : v;
    }
    return 0;
}

#define GEMM(version)                                                                              \
    int tenure_Gemm_##version(const tenure_Gemm_##version##_attributes *attributes,                \
                              const tenure_tensor *a, const tenure_tensor *b,                      \
                              const tenure_tensor *c, const tenure_tensor *y,                      \
                              const tenure_context *context) {                                     \
        const gemm_attributes at = {attributes->alpha, attributes->beta, attributes->transA != 0,  \
                                    attributes->transB != 0};                                      \
        return gemm(&at, a, b, c, y, context);                                                     \
    }
GEMM(1)
GEMM(6)
GEMM(7)
GEMM(9)
GEMM(11)
GEMM(13)

/* ---- MatMul: the last two axes are matrices, those before are broadcast; one axis alone is a row
 * or a column ---- */

/* The matrix of an operand that belongs to matrix `batch` of the result, whose axes for that end
 * before `rank`. */
static size_t matrix_at(const tenure_tensor *t, const tenure_tensor *y, size_t rank, size_t batch) {
    size_t at = 0, step = 1, axes = t->rank > 2 ? (size_t)t->rank - 2 : 0;
    for (size_t k = axes, j = rank; k-- > 0;) {
        size_t extent = (size_t)t->dims[k], all = (size_t)y->dims[--j];
        at += extent == 1 ? 0 : batch % all * step;
        step *= extent;
        batch /= all;
    }
    return at;
}

static int matmul(const tenure_tensor *a, const tenure_tensor *b, const tenure_tensor *y) {
    if (a->dtype != TENURE_DTYPE_F32 || b->dtype != TENURE_DTYPE_F32) {
        return BAD_TYPE2(KNOWS_F32, a, b);
    }
    if (a->rank == 0 || b->rank == 0) {
        return KERNEL_BAD_SHAPE;
    }
    size_t m = a->rank > 1 ? (size_t)a->dims[a->rank - 2] : 1, inner = (size_t)a->dims[a->rank - 1];
    size_t n = b->rank > 1 ? (size_t)b->dims[b->rank - 1] : 1;
    size_t axes = (size_t)y->rank - (a->rank > 1) - (b->rank > 1);
    if (y->elements > 0 && (size_t)b->dims[b->rank > 1 ? b->rank - 2 : 0] != inner) {
        return KERNEL_BAD_SHAPE;
    }
    for (size_t i = 0; i < y->elements; i++) {
        size_t batch = i / (m * n), row = i / n % m, column = i % n;
        const float *from_a = IN(a, float) + (matrix_at(a, y, axes, batch) * m + row) * inner;
        const float *from_b = IN(b, float) + matrix_at(b, y, axes, batch) * inner * n + column;
        OUT(y, float)[i] = dot(from_a, 1, from_b, n, inner);
    }
    return 0;
}
KERNEL_BINARY(MatMul, 1, matmul)
KERNEL_BINARY(MatMul, 9, matmul)
KERNEL_BINARY(MatMul, 13, matmul)
