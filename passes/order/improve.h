/* Ways to better orders of large parts, none of them with a proof. */
#ifndef TENURE_PASSES_ORDER_IMPROVE_H
#define TENURE_PASSES_ORDER_IMPROVE_H

#include "passes/order/sched.h"

/* Divides along the minimum cut of the op with the greatest bound, again and again, until `limit`
 * arcs of flow networks were looked at. `order` is replaced, for better or worse. Returns the arcs.
 */
uint64_t tn_order_divide(tn_arena *arena, const tn_sched *p, uint64_t limit, uint32_t *order);

typedef struct tn_window_ask {
    uint64_t bound;    /* peaks up to here need no improvement */
    uint32_t reach;    /* positions to either side of the peak, at first */
    uint32_t windows;  /* tried at most */
    uint64_t each;     /* work a window, as in tn_search_ask */
    uint64_t work;     /* left for all, counted down */
    uint64_t expanded; /* states, added to */
} tn_window_ask;

/* Searches windows of `order` round its peak; never makes it worse. */
void tn_order_windows(tn_arena *arena, const tn_sched *p, tn_window_ask *ask, uint32_t *order);

#endif
