/* Time turned round. */
#ifndef TENURE_PASSES_ORDER_REVERSE_H
#define TENURE_PASSES_ORDER_REVERSE_H

#include "passes/order/sched.h"

/* The problem whose orders are those of `p` backwards, at the same peaks: dependencies are turned
 * round, operands become results. What is hard in one direction is often easy in the other. False
 * when the workspace of an op depends on which of them starts a tensor. */
bool tn_order_reverse(tn_arena *arena, const tn_sched *p, tn_sched *out);

/* An order from back to front, in place. */
void tn_order_turn(uint32_t *order, uint32_t n);

#endif
