/* Ops that work in another way during training. */
#ifndef TENURE_IR_GRADIENT_TRAINING_FORM_H
#define TENURE_IR_GRADIENT_TRAINING_FORM_H

#include "ir/gradient/emit_ops.h"

/* Puts every Dropout and BatchNormalization of the main graph in training form: elements are
 * dropped, and batches normalised by their own statistics. The running ones become state, bound to
 * what the op makes of them. Returns how many it changed; an operator set without such a form is an
 * error. */
uint32_t tn_training_forms(tn_emitter *e);

/* Exporters write tensors of equal elements once, such as the statistics of layers that were never
 * trained, and hand them on by Identity. Where one of them is to become state, the others become
 * initializers of their own, which do not change with it. */
void tn_separate_statistics(tn_emitter *e);
/* Whether the op is an Identity of the main graph whose result is no output. */
bool tn_copies(const tn_op *op);
/* What an Identity of an initializer gives as an initializer of its own, under its name. */
tn_value *tn_make_own(tn_emitter *e, tn_op *copy, const tn_tensor *tensor);

#endif
