/* What follows for a group of ops from the rows of its ops alone, without what they compute. */
#ifndef TENURE_IR_OPS_GROUP_CLAIMS_H
#define TENURE_IR_OPS_GROUP_CLAIMS_H

#include "ir/ops/claims.h"

/* An operand or result of an op that may be a part of a fused one (tn_op.was); NULL: left out. */
tn_value *tn_part_operand(const tn_op *part, uint32_t k);
tn_value *tn_part_result(const tn_op *part, uint32_t r);
/* Whether the op stands for several of the model whose kernel tenure makes (TN_FUSED_DOMAIN). */
bool tn_op_is_group(const tn_op *op);
/* Whether the element that the last of n ops makes at a place needs of `x`, which one of them
 * reads, the element at this place alone: whatever reads it or follows from it works element by
 * element, without broadcasting that, or gives it another shape. */
bool tn_group_is_elementwise(const tn_op *const *parts, uint32_t n, const tn_value *x);

#endif
