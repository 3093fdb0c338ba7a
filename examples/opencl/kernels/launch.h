/* What the kernels of this folder share. A kernel of a program is a C function with a prototype of
 * tenure_kernels.h that enqueues OpenCL kernels: of tensors it knows type and extents at once, and
 * their bytes are buffers (tenure_cl_place) that only OpenCL reads and writes.
 *
 * They are plain rather than fast: one work-item an element or a row. Put fast ones of your own
 * beside them by the macros TENURE_KERNEL_<Op>_<version> (docs/PROGRAM.md). */
#ifndef LAUNCH_H
#define LAUNCH_H

#include <tenure_cl.h>

#include "kernel_errors.h"
#include "tenure_kernels.h"

enum { MAX_RANK = 8 };

/* What the caller of tenure_cl_run gives as `user`. */
typedef struct device_kernels {
    cl_program program;
    struct {
        const char *name;
        cl_kernel kernel;
    } made[64]; /* each when it is first wanted */
    size_t n;
} device_kernels;
void device_kernels_release(device_kernels *k);

/* A command of the step: arguments in order, then launch_end. An error stays until there. */
typedef struct launch {
    tenure_cl_call *call;
    cl_kernel kernel;
    cl_uint n;
    int error; /* of OpenCL, or KERNEL_... */
} launch;
launch launch_begin(const tenure_context *c, const char *kernel);
void launch_tensor(launch *l, const tenure_tensor *t); /* NULL: one that is left out */
void launch_int(launch *l, int64_t x);
void launch_ints(launch *l, const int64_t *x, size_t n); /* each an argument */
void launch_float(launch *l, float x);
/* One work-item each. 0, or the error. */
int launch_end(launch *l, size_t work_items);

/* Steps between elements of an operand when a result is gone through in its order: 0 along axes
 * that are broadcast. The last axis is the last entry; what a tensor has fewer of is 1 and 0. */
typedef struct walk {
    cl_int8 dims, steps;
} walk;
/* 0, or KERNEL_BAD_SHAPE. */
int walk_of(const tenure_tensor *operand, const tenure_dim *dims, uint8_t rank, walk *w);
void launch_walk(launch *l, const cl_int8 *part);

/* Elements before, along and behind an axis. `axis` may be the rank. */
typedef struct split {
    size_t before, extent, behind;
} split;
split split_at(const tenure_tensor *t, size_t axis);

/* ---- copying.c ---- */

/* All bytes of x to y, from one element on each. */
int copy_elements(const tenure_tensor *x, const walk *from, size_t first_from,
                  const tenure_tensor *y, const walk *to, size_t first_to, size_t n,
                  const tenure_context *c);

/* One prototype after another that run the same function: KERNEL_UNARY(Relu, 6, relu) is
 * tenure_Relu_6. */
#define KERNEL_UNARY(op, version, function)                                                        \
    int tenure_##op##_##version(const tenure_tensor *x, const tenure_tensor *y,                    \
                                const tenure_context *c) {                                         \
        return function(x, y, c);                                                                  \
    }
#define KERNEL_BINARY(op, version, function)                                                       \
    int tenure_##op##_##version(const tenure_tensor *a, const tenure_tensor *b,                    \
                                const tenure_tensor *y, const tenure_context *c) {                 \
        return function(a, b, y, c);                                                               \
    }

#endif
