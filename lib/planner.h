/* From a model to a checked plan: what the command and the embedding interface share. */
#ifndef TENURE_LIB_PLANNER_H
#define TENURE_LIB_PLANNER_H

#include "backends/core/backend.h"
#include "lib/request/request.h"
#include "passes/core/manager.h"

/* Runs the request's pipeline. When it made a plan, *plan is stamped with where it comes from and
 * has passed the checker: a plan the checker refuses is dropped, and TN_INTERNAL. A plan that
 * breaks --capacity is TN_NOFIT, one with unplanned values under --strict TN_ERROR; both leave
 * *plan for the report. *plan is NULL when the pipeline makes none. */
TN_MUST_USE tn_status tn_planner_run(const tn_request *r, tn_module *module,
                                     const tn_run_settings *settings, tn_plan **plan);

/* Around all that makes a plan, or a set of them: with "keep-best" the first wish for an end ends
 * searches alone. Then plans that there are say so, after a warning, and TN_OK becomes
 * TN_INTERRUPTED. */
void tn_keep_best_begin(tn_ctx *ctx, const tn_run_settings *settings);
TN_MUST_USE tn_status tn_keep_best_end(tn_ctx *ctx, tn_plan *plan, tn_status status);

/* Says that a pipeline that was to make a plan makes none: TN_USAGE. */
TN_MUST_USE tn_status tn_no_plan(tn_ctx *ctx);

/* Whether an artefact may be made of the plan: not of one that leaves out what open dimensions keep
 * from having a size, unless it was asked for with "partial" (recorded in the plan's options, so it
 * holds for plans read back as well). TN_ERROR after a diagnostic that says what is open; a warning
 * about what is left out otherwise, if anything. `file` is the model's name in messages. */
TN_MUST_USE tn_status tn_plan_may_leave(const tn_plan *plan, const char *file);
/* That warning alone. */
void tn_plan_warn(const tn_plan *plan, const char *file);

/* A backend by its name. NULL after a diagnostic with a suggestion. */
const tn_backend *tn_planner_backend(tn_arena *arena, const char *name);

/* Checks a plan made elsewhere (read from JSON) against a model: the settings it was made with are
 * taken from the plan where `r` does not give them, types and pins are derived afresh. Of a set,
 * one of its plans; a variant for a part of the ranges is held against a module that is open for
 * this part alone, and the first has to be for all. */
TN_MUST_USE tn_status tn_planner_check(tn_request *r, tn_module *module, const tn_plan *plan);
/* A copy of the model in the form that the plan was made of, where that has groups (--fuse) and the
 * model has not; else *formed is NULL. The caller drops it. */
TN_MUST_USE tn_status tn_planner_form(const tn_plan *plan, const tn_module *model,
                                      tn_module **formed);
/* Gives `r` the options recorded in the plan that `r` does not have. Before loading. */
TN_MUST_USE tn_status tn_planner_adopt(tn_request *r, const tn_plan *plan);
/* Holds the plan against what `r` asks of any plan: capacity, align, io, strict. Before
 * tn_planner_adopt, after which a plan's own options look like the user's. `name` is the
 * plan's in messages. TN_NOFIT for the capacity, TN_ERROR for the rest. */
TN_MUST_USE tn_status tn_planner_demand(const tn_request *r, const tn_plan *plan, const char *name);

#endif
