/* The loss that is differentiated: one of the model's values, or one made over an output. */
#ifndef TENURE_PASSES_AUTODIFF_CHOSEN_LOSS_H
#define TENURE_PASSES_AUTODIFF_CHOSEN_LOSS_H

#include "ir/gradient/emit_ops.h"

/* `text` is a name, a loss to make ("mse(NAME)", ir/gradient/made_loss.h), or "": the only result
 * of a loss op, or the only output where that has one element. */
TN_MUST_USE tn_status tn_choose_loss(tn_emitter *e, const char *text, tn_value **out);
/* A result of floats, with one element unless its gradient is given from outside. */
TN_MUST_USE tn_status tn_check_loss(tn_emitter *e, const tn_value *loss, bool given);

/* Other outputs than the loss, and what state becomes, are none, and what only they need is gone.
 */
void tn_drop_outputs(tn_emitter *e, tn_value *loss);

#endif
