/* A bound over all orders where the model of orders (order_model.h) knows too little of what the
 * passes behind may do: views of parts that they may give up, states of loops that may lie in one
 * place, arguments of called functions that may be written over. It counts contents instead of
 * storages (contents.h): at every step, what is wanted of it later. Whatever shares bytes with
 * what, no plan has fewer. */
#ifndef TENURE_PASSES_SCHEDULE_ORDER_FLOOR_H
#define TENURE_PASSES_SCHEDULE_ORDER_FLOOR_H

#include "passes/order/order_memory.h"
#include "passes/schedule/order_model.h"
#include "passes/schedule/try_orders.h"

typedef struct tn_floor_ask {
    const tn_order_graphs *graphs;
    const tn_order_model_ask *model;
    const tn_sched_options *options;
    tn_order_memory *memory; /* or NULL */
    uint64_t enough;         /* a bound as high needs no more work */
    uint32_t max_cases;      /* of views of parts that lie in the whole, or for themselves */
} tn_floor_ask;

/* Bytes that no order of the module needs less of, or 0 where none are known. Built while the
 * decisions of the pass `pin` stand in the module. */
uint64_t tn_order_floor(tn_arena *arena, tn_module *m, tn_analyses *an, const tn_floor_ask *ask);

#endif
