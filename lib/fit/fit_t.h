/* Private to lib/fit. */
#ifndef TENURE_LIB_FIT_T_H
#define TENURE_LIB_FIT_T_H

#include "lib/fit/fit.h"

/* The search: what is tried, and with what. */
typedef struct tn_fitting {
    tn_fit *f;
    tn_trials trials;
    const tn_request *request;  /* as asked, with the artefacts' wishes */
    const tn_artefact *program; /* the C program among the artefacts; NULL: none */
    double most_operations;     /* tn_fit_operations */
    const tn_rung *base;        /* on top of which something is tried; NULL: nothing */
    bool small;                 /* the program is looked at in less code */
} tn_fitting;

/* Tries everything that is allowed; the rungs are filled in, and which is chosen. Called inside
 * tn_trials_run. */
tn_status tn_fit_search(tn_ctx *ctx, void *fitting);
/* tn_trials.look: what the program needs beside the plan, from its text. */
tn_status tn_fit_look(void *fitting, const tn_plan *p, tn_outcome *o);
/* Options of `plan` with the change on top of what was asked of `fit`; and the command line. */
TN_MUST_USE tn_status tn_fit_settle(tn_fit *f, const tn_options *asked, const char *model);

/* The option of the artefact that makes kernels small, and its value. */
#define TN_FIT_CODE_OPTION "kernels"
#define TN_FIT_CODE_SMALL "small"
/* "--overlap=rows --io=arena", of the first settings up to one without a key. */
const char *tn_fit_options(tn_arena *arena, const tn_change *c);
/* "as planned", "--overlap=rows". */
const char *tn_rung_name(const tn_rung *r);
/* "kept", "more operations than allowed", ...; "" for one that is the result. */
const char *tn_rung_end_text(const tn_rung *r);
/* "fits with", ...: goes on with the measures. */
const char *tn_fit_verdict(const tn_fit *f);
/* Operations that the rung adds, as a part of the model's. */
double tn_rung_operations(const tn_rung *r);
/* What it needs by its outcome, and whether that is within the budgets. */
void tn_rung_weigh(const tn_fit_args *a, tn_rung *r);

#endif
