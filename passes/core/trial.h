/* Trying out what passes behind the one at hand would decide: they are run on the module as it is,
 * silently and without hooks, and everything they decide is then undone. They may decide about
 * aliases, flags and the plan; passes that change more must not be named. */
#ifndef TENURE_PASSES_CORE_TRIAL_H
#define TENURE_PASSES_CORE_TRIAL_H

#include "passes/core/pass.h"

typedef struct tn_trial {
    tn_pass_ctx *c;
    tn_status status;           /* of the first pass that failed; its diagnostics are dropped */
    tn_analyses *analyses;      /* of the module with all decisions in it; NULL after a failure */
    tn_plan *plan;              /* the last plan made, or NULL */
    struct tn_decision *before; /* by value id */
} tn_trial;

/* Runs those passes behind the one at hand that are named, in their order. The decisions stay in
 * the module until tn_trial_undo, which must be called before anything else changes it. Raises only
 * TN_NOMEM. */
void tn_trial_run(tn_trial *t, tn_pass_ctx *c, const tn_names *passes);
void tn_trial_undo(tn_trial *t);

/* What option `name` is set to for the first pass `pass` behind the one at hand; NULL when there is
 * no such pass. */
const char *tn_option_behind(const tn_pass_ctx *c, const char *pass, const char *name);

/* The same for the last pass `pass` before the one at hand. */
const char *tn_option_before(const tn_pass_ctx *c, const char *pass, const char *name);

#endif
