/* Orders of a module's graphs for the smallest arena: model, search, and the proof of the pudding,
 * which is laying the arena out in both orders. */
#ifndef TENURE_PASSES_PLANNER_MIN_PEAK_H
#define TENURE_PASSES_PLANNER_MIN_PEAK_H

#include "passes/core/pass.h"

/* The ops of each graph with their dependencies, as local numbers. */
typedef struct tn_order_graphs {
    const uint32_t *local;      /* by op id */
    const uint32_t *first_op;   /* by graph id, one more at the end: its part of `ops` */
    const uint32_t *first_edge; /* the same for `pairs` */
    tn_op *const *ops;
    const uint32_t (*pairs)[2];
} tn_order_graphs;

typedef struct tn_order_outcome {
    uint64_t given, peak, bound; /* of the main graph, bodies inside: live bytes with aliases */
    uint64_t expanded, parts, moved;
    bool proven; /* no order needs less: the arena meets the bound, or the peak if none was laid out
                  */
} tn_order_outcome;

/* Moves the ops if that makes the arena smaller. The order at hand must be valid. */
void tn_order_min_peak(tn_pass_ctx *c, const tn_order_graphs *graphs, tn_order_outcome *out);

/* Leaves the order as it is and states in c->order what another one would need; does nothing for
 * modules too large to find out on the side. */
void tn_order_look_round(tn_pass_ctx *c, const tn_order_graphs *graphs);

#endif
