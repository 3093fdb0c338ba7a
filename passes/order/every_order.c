#include "passes/order/every_order.h"

tn_every_order tn_every_order_make(tn_arena *arena, const tn_sched *p, uint32_t steps) {
    return (tn_every_order){.at = tn_op_state_make(arena, p),
                            .done = TN_ARRAY(arena, bool, p->n),
                            .order = TN_ARRAY(arena, uint32_t, p->n),
                            .steps = steps};
}

static bool fits(const tn_every_order *e, uint32_t v, uint64_t below) {
    return !e->done[v] && e->at.waits[v] == 0 && tn_op_state_cost(&e->at, v).during < below;
}

static void place(tn_every_order *e, uint32_t v) {
    tn_op_state_run(&e->at, v);
    e->done[v] = true;
    e->order[e->len++] = v;
    e->next = 0;
}

/* The last op placed makes way for the one after it. */
static void step_back(tn_every_order *e) {
    uint32_t v = e->order[--e->len];
    tn_op_state_undo(&e->at, v);
    e->done[v] = false;
    e->next = v + 1;
}

bool tn_every_order_next(tn_every_order *e, uint64_t below) {
    uint32_t n = e->at.p->n;
    if (e->len == n && n > 0) {
        step_back(e);
    }
    while (e->steps > 0) {
        while (e->next < n && !fits(e, e->next, below)) {
            e->next++;
        }
        if (e->next < n) {
            place(e, e->next);
            e->steps--;
            if (e->len == n) {
                return true;
            }
        } else if (e->len > 0) {
            step_back(e);
        } else {
            return false;
        }
    }
    return false;
}
