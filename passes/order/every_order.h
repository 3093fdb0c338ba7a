/* Orders one after the other, for what no problem of ops and tensors can tell about them. */
#ifndef TENURE_PASSES_ORDER_EVERY_ORDER_H
#define TENURE_PASSES_ORDER_EVERY_ORDER_H

#include "passes/order/sched.h"

typedef struct tn_visit_ask {
    uint64_t below; /* only orders with a lower peak; the visitor may lower it */
    uint32_t steps; /* ops placed at most, before it gives up */
    /* False: enough. The order is the visitor's to read until it returns. */
    bool (*visit)(void *user, const uint32_t *order);
    void *user;
} tn_visit_ask;

/* Visits orders in lexicographic order of op numbers. True when there are no others. */
bool tn_order_visit_all(tn_arena *scratch, const tn_sched *p, tn_visit_ask *ask);

#endif
