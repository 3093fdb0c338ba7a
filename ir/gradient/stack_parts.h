/* Products of stacks of matrices, by parts of the stack. */
#ifndef TENURE_IR_GRADIENT_STACK_PARTS_H
#define TENURE_IR_GRADIENT_STACK_PARTS_H

#include "ir/gradient/emit_ops.h"

/* What a matrix of a stack is multiplied with, and what becomes of it until another product makes
 * it small again, as the scores of attention, is a matter of that matrix alone. Where a MatMul
 * makes a stack that is among the largest results of the module (at least half of the largest), ops
 * on single elements and along rows follow, and a MatMul with at most half the bytes ends it, all
 * of them are done for up to four parts of the stack, along its first axis of more than one
 * element. What the backward part makes again of it, and its gradients, are then alive one part at
 * a time. Nobody else may read what lies between. Operands become parts, the results are joined,
 * and keep their names. Returns the number of parts made. */
uint32_t tn_stacks_by_parts(tn_emitter *e);

#endif
