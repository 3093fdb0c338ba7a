/* What the op Gradient (ai.onnx.preview.training) reads beyond its operands. It is symbolic: it
 * names tensors `xs` and `y` of its graph and stands for dy/dxs, so whatever the derivative may
 * need of the ops between them has to stay until it runs. Assumed here: all operands and results of
 * every op that lies on a path from an x to y. */
#ifndef TENURE_PASSES_ANALYSIS_DERIVATIVE_H
#define TENURE_PASSES_ANALYSIS_DERIVATIVE_H

#include "passes/analysis/steps.h"

/* Whether `op` is such an op: it has the attributes xs and y. */
bool tn_is_derivative(const tn_op *op);
/* Calls fn for each value a derivative reads (perhaps more than once), in a fixed order. Linear in
 * the steps before each such op; a module with more than TN_MAX_DERIVATIVES of them is refused. */
void tn_derivative_reads(const tn_module *m, const tn_steps *steps, tn_arena *scratch,
                         void (*fn)(void *user, const tn_value *v, const tn_op *op), void *user);

#endif
