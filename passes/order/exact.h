/* The exact search for the order of least peak, with a budget. Solves small parts and windows. */
#ifndef TENURE_PASSES_ORDER_EXACT_H
#define TENURE_PASSES_ORDER_EXACT_H

#include "passes/order/sched.h"

typedef struct tn_search_ask {
    uint64_t bound; /* no order is known to have a lower peak, or none lower than this is wanted */
    uint64_t below; /* only orders with a lower peak are wanted */
    uint64_t work;  /* neighbours of ops looked at, at most */
    uint32_t without; /* as in tn_sched_options */
} tn_search_ask;

typedef struct tn_search_found {
    bool found;        /* `out` holds an order with a peak below `below` */
    uint64_t bound;    /* no order has a lower peak, unless ask.bound said so wrongly */
    uint64_t expanded; /* sets of ops whose successors were made */
    uint64_t work;
} tn_search_found;

/* When `found` is false and bound == below, there is no such order; else the budget was reached, as
 * it is at once for over 65,535 ops. Nothing stays in the context of `arena`. */
tn_search_found tn_search_exact(tn_arena *arena, const tn_sched *p, const tn_search_ask *ask,
                                uint32_t *out);

#endif
