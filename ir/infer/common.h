/* Helpers shared by shape rules: axes, broadcasting, windows, and copies of operand shapes. Arrays
 * they return are in the scratch arena and may be written. */
#ifndef TENURE_IR_INFER_COMMON_H
#define TENURE_IR_INFER_COMMON_H

#include "ir/infer/infer.h"

/* A list of axes, normalised into [0, rank). */
typedef struct tn_axes {
    bool given; /* the attribute or operand is there */
    bool known; /* its elements are known; `at` and `n` are set */
    uint32_t n;
    uint32_t *at;
} tn_axes;

/* Whether the model imports a version of the op's domain below `version`. A file that imports none
 * is read as the newest. */
static inline bool tn_before(const tn_infer *in, int64_t version) {
    return in->op->version > 0 && in->op->version < version;
}

/* True for an op whose parameters are attributes, as they were before `version` made operand k of
 * them. Files whose opset was raised without rewriting their nodes keep the attributes. */
static inline bool tn_by_attribute(const tn_infer *in, uint32_t k, int64_t version) {
    return tn_before(in, version) || !tn_in_has(in, k);
}
tn_dim tn_in_const(const tn_infer *in, int64_t value);
/* The element type of the first of operands first .. first+count-1 that has a known one. */
tn_dtype tn_in_dtype_any(const tn_infer *in, uint32_t first, uint32_t count);
/* A copy of the dims of operand k with space for `extra` more, or NULL when its rank is unknown. */
tn_dim *tn_in_dims(const tn_infer *in, uint32_t k, uint32_t extra, uint32_t *rank);
/* An array of `n` unknown dims. */
tn_dim *tn_dims_unknown(const tn_infer *in, uint32_t n);
/* The *n elements of an attribute of ints as dims, NULL when there is no such attribute. */
const tn_dim *tn_attr_dims(const tn_infer *in, const char *name, uint32_t *n);
/* The extent of a rank-1 operand when it is a constant: the length of a shape, pads, axes vector.
 */
bool tn_in_length(const tn_infer *in, uint32_t k, uint32_t *length);
/* The only element of operand k when it is known. */
bool tn_in_scalar(const tn_infer *in, uint32_t k, int64_t *value);
bool tn_in_scalar_float(const tn_infer *in, uint32_t k, double *value);
/* Axes from operand `k`, or from attribute `attr` when there is no such operand; NULL or
 * TN_NO_OPERAND leave one of them out. False after a conflict. */
#define TN_NO_OPERAND UINT32_MAX
bool tn_in_axes(tn_infer *in, const char *attr, uint32_t k, uint32_t rank, tn_axes *out);
/* Which axes of `rank` are in a known list: `rank` flags. */
bool *tn_axes_flags(const tn_infer *in, const tn_axes *axes, uint32_t rank);

/* Result r gets the shape of operand k, and element type `dtype`. */
void tn_out_like(tn_infer *in, uint32_t r, tn_dtype dtype, uint32_t k);
/* Result r gets one dim. */
void tn_out_vector(tn_infer *in, uint32_t r, tn_dtype dtype, tn_dim length);
void tn_out_scalar(tn_infer *in, uint32_t r, tn_dtype dtype);
/* `rank` unknown dims. */
void tn_out_rank(tn_infer *in, uint32_t r, tn_dtype dtype, uint32_t rank);
/* Says that the size of result r depends on the values of operand k, which are not known. */
void tn_out_depends(tn_infer *in, uint32_t r, uint32_t k);
/* An element type stored as an attribute: a TensorProto.DataType number, or its name (opset 1). */
tn_dtype tn_attr_dtype(const tn_infer *in, const char *name, tn_dtype fallback);

/* Two extents that must agree: the more precise one; a conflict when both are constants and
 * differ. */
tn_dim tn_same_dim(tn_infer *in, tn_dim a, tn_dim b, const char *what);
/* The joint extent of two dims broadcast against each other. Two different expressions give their
 * maximum: a valid model has equal numbers there, or a 1. */
tn_dim tn_broadcast_dim(tn_infer *in, tn_dim a, tn_dim b);
/* Broadcasts dims b (aligned at the end) into a, whose rank must not be smaller. */
void tn_broadcast_into(tn_infer *in, uint32_t rank, tn_dim *a, uint32_t rank_b, const tn_dim *b);
/* Joint shape of operands first .. first+count-1, missing ones skipped; NULL when some rank is
 * unknown or after a conflict. */
tn_dim *tn_broadcast_operands(tn_infer *in, uint32_t first, uint32_t count, uint32_t *rank);

/* The dims of a shape held as known elements of operand k (0 and -1 not interpreted); unknown ones
 * when only their number is known; NULL when not even that. */
const tn_dim *tn_in_shape_operand(tn_infer *in, uint32_t k, uint32_t *rank);

/* Result 0 = a * b as numpy.matmul has it: leading axes are broadcast; a vector is a matrix of one
 * row (left) or column (right), and the axis added for it is dropped again. */
void tn_out_product(tn_infer *in, tn_dtype dtype, uint32_t ra, const tn_dim *a, uint32_t rb,
                    const tn_dim *b);

/* Product of dims [from, to). */
tn_dim tn_dims_product(const tn_infer *in, const tn_dim *dims, uint32_t from, uint32_t to);

/* One axis of a convolution or pooling window. */
typedef struct tn_window {
    tn_dim kernel;
    int64_t stride, dilation, pad_begin, pad_end;
    bool same; /* auto_pad SAME_*: pads follow from the stride */
    bool ceil; /* round the number of windows up */
} tn_window;
/* Extent of the result along an axis of extent x; a conflict when a window is larger than all there
 * is. */
tn_dim tn_window_out(tn_infer *in, tn_dim x, const tn_window *w);
/* Reads strides, dilations, pads, auto_pad and ceil_mode for `n` spatial axes; kernel is left
 * unknown. NULL after a conflict (wrong lengths, strides below 1). */
tn_window *tn_attr_windows(tn_infer *in, uint32_t n);

#endif
