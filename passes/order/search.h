/* The exact search over sets of ops that have run, with a budget. */
#ifndef TENURE_PASSES_ORDER_SEARCH_H
#define TENURE_PASSES_ORDER_SEARCH_H

#include "passes/order/sched.h"

typedef struct tn_search_ask {
    uint64_t bound; /* peaks up to here are as good as any */
    uint64_t below; /* only orders with a lower peak are wanted */
    uint64_t work;  /* neighbours looked at, at most: a measure of time that is none */
} tn_search_ask;

typedef struct tn_search_found {
    bool found;        /* `out` holds an order with a peak below `below` */
    uint64_t bound;    /* no order has a lower peak, or at most ask.bound */
    uint64_t expanded; /* states */
    uint64_t work;
} tn_search_found;

/* Best first. When `found` is false and bound == below, there is no such order. */
tn_search_found tn_search_exact(tn_arena *scratch, const tn_sched *p, const tn_search_ask *ask,
                                uint32_t *out);

#endif
