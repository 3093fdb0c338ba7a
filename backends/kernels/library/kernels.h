/* What the kernels of this folder share. They are portable C99, plain rather than fast: programs
 * hold those they need (backends/kernels/library_text.h). Compiled by themselves they go without
 * -fstrict-aliasing. Put fast ones of your own in their place by the macros
 * TENURE_KERNEL_<Op>_<version> (docs/PROGRAM.md).
 *
 * A kernel gives back 0, or an error of kernel_errors.h; tenure's programs then end with the number
 * of the step.
 */
#ifndef KERNELS_H
#define KERNELS_H

#include <math.h>
#include <string.h>

#include "kernel_errors.h"
#include "tenure_kernels.h"

enum { MAX_RANK = 8 };

/* Elements, read and written as the type that the tensor has. Tensors of different types take turns
 * in the same bytes. */
#define IN(x, type) ((const type *)(x)->data)
#define OUT(y, type) ((type *)(y)->data)

/* Floats of a vector, 1: there are none. A program says how many (docs/PROGRAM.md). */
#if defined(KERNEL_LANES)
#elif defined(__GNUC__) && defined(__AVX512F__)
#define KERNEL_LANES 16
#elif defined(__GNUC__) && defined(__AVX__)
#define KERNEL_LANES 8
#elif defined(__GNUC__) && (defined(__SSE2__) || defined(__ARM_NEON) || defined(__VSX__))
#define KERNEL_LANES 4
#else
#define KERNEL_LANES 1
#endif

/* One prototype after another that run the same function: KERNEL_UNARY(Relu, 6, relu) is
 * tenure_Relu_6. */
#define KERNEL_UNARY(op, version, function)                                                        \
    int tenure_##op##_##version(const tenure_tensor *x, const tenure_tensor *y,                    \
                                const tenure_context *c) {                                         \
        (void)c;                                                                                   \
        return function(x, y);                                                                     \
    }
#define KERNEL_BINARY(op, version, function)                                                       \
    int tenure_##op##_##version(const tenure_tensor *a, const tenure_tensor *b,                    \
                                const tenure_tensor *y, const tenure_context *c) {                 \
        (void)c;                                                                                   \
        return function(a, b, y);                                                                  \
    }

/* The same for the oldest definitions, whose attributes were hints to the runtimes of their day. */
#define KERNEL_UNARY_1(op, function)                                                               \
    int tenure_##op##_1(const tenure_##op##_1_attributes *attributes, const tenure_tensor *x,      \
                        const tenure_tensor *y, const tenure_context *c) {                         \
        (void)attributes;                                                                          \
        (void)c;                                                                                   \
        return function(x, y);                                                                     \
    }

/* ---- convolution.c ---- */

/* Bytes of workspace that the kernel needs for the way of the step. */
#define KERNEL_CONV_WORKSPACE(version)                                                             \
    size_t tenure_Conv_##version##_workspace(const tenure_Conv_##version##_attributes *attributes, \
                                             const tenure_tensor *x, const tenure_tensor *kernel,  \
                                             const tenure_tensor *bias, const tenure_tensor *y,    \
                                             const tenure_context *c)
KERNEL_CONV_WORKSPACE(1);
KERNEL_CONV_WORKSPACE(11);
KERNEL_CONV_WORKSPACE(22);

/* ---- elements.c ---- */

/* Bytes of an element; 0 where elements are packed. */
size_t element_width(const tenure_tensor *t);
/* Whether elements are integers or truths: these are read and written as int64_t. */
int is_whole(const tenure_tensor *t);
int64_t whole_at(const tenure_tensor *t, size_t i);
void put_whole(const tenure_tensor *t, size_t i, int64_t v);
/* An element of f32, or an integer as a float. */
float float_at(const tenure_tensor *t, size_t i);
/* Bytes to where they belong, which may be where they are. */
void move_bytes(unsigned char *to, const unsigned char *from, size_t n);
/* Where the element with index `i` in row-major order lies, and which one lies at `at`: other
 * numbers with channels last alone. */
size_t lies_at(const tenure_tensor *t, size_t i);
size_t element_at(const tenure_tensor *t, size_t at);
/* The same for an element-wise kernel: where the operand's element for what lies at `at` of the
 * result is. */
size_t beside(const tenure_tensor *x, const tenure_tensor *y, size_t at);
/* Says, before any is written, that result number `result`, y, has so many elements along the axis;
 * KERNEL_BAD_VALUE where there is no room for them, or the plan was made for another number. */
int found_extent(const tenure_context *c, uint32_t result, const tenure_tensor *y, size_t axis,
                 size_t n);
/* All elements, as they are. */
int copy_all(const tenure_tensor *x, const tenure_tensor *y);

/* Integers that say how a kernel works: those the plan knows, or else the elements of an operand.
 */
typedef struct numbers {
    const int64_t *at;
    const tenure_tensor *operand;
    size_t count; /* 0 when left out */
} numbers;
numbers numbers_of(tenure_ints known, const tenure_tensor *operand);
int64_t number_at(const numbers *n, size_t i);
/* An axis counted from the front. */
size_t axis_of(int64_t axis, size_t rank);
/* Whether the axis is among them; `none` when there are none. */
int has_axis(const numbers *axes, size_t axis, size_t rank, int none);

/* ---- floats.c ---- */

/* Whether elements are floats of 16, 32 or 64 bits, which are read and written as double. */
int is_float(const tenure_tensor *t);
double double_at(const tenure_tensor *t, size_t i);
void put_double(const tenure_tensor *t, size_t i, double v);
/* n of them as floats of 32 bits: where they lie, or in `room`. */
const float *floats_from(const tenure_tensor *t, size_t i, size_t n, float *room);
void put_floats(const tenure_tensor *t, size_t i, size_t n, const float *from);

/* ---- walking.c ---- */

/* Elements from one index of an axis to the next, and how many elements lie before and behind it:
 * before * extent * behind are all. `axis` may be the rank: then behind is 1 and extent 1. */
typedef struct split {
    size_t before, extent, behind;
} split;
split split_at(const tenure_tensor *t, size_t axis);

/* Steps between elements of an operand when the result is walked in its order, axis by axis from
 * the back: 0 along axes that are broadcast. 0, or KERNEL_BAD_SHAPE. */
typedef struct walk {
    uint8_t rank;
    size_t dims[MAX_RANK], steps[MAX_RANK];
} walk;
int walk_broadcast(const tenure_tensor *operand, const tenure_tensor *result, walk *w);
/* Where the operand's element for element `i` of the result is. */
size_t walk_index(const walk *w, size_t i);
/* One more axis behind the others; MAX_RANK of them at most. A step backwards is a negative number
 * as a size_t. */
int walk_append(walk *w, size_t extent, size_t step);
/* The same walk with as few axes as will do. */
void walk_join(walk *w);
/* Elements of y, in their order, from those of x along the walk, beginning with x's element
 * `start`. */
int copy_walk(const tenure_tensor *x, const tenure_tensor *y, walk w, size_t start);
/* Where the operand's element for what lies at `i` of the result is, when the operand is broadcast
 * to it. */
size_t broadcast_index(const tenure_tensor *operand, const tenure_tensor *result, size_t i);
/* Whether the operand may be broadcast to the result: else KERNEL_BAD_SHAPE. */
int check_broadcast(const tenure_tensor *operand, const tenure_tensor *result);

#endif
