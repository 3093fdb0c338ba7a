/* Rounding whose gradient is taken as if it did not round (the straight-through estimator: Y.
 * Bengio et al., "Estimating or Propagating Gradients Through Stochastic Neurons for Conditional
 * Computation", arXiv:1308.3432). Rows say what that is in column .straight. */
#ifndef TENURE_IR_GRADIENT_STRAIGHT_THROUGH_H
#define TENURE_IR_GRADIENT_STRAIGHT_THROUGH_H

#include "ir/gradient/emit_ops.h"

/* Writes the quantisers of the main graph and of its bodies as plain ops on floats that compute the
 * same: Quant (of brevitas and qonnx), and DequantizeLinear of what a QuantizeLinear makes. Weights
 * that are whole numbers with a DequantizeLinear behind them become parameters, `NAME_float`, that
 * are rounded on the way. Returns how many ops it replaced. What has no such form is a located
 * error. */
uint32_t tn_straighten(tn_emitter *e);

#endif
