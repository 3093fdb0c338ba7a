/* A backward part that no name gives away, found by its structure: the inverse of what makes
 * gradients. A product Y = F(X, P) of a parameter P has, in the backward part, a product of X with
 * a value D that depends on Y and has its shape; what that gives is of P's shape, and is handed out
 * or updates state. Which ops are products, and which only move or scale what they read, is what
 * the formulas of the op table name (ir/ops/grad_text.h). */
#ifndef TENURE_PASSES_ANALYSIS_TRAINING_STRUCTURE_H
#define TENURE_PASSES_ANALYSIS_TRAINING_STRUCTURE_H

#include "ir/module.h"

/* By op id: the ops of the main graph that only gradients need, up to the products found; NULL
 * where there is no backward part. `bound` by value id: bound to state; the parameters found are
 * set in `param`, by value id. Two parameters must have gradients, or one that is updated or stands
 * beside an output of one float, a loss: one product alone may be chance. Inference graphs end
 * soon: a value is only looked at if it is an output or an operand of an update. */
const bool *tn_backward_by_structure(const tn_module *m, const bool *bound, bool *param,
                                     tn_arena *arena);

#endif
