/* Other orders of a module's graphs: found on a model of them, and compared by the manager, which
 * has the passes behind lay the arena out in each. */
#ifndef TENURE_PASSES_SCHEDULE_TRY_ORDERS_H
#define TENURE_PASSES_SCHEDULE_TRY_ORDERS_H

#include "passes/core/pass.h"

/* The ops of each graph with their dependencies, as local numbers. */
typedef struct tn_order_graphs {
    const uint32_t *local;      /* by op id */
    const uint32_t *first_op;   /* by graph id, one more at the end: its part of `ops` */
    const uint32_t *first_edge; /* the same for `pairs` */
    const uint32_t *first_kept; /* by graph id: the first of its pairs at the end that no order has
                                   to follow, but which state is updated where it lies by */
    tn_op *const *ops;
    const uint32_t (*pairs)[2];
} tn_order_graphs;

typedef struct tn_order_outcome {
    uint64_t given, peak, bound; /* of the main graph, bodies inside: live bytes with aliases */
    uint64_t expanded, parts, moved;
    bool proven; /* no order needs less: the arena meets the bound, or the peak if none was laid out
                  */
} tn_order_outcome;

/* Called when the candidates are settled. */
typedef void tn_order_report(tn_pass_ctx *c, const tn_order_outcome *outcome);

/* Whether other orders are looked at unasked: not where the module is too large for that. */
bool tn_orders_are_probed(const tn_module *m);

/* The order at hand, which must be valid, one of the fewest live bytes, and others of small graphs.
 * States in c->order what is known of other orders. With `report` NULL the order stays as it is:
 * a quick search finds out whether another one would do better (tn_orders_are_probed). */
tn_candidates tn_order_candidates(tn_pass_ctx *c, const tn_order_graphs *graphs,
                                  tn_analyses *preview, const tn_intent *intent,
                                  tn_order_report *report);
/* Orders of the fewest live bytes with other decisions of the passes behind join them. What is
 * stated of other orders stays. */
tn_candidates tn_order_more(const tn_candidates *first, tn_analyses *preview,
                            const tn_intent *intent);

#endif
