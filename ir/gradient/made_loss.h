/* Losses over an output of an inference graph, with an input for what it should be. */
#ifndef TENURE_IR_GRADIENT_MADE_LOSS_H
#define TENURE_IR_GRADIENT_MADE_LOSS_H

#include "ir/gradient/emit_ops.h"

/* "mse(NAME)" split into its parts: the kind, and in `arena` the name as written. False where the
 * text has another form. Kinds are those of tn_made_loss_kinds. */
bool tn_made_loss_split(tn_arena *arena, const char *text, const char **kind, const char **name);
/* "mse, l1, bce, cross-entropy" */
const char *tn_made_loss_kinds(void);
/* Appends the loss of that kind over `out`, a scalar called "loss", and adds the input
 * "NAME_target":
 *   mse            mean of (out - target)^2
 *   l1             mean of |out - target|
 *   bce            mean of softplus(out) - out * target: out are scores, targets in [0, 1]
 *   cross-entropy  mean of -log softmax(out)[target]: out are scores [N,C,...], or the softmax (its
 *                  logarithm) of scores, which are taken instead; targets are int64 [N,...]
 * NULL where there is no such kind. */
tn_value *tn_made_loss(tn_emitter *e, const char *kind, tn_value *out);

#endif
