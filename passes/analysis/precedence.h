/* Which steps are done before which others start, whatever a runtime does that the plan allows: one
 * order (TN_SERIAL), data dependences alone (TN_DATAFLOW), or these and the order of each queue
 * (TN_QUEUES). An op with bodies begins before their steps and ends after them. */
#ifndef TENURE_PASSES_ANALYSIS_PRECEDENCE_H
#define TENURE_PASSES_ANALYSIS_PRECEDENCE_H

#include "ir/base/bits.h"
#include "passes/analysis/liveness.h"

typedef struct tn_precedence {
    const tn_steps *steps;
    const uint64_t *before;  /* by step a set (ir/base/bits.h) of those done before it starts; NULL:
                                all with a lower number (TN_SERIAL) */
    const uint64_t *by_data; /* the same by data alone */
    uint32_t words;          /* a set */
    const uint32_t *queue;   /* by step; NULL but for TN_QUEUES */
} tn_precedence;

/* n * n bits for n steps. A module of more than TN_MAX_CONCURRENT is refused unless all is serial.
 * Depends on ops, order, names and what liveness does. */
const tn_precedence *tn_get_precedence(tn_analyses *an);

/* Whether step a is done before step b starts. */
static inline bool tn_precedes(const tn_precedence *p, uint32_t a, uint32_t b) {
    return p->before == NULL ? a < b : tn_bit_has(p->before + (size_t)b * p->words, a);
}

/* Whether two graphs lie in different branches of one op: bodies without arguments, of which one
 * runs. */
bool tn_never_both(const tn_graph *x, const tn_graph *y);

/* Whether step a is done before step b starts in every run that has both: of the branches of an op
 * one runs. */
bool tn_is_ordered(const tn_precedence *p, uint32_t a, uint32_t b);

/* The first step at which `live`'s value is used that need not be done before `step` starts, other
 * than `step` itself and what `except` reads (NULL: nothing is excepted); TN_NO_STEP when there is
 * none. *reader is who reads it then, or NULL. Not asked: who needs it after the run. */
uint32_t tn_use_after(const tn_precedence *p, const tn_live *live, uint32_t step,
                      const tn_op *except, const tn_op **reader);

/* Steps on the longest chain of those that run something (`runs`, by step), where a step comes
 * after all that `before` has in its set. Sets as in tn_precedence. */
uint32_t tn_longest_chain(tn_arena *scratch, const uint64_t *before, uint32_t words,
                          const bool *runs, uint32_t n);

#endif
