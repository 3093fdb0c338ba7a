/* Extents that only a run knows, for data give them: how many elements are not 0, how many boxes
 * are left. Each is a symbol of its own, so that no two that differ ever look equal, with a limit
 * (tn_dim_limit) that follows from the definition of the op, or that the user states. */
#ifndef TENURE_IR_INFER_BY_DATA_H
#define TENURE_IR_INFER_BY_DATA_H

#include "ir/infer/infer.h"

/* The extent of result r along `axis`, of which the op shows that it is `most` at most
 * (TN_DIM_UNKNOWN: nothing). The file's name for it is taken where no other extent has it; a number
 * that the user states counts. TN_DIM_UNKNOWN where nobody knows a limit. All results of one op
 * that have the extent get it by one call. */
tn_dim tn_extent_by_data(tn_infer *in, uint32_t r, uint32_t axis, tn_dim most);

#endif
