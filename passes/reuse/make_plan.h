/* One plan with the aliases of a choice: what the pass `reuse` does, and does again and again where
 * it tries other aliases. */
#ifndef TENURE_PASSES_REUSE_MAKE_PLAN_H
#define TENURE_PASSES_REUSE_MAKE_PLAN_H

#include "passes/alias/choose.h"
#include "passes/core/pass.h"
#include "passes/plan/overlap_pairs.h"

typedef struct tn_planning {
    tn_pass_ctx *c;
    tn_controls want;
    tn_layout_ask ask;
    tn_alias_choice choice;
    bool inside;            /* results may begin inside operands: pairs of such are looked for */
    tn_work_order order;    /* of kernels whose facts state none */
    tn_overlap_pairs pairs; /* found for the aliases of the choice */
} tn_planning;

/* The pairs of the choice, in `arena`. */
void tn_planning_find_pairs(tn_planning *p, tn_arena *arena);

/* *made is the caller's. TN_NOFIT without a word where a `trial` does not fit, of which only cost
 * and places are looked at; else statuses come after a diagnostic. */
TN_MUST_USE tn_status tn_make_plan(tn_planning *p, bool trial, tn_plan **made);

/* What is known of other orders, in the report. */
void tn_plan_state_orders(tn_plan *plan, const tn_order_facts *facts);

#endif
