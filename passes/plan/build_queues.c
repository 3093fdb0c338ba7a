/* The depth of a plan is that of its steps when each waits for all it has to wait for: by data, or
 * by the order of its queue as well. Steps with nothing to run cost nothing. */
#include "passes/plan/plan_build.h"

void tn_build_queues(tn_build *b) {
    tn_plan *p = b->p;
    const tn_precedence *order = b->order;
    if (order->before == NULL) {
        return;
    }
    bool *runs = TN_ARRAY(b->scratch, bool, p->n_steps);
    for (uint32_t s = 0; s < p->n_steps; s++) {
        p->steps[s].queue = order->queue != NULL ? order->queue[s] : 0;
        runs[s] = p->steps[s].kind == TN_STEP_OP && !p->steps[s].idle;
    }
    p->report.depth = tn_longest_chain(b->scratch, order->before, order->words, runs, p->n_steps);
    p->report.data_depth =
        tn_longest_chain(b->scratch, order->by_data, order->words, runs, p->n_steps);
}
