/* The switches of the pass manager, as people know them from `tenure opt`: hooks and logs. */
#ifndef TENURE_LIB_REQUEST_RUN_ARGS_H
#define TENURE_LIB_REQUEST_RUN_ARGS_H

#include "lib/request/setting.h"
#include "passes/core/manager.h"

typedef struct tn_run_args {
    tn_run_settings settings; /* what is plain there; the rest is filled in by tn_run_begin */
    tn_texts print_before, print_after;
    const char *reproducer;
    bool print_pipeline, print_log, remarks;
} tn_run_args;

void tn_run_args_init(tn_run_args *a);
tn_setting_group tn_run_args_group(tn_run_args *a);
/* Names of passes. */
TN_MUST_USE tn_status tn_run_args_check(const tn_run_args *a, tn_arena *arena);

/* One run: what the settings point at. */
typedef struct tn_run {
    const tn_run_args *args;
    tn_ctx *ctx;
    tn_run_settings settings;
    tn_sink log;
    tn_refusals refusals;
} tn_run;

/* Checks the names and makes run->settings; `arena` and *run must stay until the end. */
TN_MUST_USE tn_status tn_run_begin(tn_run *run, const tn_run_args *a, tn_arena *arena);
/* Sends the log, and what was refused as remarks. */
void tn_run_end(const tn_run *run, tn_arena *arena);

/* To the context's handler of texts, if it has one. */
void tn_send_text(tn_ctx *ctx, const char *file, const char *text, size_t len);

#endif
