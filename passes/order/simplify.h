/* Structure that costs nothing to fix. */
#ifndef TENURE_PASSES_ORDER_SIMPLIFY_H
#define TENURE_PASSES_ORDER_SIMPLIFY_H

#include "passes/order/sched.h"

/* The problem with more dependencies, such that some optimal order respects them; `order` is one
 * that does, near `given`. Ops that cost nothing and wait for nothing come first, and ops that only
 * fill a tensor for one reader come right before it. */
tn_sched tn_order_simplify(tn_arena *arena, const tn_sched *p, const uint32_t *given,
                           uint32_t *order);

/* By position in `order`: whether the op there is comparable with all others. What comes before it
 * comes before it in every order, so waists divide the problem without loss. */
const bool *tn_order_waists(tn_arena *arena, const tn_sched *p, const uint32_t *order);

#endif
