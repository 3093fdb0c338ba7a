/* Products of matrices. */
#include "launch.h"

/* Rows and columns of the addend, of which those of extent 1 are broadcast. */
static void put_addend(launch *l, const tenure_tensor *c) {
    int rows = c != NULL && c->rank == 2 && c->dims[0] != 1;
    int columns = c != NULL && c->rank >= 1 && c->dims[c->rank - 1] != 1;
    launch_int(l, rows ? c->dims[1] : 0);
    launch_int(l, columns);
}

static int gemm(const tenure_Gemm_13_attributes *at, const tenure_tensor *a, const tenure_tensor *b,
                const tenure_tensor *c, const tenure_tensor *y, const tenure_context *context) {
    if (a->dtype != TENURE_DTYPE_F32) {
        return BAD_TYPE(KNOWS_F32, a);
    }
    launch l = launch_begin(context, "gemm");
    launch_tensor(&l, a);
    launch_tensor(&l, b);
    launch_tensor(&l, c);
    launch_tensor(&l, y);
    launch_int(&l, y->dims[1]);
    launch_int(&l, a->dims[at->transA != 0 ? 0 : 1]);
    launch_int(&l, at->transA != 0 ? 1 : a->dims[1]);
    launch_int(&l, at->transA != 0 ? a->dims[1] : 1);
    launch_int(&l, at->transB != 0 ? 1 : b->dims[1]);
    launch_int(&l, at->transB != 0 ? b->dims[1] : 1);
    put_addend(&l, c);
    launch_float(&l, at->alpha);
    launch_float(&l, at->beta);
    return launch_end(&l, y->elements);
}

int tenure_Gemm_13(const tenure_Gemm_13_attributes *at, const tenure_tensor *a,
                   const tenure_tensor *b, const tenure_tensor *c, const tenure_tensor *y,
                   const tenure_context *context) {
    return gemm(at, a, b, c, y, context);
}

/* The older definitions have the same attributes. */
#define OLDER(version)                                                                             \
    int tenure_Gemm_##version(const tenure_Gemm_##version##_attributes *at,                        \
                              const tenure_tensor *a, const tenure_tensor *b,                      \
                              const tenure_tensor *c, const tenure_tensor *y,                      \
                              const tenure_context *context) {                                     \
        tenure_Gemm_13_attributes now = {0};                                                       \
        now.alpha = at->alpha;                                                                     \
        now.beta = at->beta;                                                                       \
        now.transA = at->transA;                                                                   \
        now.transB = at->transB;                                                                   \
        return gemm(&now, a, b, c, y, context);                                                    \
    }
OLDER(9)
OLDER(11)

/* ---- MatMul ---- */

/* The operand's axes in front of its matrices, as a tensor of matrices. */
static tenure_tensor batch_of(const tenure_tensor *t) {
    tenure_tensor batch = *t;
    batch.rank = (uint8_t)(t->rank > 2 ? t->rank - 2 : 0);
    return batch;
}

static int multiply(const tenure_tensor *a, const tenure_tensor *b, const tenure_tensor *y,
                    const tenure_context *c) {
    tenure_tensor of_a = batch_of(a), of_b = batch_of(b);
    uint8_t rank = of_a.rank > of_b.rank ? of_a.rank : of_b.rank;
    walk walk_a, walk_b;
    int error = walk_of(&of_a, y->dims, rank, &walk_a);
    error = error == 0 ? walk_of(&of_b, y->dims, rank, &walk_b) : error;
    if (error != 0 || a->dtype != TENURE_DTYPE_F32) {
        return error != 0 ? error : BAD_TYPE(KNOWS_F32, a);
    }
    launch l = launch_begin(c, "products");
    launch_tensor(&l, a);
    launch_tensor(&l, b);
    launch_tensor(&l, y);
    launch_int(&l, a->rank > 1 ? a->dims[a->rank - 2] : 1);
    launch_int(&l, b->rank > 1 ? b->dims[b->rank - 1] : 1);
    launch_int(&l, a->dims[a->rank - 1]);
    launch_walk(&l, &walk_a.dims);
    launch_walk(&l, &walk_a.steps);
    launch_walk(&l, &walk_b.steps);
    return launch_end(&l, y->elements);
}

KERNEL_BINARY(MatMul, 1, multiply)
KERNEL_BINARY(MatMul, 9, multiply)
KERNEL_BINARY(MatMul, 13, multiply)
