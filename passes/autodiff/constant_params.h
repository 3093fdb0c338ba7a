/* Weights that a file has as Constant nodes. */
#ifndef TENURE_PASSES_AUTODIFF_CONSTANT_PARAMS_H
#define TENURE_PASSES_AUTODIFF_CONSTANT_PARAMS_H

#include "ir/gradient/emit_ops.h"

/* Whether the value is a tensor of floats of more than one element, an initializer or what a
 * Constant holds. Single numbers are mostly constants of formulas (an epsilon, an exponent), which
 * nobody trains. */
bool tn_holds_weights(const tn_value *v);
/* Makes initializers of the same names of such Constants of the main graph: only these can become
 * state, which an optimizer updates. */
void tn_constants_to_initializers(tn_emitter *e);
/* Makes parameters of the main graph of the weights that bodies of branches and loops hold, so that
 * all rounds share one gradient. */
void tn_lift_weights(tn_emitter *e);
/* Exporters store equal initializers once, and those of a fresh network are equal that hold one
 * number again and again (scales, shifts). Each op that a gradient flows through to such an
 * initializer gets a copy of its own, named after its result and operand; the first keeps it. Those
 * with different elements stay shared: they are tied. */
void tn_separate_fills(tn_emitter *e);
/* Exporters store a matrix that embeds words and scores them twice, the second time transposed. Of
 * two initializers that are each other's transpose the one with fewer rows becomes a Transpose of
 * the other, so that they stay one parameter. Square matrices are not looked at. */
void tn_tie_transposes(tn_emitter *e);

#endif
