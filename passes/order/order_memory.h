/* Orders found before, by all that they were found from: plans of one model that differ in where
 * values lie, or in what is done in one go, ask for many of them again. */
#ifndef TENURE_PASSES_ORDER_ORDER_MEMORY_H
#define TENURE_PASSES_ORDER_ORDER_MEMORY_H

#include "passes/order/solve.h"

typedef struct tn_order_memory tn_order_memory;

/* What is remembered lies in `arena`. */
tn_order_memory *tn_order_memory_new(tn_arena *arena);
/* What tn_sched_min_peak gives, in `arena`; with `memory` NULL nothing is remembered. */
tn_sched_result tn_order_remembered(tn_order_memory *memory, tn_arena *arena, const tn_sched *p,
                                    const uint32_t *given, const tn_sched_options *o);

#endif
