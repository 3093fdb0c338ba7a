/* A set of ops that have run, and what follows from it: which bytes are live, which ops are ready.
 */
#ifndef TENURE_PASSES_ORDER_OP_STATE_H
#define TENURE_PASSES_ORDER_OP_STATE_H

#include "passes/order/sched.h"

/* A tensor as searches look at it again and again. */
typedef struct tn_op_tensor {
    uint64_t size;
    uint32_t left;      /* ops that have not run */
    uint32_t untouched; /* what `left` is where the next op makes it live; NEVER where it is live */
    uint32_t last;      /* what `left` is where it dies with the next op; NEVER where it does not */
} tn_op_tensor;

typedef struct tn_op_state {
    const tn_sched *p;
    uint32_t *waits;      /* by op: dependencies that have not run */
    tn_op_tensor *tensor; /* by tensor */
    uint64_t live;        /* with the base */
} tn_op_state;

/* No op has run. */
tn_op_state tn_op_state_make(tn_arena *arena, const tn_sched *p);

/* Bytes in use while op v runs next, and after it. */
typedef struct tn_step_cost {
    uint64_t during, after;
} tn_step_cost;
tn_step_cost tn_op_state_cost(const tn_op_state *w, uint32_t v);

/* Adds an op to the set, or takes one out. The order of calls does not matter, so one set can be
 * made from another by their differences; in between, ops may be in the set without what they
 * depend on. */
void tn_op_state_run(tn_op_state *w, uint32_t v);
void tn_op_state_undo(tn_op_state *w, uint32_t v);

#endif
