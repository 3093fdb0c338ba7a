/* Linear units in front of a maximum of windows. */
#ifndef TENURE_IR_GRADIENT_POOL_FIRST_H
#define TENURE_IR_GRADIENT_POOL_FIRST_H

#include "ir/gradient/emit_ops.h"

/* The largest element of a window is the same whether elements below 0 become 0 before or after it
 * is taken. A Relu of which one MaxPool alone reads goes behind that: its gradient then reads the
 * smaller tensor, and what flows back is equal, as elements at or below 0 get nothing either way.
 * `loss` stays. The result keeps the name that the MaxPool gave it; VALUE_pooled is the largest of
 * VALUE, which the Relu read. Returns how many went. */
uint32_t tn_pool_first(tn_emitter *e, const tn_value *loss);

#endif
