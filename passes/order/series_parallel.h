/* Series-parallel parts, exactly. */
#ifndef TENURE_PASSES_ORDER_SERIES_PARALLEL_H
#define TENURE_PASSES_ORDER_SERIES_PARALLEL_H

#include "passes/order/sched.h"

/* The problem with more dependencies: chains that stand side by side between the same two ops, and
 * share no bytes but those of the first op, become one chain in the order of tn_hills_merge, and so
 * on outwards. Some optimal order respects them. `order` is one that does, near `given`. Stops
 * early when `limit` edges and touches were looked at. */
tn_sched tn_order_merge_chains(tn_arena *arena, const tn_sched *p, uint64_t limit,
                               const uint32_t *given, uint32_t *order);

#endif
