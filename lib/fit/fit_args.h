/* What `tenure fit` is asked: budgets, and what may be done to keep them. */
#ifndef TENURE_LIB_FIT_ARGS_H
#define TENURE_LIB_FIT_ARGS_H

#include "lib/advice/measures.h"

typedef struct tn_fit_args {
    uint64_t ram, flash;    /* budgets in bytes, what the program needs included; 0: none */
    uint64_t slow;          /* bytes of a slower memory; 0: there is none */
    const char *stack;      /* bytes of the program, in place of the estimate; NULL: not given */
    const char *operations; /* more than the model has, "30%"; NULL: any number */
    const char *allow;      /* names of measures, with commas; NULL: all */
    bool all;               /* go on with all classes when the budget is reached */
    int64_t steps;          /* all plans together have at most so many */
    const char *report, *save_project; /* files; NULL: none */
    bool quiet;
} tn_fit_args;

tn_fit_args tn_fit_defaults(void);
tn_setting_group tn_fit_group(tn_fit_args *a);
/* After the options are read: TN_USAGE for what is missing or does not go together. */
TN_MUST_USE tn_status tn_fit_check(const tn_fit_args *a, const tn_request *r, tn_ctx *ctx);

/* The part of the model's operations by which these may grow; infinite without a limit. */
double tn_fit_operations(const tn_fit_args *a);
/* Whether measures of the class may be tried. */
bool tn_fit_allows(const tn_fit_args *a, tn_measure_class in);

#endif
