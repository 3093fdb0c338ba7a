/* Kernels in C, made from nests (ir/compute): the statements of a function, for the types and
 * extents of one op.
 *
 * Sums of products go by tiles: some rows at a time, of each as many neighbours as a vector has
 * lanes, all in registers while channels and taps go by. Everything else is plain loops, as
 * compilers like them. */
#ifndef TENURE_BACKENDS_KERNELS_KERNELS_C_H
#define TENURE_BACKENDS_KERNELS_KERNELS_C_H

#include "ir/base/sink.h"
#include "ir/compute/compute.h"

/* How a kernel is written. */
typedef struct tn_kernel_text {
    tn_sink *out;
    const char *symbol, *macro;                 /* prefixes: "net", "NET" */
    const char *const *operand, *const *result; /* pointers to the data of each, as expressions */
    bool small;                                 /* loops as they are: less code, more time */
    bool threads; /* the outermost loop of much work by all threads of OpenMP */
    bool opencl;  /* in OpenCL C (backends/kernels_cl), which has one name for a function of floats
                     of all widths, and tables in an address space */
} tn_kernel_text;

/* What stands in front of kernels: types, and of the helpers those that they call. @M and @m stand
 * for the prefixes. In `arena`. */
const char *tn_kernels_prelude(tn_arena *arena, const char *kernels);

/* The statements for all nests of `c`, which are not empty. True where operands may hold what is no
 * index: a local `bad` then says whether one does. */
bool tn_kernel_put_nests(const tn_kernel_text *t, const tn_compute *c);

#endif
