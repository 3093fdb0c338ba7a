/* What a Dropout leaves of its operand, by the mask that it gave. */
#ifndef TENURE_IR_GRADIENT_DROPOUT_H
#define TENURE_IR_GRADIENT_DROPOUT_H

#include "ir/gradient/emit_ops.h"

/* Whether the op is a Dropout in training that gives its mask, and what it multiplies by is known:
 * its result can be had without drawing again. */
bool tn_dropout_has_mask(const tn_op *op);
/* That result, of plain ops: `x` and `mask` are what the op reads and gives, or copies. */
tn_value *tn_dropout_by_mask(tn_emitter *e, const tn_op *op, tn_value *x, tn_value *mask);

#endif
