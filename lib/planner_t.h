/* What planning and checking have in common. */
#ifndef TENURE_LIB_PLANNER_T_H
#define TENURE_LIB_PLANNER_T_H

#include "ir/base/map.h"
#include "lib/planner.h"

struct tn_fuse_memory;

/* One planning: what it is to be made with. */
typedef struct tn_making {
    const tn_request *r;
    tn_arena *arena;
    const tn_pipeline *pipeline;
    const tn_run_settings *settings;
    const tn_plan *based_on;
    const tn_map *apart;                /* values that no group keeps; NULL: any may be kept */
    struct tn_fuse_memory *fuse_memory; /* NULL: there are no groups */
    bool brief;                         /* searches look at fewer forms */
    struct tn_order_memory *orders;     /* of all forms */
    tn_sink before;                     /* the module, where a reproducer may be wanted */
} tn_making;

/* Takes out of the module what an earlier plan left in it, and says what there is to say of it. */
void tn_making_begin(tn_making *w, tn_module *module);
/* Runs w's pipeline; *plan is NULL where there is none. */
TN_MUST_USE tn_status tn_making_run(const tn_making *w, tn_module *module,
                                    const tn_run_settings *settings, tn_plan **plan);
/* Stamps the plan with where it comes from, and has it checked: one that the checker refuses is
 * dropped, and TN_INTERNAL. */
TN_MUST_USE tn_status tn_making_finish(tn_making *w, tn_module *module, tn_plan **plan);
/* All that for a module without open dimensions: of the forms with groups of ops and with parts
 * that the pipeline asks for, the one that needs least. */
TN_MUST_USE tn_status tn_plan_forms(tn_making *w, tn_module *module, tn_plan **plan);
/* The dimensions that the request sets to numbers, *n of them. */
tn_plan_dim *tn_planner_dims(tn_arena *arena, const tn_request *r, const tn_module *m, uint32_t *n);
/* Runs a pipeline that makes no plan, written as text. */
TN_MUST_USE tn_status tn_planner_text(const tn_request *r, tn_module *module, const char *text);
/* Infers types without diagnostics; *warnings: how many there would have been. */
TN_MUST_USE tn_status tn_planner_infer(const tn_request *r, tn_module *m, uint32_t *warnings);

/* Calls fn without diagnostics, which are on again whatever happens inside; *warnings: how many
 * there would have been. */
tn_status tn_planner_silently(tn_ctx *ctx, tn_status (*fn)(tn_ctx *ctx, void *arg), void *arg,
                              uint32_t *warnings);

#endif
