#include "passes/order/every_order.h"

#include "passes/order/op_state.h"

bool tn_order_visit_all(tn_arena *scratch, const tn_sched *p, tn_visit_ask *ask) {
    tn_op_state w = tn_op_state_make(scratch, p);
    bool *done = TN_ARRAY(scratch, bool, p->n);
    uint32_t *order = TN_ARRAY(scratch, uint32_t, p->n), len = 0, v = 0;
    for (uint32_t steps = 0;;) {
        while (v < p->n &&
               (done[v] || w.waits[v] > 0 || tn_op_state_cost(&w, v).during >= ask->below)) {
            v++;
        }
        if (v < p->n) {
            if (steps++ == ask->steps) {
                return false;
            }
            tn_op_state_run(&w, v);
            done[v] = true;
            order[len++] = v;
            v = 0;
            if (len < p->n) {
                continue;
            }
            if (!ask->visit(ask->user, order)) {
                return false;
            }
        }
        if (len == 0) {
            return true;
        }
        v = order[--len];
        tn_op_state_undo(&w, v);
        done[v++] = false;
    }
}
