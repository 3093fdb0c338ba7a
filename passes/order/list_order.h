/* An order made in one go, in near-linear time: what all searches have to beat at first. */
#ifndef TENURE_PASSES_ORDER_LIST_ORDER_H
#define TENURE_PASSES_ORDER_LIST_ORDER_H

#include "passes/order/sched.h"

/* List scheduling: of the ready ops always the one after which the fewest bytes are live, of equal
 * ones the one that became ready last. */
void tn_order_list(tn_arena *scratch, const tn_sched *p, uint32_t *out);

#endif
