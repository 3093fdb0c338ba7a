/* Live ranges of values, in steps (passes/analysis/steps.h), by the rules of ir/plan/plan.h:
 *
 *   - a result is written at its op's step; the results of an op with nested graphs at its end
 * step, stacked results of loops (scan outputs) from the begin step on, since every iteration
 * writes;
 *   - body arguments are written at the begin step; those of loops are live to the end step, those
 *     of calls to their last read; body outputs are read at the end step;
 *   - a call reads its operands at its begin step; other ops with nested graphs, and all for what
 *     their bodies capture, to their end step;
 *   - an operand of which only the shape is read keeps nothing alive;
 *   - a result nobody reads is live at its own step;
 *   - run-time inputs are written before step 0 (-1); outputs, and values that become state after
 * the run, are read after the last step (n_steps); constants and state live from -1 to n_steps;
 *   - the op Gradient reads everything its derivative may need between its xs and its y. */
#ifndef TENURE_PASSES_ANALYSIS_LIVENESS_H
#define TENURE_PASSES_ANALYSIS_LIVENESS_H

#include "ir/ops/claims.h"
#include "passes/analysis/steps.h"

typedef struct tn_read {
    uint32_t step;   /* until the end of which the value is read */
    const tn_op *op; /* reader in the value's own graph: for a captured value the op around it */
} tn_read;

typedef struct tn_live {
    bool scheduled; /* false: erased, or in an initialization graph; the rest is meaningless */
    int32_t first, last;
    const tn_read
        *reads; /* in order of step within one nesting level; reads by the caller left out */
    uint32_t n_reads;
} tn_live;

typedef struct tn_liveness {
    const tn_steps *steps;
    const tn_live *of; /* by value id */
} tn_liveness;

/* Linear in operands. Depends on ops, order, types (ranks tell stacked results) and attributes. */
const tn_liveness *tn_get_liveness(tn_analyses *an);

/* Step that writes a result or body argument; TN_NO_STEP for run-time inputs and constants. */
uint32_t tn_write_step(const tn_steps *steps, const tn_value *v);

#endif
