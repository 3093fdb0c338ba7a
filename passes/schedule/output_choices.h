/* The best order of one graph of a module, with the choice which operands lie in outputs. */
#ifndef TENURE_PASSES_SCHEDULE_OUTPUT_CHOICES_H
#define TENURE_PASSES_SCHEDULE_OUTPUT_CHOICES_H

#include "passes/order/order_memory.h"
#include "passes/schedule/order_model.h"

enum { TN_MAX_OUTPUT_CHOICES = 5 };

typedef struct tn_order_ask {
    const tn_graph *g;
    uint32_t n;                  /* its ops, by local number in the following */
    const uint32_t *given;       /* the order at hand */
    const uint32_t (*before)[2]; /* dependencies */
    uint32_t n_before;
    const uint64_t *workspace;
    const tn_sched_options *options;
    tn_order_memory *memory; /* or NULL */
    uint32_t max_choices;    /* operands looked at in and out of an output, at most
                                TN_MAX_OUTPUT_CHOICES: up to 2^n problems */
} tn_order_ask;

/* The best order of the graph, over all ways in which outputs may be written over operands; clears
 * model->exact when there are too many of those to look at. All in `arena`. */
tn_sched_result tn_order_solve(tn_order_model *model, tn_arena *arena, const tn_order_ask *ask);

#endif
