/* What the kernels of this folder share. They are portable C99, plain rather than fast: start from them, and put
 * fast ones of your own beside them by the macros TENURE_KERNEL_<Op>_<version> (docs/PROGRAM.md).
 *
 * A kernel gives back 0, or one of these; tenure's programs then end with the number of the step. */
#ifndef KERNELS_H
#define KERNELS_H

#include <math.h>
#include <string.h>

#include "tenure_kernels.h"

enum {
    KERNEL_BAD_TYPE = 1,  /* an element type that the kernel does not know */
    KERNEL_BAD_SHAPE = 2, /* more axes than MAX_RANK, or extents that do not fit together */
    KERNEL_BAD_VALUE = 3  /* an attribute or an element that the kernel does not know or that must not be */
};

enum { MAX_RANK = 8 };

/* Elements, read and written as the type that the tensor has. Tensors of different types take turns in the same
 * bytes: compile with -fno-strict-aliasing. */
#define IN(x, type) ((const type *)(x)->data)
#define OUT(y, type) ((type *)(y)->data)

/* One prototype after another that run the same function: KERNEL_UNARY(Relu, 6, relu) is tenure_Relu_6. */
#define KERNEL_UNARY(op, version, function)                                                                  \
    int tenure_##op##_##version(const tenure_tensor *x, const tenure_tensor *y, const tenure_context *c) {   \
        (void)c;                                                                                             \
        return function(x, y);                                                                               \
    }
#define KERNEL_BINARY(op, version, function)                                                                 \
    int tenure_##op##_##version(const tenure_tensor *a, const tenure_tensor *b, const tenure_tensor *y,      \
                                const tenure_context *c) {                                                   \
        (void)c;                                                                                             \
        return function(a, b, y);                                                                            \
    }

/* Elements from one index of an axis to the next, and how many elements lie before and behind it:
 * before * extent * behind are all. `axis` may be the rank: then behind is 1 and extent 1. */
typedef struct split {
    size_t before, extent, behind;
} split;
split split_at(const tenure_tensor *t, size_t axis);

/* Steps between elements of an operand when the result is walked in its order, axis by axis from the back: 0 along
 * axes that are broadcast. 0, or KERNEL_BAD_SHAPE. */
typedef struct walk {
    uint8_t rank;
    size_t dims[MAX_RANK], steps[MAX_RANK];
} walk;
int walk_broadcast(const tenure_tensor *operand, const tenure_tensor *result, walk *w);
/* Where the operand's element for element `i` of the result is. */
size_t walk_index(const walk *w, size_t i);

#endif
