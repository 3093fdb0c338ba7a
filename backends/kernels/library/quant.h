/* What kernels of quantised tensors share: whole numbers q that stand for (q - zero point) * scale.
 */
#ifndef QUANT_H
#define QUANT_H

#include "windowing.h"

/* Element `i` of a tensor of whole numbers: 8, 16 and 32 bits, or 4 bits packed. */
int32_t quant_load(const tenure_tensor *t, size_t i);
/* The same for a scalar or one of many; 0 for an operand that is left out. */
int32_t quant_zero(const tenure_tensor *zero, size_t i);
/* Of one scale for all, or of one for each. */
float quant_scale(const tenure_tensor *scale, size_t i);
/* Whether quant_load and quant_store know the element type. */
int quant_is(const tenure_tensor *t);
/* Rounds half to even, adds the zero point, saturates. NaN gives the smallest number. */
void quant_store(const tenure_tensor *t, size_t i, float value, int32_t zero);

/* The scale and the zero point of a tensor. */
typedef struct quantum {
    float scale;
    int32_t zero;
} quantum;
quantum quantum_of(const tenure_tensor *scale, const tenure_tensor *zero);
/* Those of u8 that reach from the least to the greatest element, and 0. */
quantum quantum_for(const tenure_tensor *x);
/* An element as a float. */
float quant_float(const tenure_tensor *t, size_t i, quantum q);

/* As window_of, of (batch, axes..., channels) when these are last. */
int window_by_layout(const tenure_tensor *x, const tenure_tensor *y, int last, tenure_ints kernel,
                     tenure_ints strides, tenure_ints dilations, tenure_ints pads,
                     const char *auto_pad, window *w);
/* The window of a filter: what the attribute says, or else the extents of the filter, which `dims`
 * then holds. */
tenure_ints window_kernel(tenure_ints known, const tenure_tensor *filter, int64_t dims[SPATIAL]);
/* Where element `k` of the window stands on the image: 1 and `at`, or 0 for one in the padding. */
int window_tap(const window *w, const window_part *p, size_t k, size_t *at);

/* A product of stacks of matrices: `batch` times [m, k] by [k, n]. */
typedef struct side {
    size_t rank, dims[MAX_RANK], steps[MAX_RANK]; /* of the stack */
    size_t row, column;                           /* steps between elements */
} side;
typedef struct product {
    size_t batch, m, n, k;
    side a, b;
} product;
int product_init(product *p, const tenure_tensor *a, const tenure_tensor *b,
                 const tenure_tensor *y);
/* With transposed matrices, and with the rows in front of the stack. */
typedef struct turned {
    int matrix, stack;
} turned;
int product_turned(product *p, const tenure_tensor *a, turned ta, const tenure_tensor *b, turned tb,
                   const tenure_tensor *y);
/* Where the matrix of entry `i` of the result's stack begins. */
size_t side_at(const side *s, size_t i);

#endif
