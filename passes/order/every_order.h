/* The orders of a small problem one after the other, for whoever has to judge each by more than its
 * live bytes. */
#ifndef TENURE_PASSES_ORDER_EVERY_ORDER_H
#define TENURE_PASSES_ORDER_EVERY_ORDER_H

#include "passes/order/op_state.h"

typedef struct tn_every_order {
    tn_op_state at; /* after the ops of order[0 .. len-1] */
    bool *done;
    uint32_t *order; /* the order at hand, to be read until the next call */
    uint32_t len, next;
    uint32_t steps; /* ops that may still be placed, before it gives up */
} tn_every_order;

/* The problem must outlive it. */
tn_every_order tn_every_order_make(tn_arena *arena, const tn_sched *p, uint32_t steps);

/* The next order, lexicographically by op numbers, in which every op needs less than `below` bytes;
 * false when there is no other or no step is left. */
bool tn_every_order_next(tn_every_order *e, uint64_t below);

#endif
