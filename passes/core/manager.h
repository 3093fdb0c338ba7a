/* The pass manager: runs a pipeline over a module and calls hooks round each pass. */
#ifndef TENURE_PASSES_CORE_MANAGER_H
#define TENURE_PASSES_CORE_MANAGER_H

#include "passes/core/hooks.h"
#include "passes/core/pipeline.h"

/* Runs the passes of `p` (completed first) in order; the first status that is not TN_OK ends the
 * run and is the result. `plan` points at the plan passes build: *plan may be NULL before and is
 * whatever the last pass left. `settings` may be NULL: no hooks. A raise inside a pass passes
 * through after the hooks have seen it. The module's analyses live as long as the run. */
TN_MUST_USE tn_status tn_run_pipeline(tn_ctx *ctx, tn_module *module, const tn_pipeline *p,
                                      const tn_controls *controls, tn_plan **plan,
                                      const tn_run_settings *settings);

#endif
