/* Hooks: what happens round a pass without the pass knowing. Each kind is one file, hook_<kind>.c,
 * with one maker that returns NULL when the settings do not ask for it. They write to the output
 * callback of the settings; nothing here prints. */
#ifndef TENURE_PASSES_CORE_HOOKS_H
#define TENURE_PASSES_CORE_HOOKS_H

#include "passes/core/pipeline.h"

/* Receives text for a person (dumps, tables), in pieces. */
typedef struct tn_text_out {
    void (*fn)(void *user, const char *text, size_t len);
    void *user;
} tn_text_out;

/* What a run shall do besides running. All zero but bisect_limit: nothing. */
typedef struct tn_run_settings {
    tn_names print_before, print_after; /* names of passes */
    bool print_before_all, print_after_all, print_changed;
    bool verify_each, time_passes, stats;
    bool brief;           /* what other orders would need is not found out for the report */
    bool is_judgement;    /* that alone is found out, and no plan is made */
    bool keep_best;       /* the first wish for an end ends searches alone */
    int64_t bisect_limit; /* passes from this number (counted from 1) on are skipped; -1: none */
    tn_text_out out;
    /* Receives a text that repeats an internal failure (a module with the rest of the pipeline in a
     * comment); NULL: not wanted. */
    tn_text_out reproducer;
    tn_sink *log;               /* --print-log, see tn_pass_ctx; NULL: off */
    tn_refusals *refusals;      /* receives what passes refuse; NULL: not wanted */
    const tn_plan_worth *worth; /* of plans with open dimensions; NULL: all are */
    tn_order_facts *orders;     /* receives what is known of other orders; NULL: not wanted */
} tn_run_settings;

tn_run_settings tn_run_settings_default(void);

/* Where in a run a hook is called. */
typedef struct tn_run_at {
    tn_ctx *ctx;
    tn_module *module;
    const tn_plan *plan;         /* NULL before there is one */
    const tn_pipeline *pipeline; /* completed */
    uint32_t index;              /* of the pass in it */
    const tn_pass_info *pass;
    const uint64_t *stats;   /* counters of this run of the pass */
    const uint64_t *refused; /* by tn_reason */
    tn_arena *arena;         /* lives as long as the run */
    tn_status status;        /* after: of the pass */
    bool raised;             /* after: the pass did not return, it raised */
} tn_run_at;

typedef struct tn_hook tn_hook;
struct tn_hook {
    /* Any of them may be NULL. `before` returns false to have the pass skipped; then its `after` is
     * not called. `after` may turn success into failure. Both run in the order of the chain. */
    bool (*before)(tn_hook *hook, const tn_run_at *at);
    tn_status (*after)(tn_hook *hook, const tn_run_at *at);
    void (*end)(tn_hook *hook, tn_ctx *ctx); /* once, after the last pass */
    const tn_run_settings *settings;
    void *state; /* of the kind */
};

typedef struct tn_hooks {
    tn_hook **data;
    uint32_t len, cap;
} tn_hooks;

/* The chain the settings ask for, in `arena`: bisect first (a skipped pass is neither timed nor
 * printed), timing last (so that it measures the pass alone). */
void tn_hooks_make(tn_arena *arena, const tn_run_settings *settings, tn_hooks *out);
bool tn_hooks_before(const tn_hooks *hooks, const tn_run_at *at);
/* The first failure of any hook, or at->status. */
tn_status tn_hooks_after(const tn_hooks *hooks, tn_run_at *at);
void tn_hooks_end(const tn_hooks *hooks, tn_ctx *ctx);

/* For hooks: sends what a sink holds and empties it. */
void tn_hook_send(const tn_hook *hook, tn_sink *text);
bool tn_names_has(tn_names names, const char *name);
/* The module as text, in `arena`. */
const char *tn_hook_module_text(tn_arena *arena, const tn_module *m, size_t *len);

/* Sends a reproducer: the module's text, then in a comment what failed and how to run it again. */
void tn_reproducer_send(const tn_run_settings *settings, tn_arena *arena, const char *module,
                        size_t len, const char *what, const tn_pipeline *p, uint32_t from);

tn_hook *tn_hook_bisect(tn_arena *arena, const tn_run_settings *settings);
tn_hook *tn_hook_print(tn_arena *arena, const tn_run_settings *settings);
tn_hook *tn_hook_changed(tn_arena *arena, const tn_run_settings *settings);
tn_hook *tn_hook_reproduce(tn_arena *arena, const tn_run_settings *settings);
tn_hook *tn_hook_verify(tn_arena *arena, const tn_run_settings *settings);
tn_hook *tn_hook_stats(tn_arena *arena, const tn_run_settings *settings);
tn_hook *tn_hook_time(tn_arena *arena, const tn_run_settings *settings);

#endif
