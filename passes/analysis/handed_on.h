/* States that a loop hands on as they are, from round to round: what exporters make of weights and
 * lengths that a body reads. The argument has the data of the operand in all rounds, and so has the
 * result: neither needs bytes of its own. */
#ifndef TENURE_PASSES_ANALYSIS_HANDED_ON_H
#define TENURE_PASSES_ANALYSIS_HANDED_ON_H

#include "passes/core/analysis.h"

/* The state of a loop, in all its forms; `result` may be NULL. */
typedef struct tn_loop_state {
    tn_value *operand, *argument, *output, *result;
} tn_loop_state;

/* How many states a loop has whose forms, as operand, argument, output and result, may be one; 0
 * where the body does not fit its op, or it is no loop. */
uint32_t tn_n_loop_states(const tn_op *op);
tn_loop_state tn_loop_state_get(const tn_op *op, uint32_t k);

/* By value. Followed by `from`, the output of a state that is handed on leads to its argument. */
typedef struct tn_handed_on {
    tn_value *const *from; /* what has the same data, of the values of such a state: the operand for
                              its argument, the argument for its result, what the op that makes it
                              only looks at for others; NULL for all other values */
    const bool *in_round;  /* on that way: if it lay elsewhere, each round would copy it */
} tn_handed_on;

/* Linear in ops and states. */
const tn_handed_on *tn_get_handed_on(tn_analyses *an);

static inline bool tn_is_handed_on(const tn_handed_on *h, const tn_loop_state *x) {
    return h->from[x->argument->id] != NULL;
}

#endif
