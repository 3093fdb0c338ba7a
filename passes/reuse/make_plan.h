/* One plan with the aliases of a choice: what the pass `reuse` does, and does again and again where
 * it tries other aliases. */
#ifndef TENURE_PASSES_REUSE_MAKE_PLAN_H
#define TENURE_PASSES_REUSE_MAKE_PLAN_H

#include "passes/alias/choose.h"
#include "passes/core/pass.h"

typedef struct tn_planning {
    tn_pass_ctx *c;
    tn_controls want;
    tn_layout_ask ask;
    tn_alias_choice choice;
    bool may_overlap; /* some result might begin inside an operand */
} tn_planning;

/* *made is the caller's. TN_NOFIT without a word where a `trial` does not fit, of which only cost
 * and places are looked at; else statuses come after a diagnostic. */
TN_MUST_USE tn_status tn_make_plan(tn_planning *p, bool trial, tn_plan **made);

#endif
