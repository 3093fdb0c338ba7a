/* An order by minimum cuts; proves nothing. */
#ifndef TENURE_PASSES_ORDER_DIVIDE_H
#define TENURE_PASSES_ORDER_DIVIDE_H

#include "passes/order/sched.h"

/* Puts the ops that run before the one with the greatest bound where that bound is reached in front
 * of it, all others behind it, and goes on with both sides where they cost more than `bound`, until
 * `limit` arcs of flow networks were looked at. `order` becomes the best order on the way, at first
 * it is the order given. Returns the arcs. */
uint64_t tn_order_divide(tn_arena *arena, const tn_sched *p, uint64_t bound, uint64_t limit,
                         uint32_t *order);

#endif
