/* Kernels in OpenCL C (1.2), made from nests (ir/compute): one of each nest, printed by
 * backends/kernels. The range of work-items goes over the outer axes of the nest, the innermost of
 * them along dimension 0. Three forms:
 *
 *   items  a work-item an element, or a few along an axis for which what they read in common is
 *          read once; what a nest cannot make in any order it makes in loops inside of a work-item
 *   rows   a work-group a row: the work-items share sums over it, which meet in local memory, and
 *          after them the elements of the row
 *
 * Operands and the result are pairs of arguments, a buffer of bytes and a number of bytes (ulong)
 * from its start, which is a multiple of the element's size. Several may be one buffer. */
#ifndef TENURE_BACKENDS_KERNELS_CL_KERNELS_CL_H
#define TENURE_BACKENDS_KERNELS_CL_KERNELS_CL_H

#include "backends/kernels/kernels_c.h"

typedef struct tn_cl_kernel {
    const char *text; /* what stands behind the name: parameters and statements */
    uint64_t global[3];
    uint32_t local[3];  /* of which `global` is a multiple */
    uint32_t *operands; /* positions, n of them, of the first arguments; the result is the last */
    uint32_t n_operands;
    bool index; /* one more argument: an int in global memory, which is set to the step's number, in
                   a last argument, where an operand holds what is no index */
} tn_cl_kernel;

/* What a kernel has to know of the step beside its nest. */
typedef struct tn_cl_over {
    const uint32_t *operands; /* positions of those under the nest's result, n of them */
    uint32_t n;
} tn_cl_over;

/* The kernel of a nest of `c`, in the arena of that. `t` has the prefixes. */
void tn_cl_kernel_make(const tn_kernel_text *t, const tn_compute *c, const tn_nest *n,
                       tn_cl_over over, tn_cl_kernel *out);

/* What stands in front of kernels: types, and of the helpers those that they call. @M and @m stand
 * for the prefixes. In `arena`. */
const char *tn_cl_prelude(tn_arena *arena, const char *kernels);

#endif
