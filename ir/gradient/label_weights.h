/* How much each label of a loss over classes counts. */
#ifndef TENURE_IR_GRADIENT_LABEL_WEIGHTS_H
#define TENURE_IR_GRADIENT_LABEL_WEIGHTS_H

#include "ir/gradient/emit_ops.h"

/* Of the labels of `loss`, in their shape: its class's weight (`weights`: one a class, NULL: 1), 0
 * where the label is to be ignored. NULL where all count 1. */
tn_value *tn_label_weights(tn_emitter *e, const tn_op *loss, tn_value *labels, tn_value *weights,
                           tn_dtype dtype);

#endif
