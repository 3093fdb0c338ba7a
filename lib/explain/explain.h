/* Why each tensor lies where it does, and what makes the peak. */
#ifndef TENURE_LIB_EXPLAIN_H
#define TENURE_LIB_EXPLAIN_H

#include "lib/planner.h"

typedef struct tn_explain_args {
    bool json, changes, advice;
    int64_t limit, advice_steps;
} tn_explain_args;

tn_explain_args tn_explain_defaults(void);
tn_setting_group tn_explain_group(tn_explain_args *a);
/* After the options are read: TN_USAGE for what does not fit. */
TN_MUST_USE tn_status tn_explain_check(const tn_explain_args *a, tn_ctx *ctx);
/* Plans copies of `m` as `r` asks, but without a capacity, and says what was done to the tensors
 * (globs, perhaps in quotes) or, without any, to all. */
TN_MUST_USE tn_status tn_explain_model(tn_arena *arena, const tn_module *m, const tn_request *r,
                                       const tn_explain_args *a, tn_names tensors, tn_sink *out);
/* What a plan that was read says of itself, variant after variant: no refusals, changes and advice,
 * for which its model has to be planned. */
TN_MUST_USE tn_status tn_explain_plan(tn_arena *arena, const tn_plan *p, const tn_explain_args *a,
                                      tn_names tensors, tn_sink *out);

#endif
