/* Element-wise arithmetic on known elements. Folding follows 32 and 64 bit integers, booleans,
 * and floats of 16 to 64 bits; elements of other types are not followed: their arithmetic wraps in
 * ways that shape arithmetic never uses. */
#ifndef TENURE_IR_INFER_FOLD_H
#define TENURE_IR_INFER_FOLD_H

#include "ir/infer/content.h"

/* What an op does to one element; NULL: not followed for that kind of element. A function on dims
 * answers TN_DIM_UNKNOWN when it cannot prove the result. */
typedef struct tn_fold1 {
    tn_dim (*dims)(tn_infer *in, tn_dim a);
    double (*floats)(double a);
} tn_fold1;
typedef struct tn_fold2 {
    tn_dim (*dims)(tn_infer *in, tn_dim a, tn_dim b);
    double (*floats)(double a, double b);
} tn_fold2;

bool tn_foldable(tn_dtype dtype);
/* Result 0 = f(operand 0). */
void tn_fold_unary(tn_infer *in, const tn_fold1 *f);
/* Result 0 = operand 0 f operand 1 f ..., all operands, broadcast to `dims`. */
void tn_fold_nary(tn_infer *in, const tn_fold2 *f, uint32_t rank, const tn_dim *dims);
/* Elements of floats as dims: the whole numbers among them, unknown for the rest. */
const tn_dim *tn_elems_as_dims(const tn_infer *in, const tn_elems *e);
/* Sets the known elements of result 0, whose element type is `dtype`: rounds floats, drops integers
 * that do not fit, turns float tensors held as dims into plain floats when all are constant. */
void tn_fold_store(tn_infer *in, tn_dtype dtype, const tn_elems *e);

#endif
