/* What is different between two plans, and why. */
#ifndef TENURE_LIB_DIFF_H
#define TENURE_LIB_DIFF_H

#include "ir/plan/plan.h"
#include "lib/request/setting.h"

typedef struct tn_diff_args {
    const char *format; /* "text", "json", "html" */
    int64_t limit;
    bool exit_code;
} tn_diff_args;

tn_diff_args tn_diff_defaults(void);
tn_setting_group tn_diff_group(tn_diff_args *a);
/* After the options are read: TN_USAGE for what does not fit. */
TN_MUST_USE tn_status tn_diff_check(const tn_diff_args *a, tn_ctx *ctx);
/* Writes what has changed, program by program and variant by variant. Whether anything has: a
 * figure, or the place, life, size or aliases of a value, or the order. */
bool tn_diff_plans(const tn_plan *before, const tn_plan *after, const tn_diff_args *a,
                   tn_sink *out);

#endif
