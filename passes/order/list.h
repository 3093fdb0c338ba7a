/* Orders made in one go, near-linear: the first incumbents of everything else. */
#ifndef TENURE_PASSES_ORDER_LIST_H
#define TENURE_PASSES_ORDER_LIST_H

#include "passes/order/sched.h"

/* Forwards, and from the end backwards. */
void tn_order_list(tn_arena *scratch, const tn_sched *p, uint32_t *out);
void tn_order_list_reversed(tn_arena *scratch, const tn_sched *p, uint32_t *out);

#endif
