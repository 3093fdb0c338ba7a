/* Known elements of operands and results: the part of inference that follows shape arithmetic.
 *
 * Elements of integers and booleans are dims (symbols allowed, single ones may be unknown).
 * Elements of floats are doubles, or dims where a float tensor is known to hold whole numbers that
 * are expressions (a shape cast to float). */
#ifndef TENURE_IR_INFER_CONTENT_H
#define TENURE_IR_INFER_CONTENT_H

#include "ir/infer/infer.h"

typedef struct tn_elems {
    uint32_t n;
    const tn_dim *dims;   /* or NULL */
    const double *floats; /* or NULL */
} tn_elems;

/* The known elements of operand k; false when there are none, or when their number does not agree
 * with the operand's shape. They may become elements of results, and nothing else may depend on
 * them. */
bool tn_in_elems(const tn_infer *in, uint32_t k, tn_elems *out);
void tn_out_elems(tn_infer *in, uint32_t r, const tn_elems *e);
/* n elements: e[from[i]]. */
tn_elems tn_elems_pick(const tn_infer *in, const tn_elems *e, uint32_t n, const uint32_t *from);
/* The shape of a constant-shaped type as numbers, and its element count; false when some dim is
 * open or the count is above TN_MAX_CONTENT. */
bool tn_static_shape(const tn_infer *in, uint32_t rank, const tn_dim *dims, uint32_t *out,
                     uint32_t *count);
/* For each element of a result of `shape`, the index into an operand whose element (i, j, ...) lies
 * at sum(i * stride[0], ...) + base: the one loop behind Transpose, Slice, Expand, Gather, Tile. */
uint32_t *tn_index_map(const tn_infer *in, uint32_t rank, const uint32_t *shape, uint32_t count,
                       const int64_t *strides, int64_t base);
/* Row-major strides of `shape`. */
int64_t *tn_row_major(const tn_infer *in, uint32_t rank, const uint32_t *shape);

/* Elements of operand k repeated to the broadcast shape `dims`; false when something is open. */
bool tn_elems_broadcast(tn_infer *in, uint32_t k, uint32_t rank, const tn_dim *dims, tn_elems *out);

#endif
