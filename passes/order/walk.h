/* A set of ops that have run, and what it means: what is live, and which ops could run next. */
#ifndef TENURE_PASSES_ORDER_WALK_H
#define TENURE_PASSES_ORDER_WALK_H

#include "passes/order/sched.h"

typedef struct tn_walk {
    const tn_sched *p;
    uint32_t *waits; /* by op: dependencies that have not run */
    uint32_t *left;  /* by tensor: ops that have not run */
    uint64_t live;   /* with the base */
} tn_walk;

/* Nothing has run. */
tn_walk tn_walk_make(tn_arena *arena, const tn_sched *p);

/* Bytes in use while `v` runs now, and after it. */
typedef struct tn_step_cost {
    uint64_t during, after;
} tn_step_cost;
tn_step_cost tn_walk_cost(const tn_walk *w, uint32_t v);

/* Adds an op, or removes one that has run. The order of calls does not matter, so one set can be
 * made from another by their differences; the sets in between need not be closed. */
void tn_walk_run(tn_walk *w, uint32_t v);
void tn_walk_undo(tn_walk *w, uint32_t v);

static inline uint32_t tn_rows_len(const tn_rows *r, uint32_t i) {
    return r->start[i + 1] - r->start[i];
}

#endif
