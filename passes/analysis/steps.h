/* Numbering of steps: positions in the schedule over all depths of nesting, as ir/plan/plan.h
 * defines them. An op without nested graphs has one step; an op with nested graphs has a begin
 * step, then the steps of its bodies in order, then an end step. */
#ifndef TENURE_PASSES_ANALYSIS_STEPS_H
#define TENURE_PASSES_ANALYSIS_STEPS_H

#include "passes/core/analysis.h"

#define TN_NO_STEP UINT32_MAX

typedef struct tn_step_at {
    tn_op *op;
    bool is_end; /* the end step of an op with nested graphs */
} tn_step_at;

typedef struct tn_steps {
    uint32_t n;
    const tn_step_at *at;        /* n of them, in execution order */
    const uint32_t *begin, *end; /* by op id; equal for ops without nested graphs; TN_NO_STEP for
                                    ops outside the main graph (erased, initialization graphs) */
} tn_steps;

/* Linear in the number of ops. Depends on ops and their order. */
const tn_steps *tn_get_steps(tn_analyses *an);

/* The step behind which there is a shape of the run that the op reads of operand k
 * (tn_shape_of_run), or TN_NO_STEP. */
uint32_t tn_shape_made_at(const tn_steps *steps, const tn_op *op, uint32_t k);

#endif
