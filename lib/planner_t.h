/* What planning and checking have in common. */
#ifndef TENURE_LIB_PLANNER_T_H
#define TENURE_LIB_PLANNER_T_H

#include "lib/planner.h"

/* The dimensions that the request sets to numbers, *n of them. */
tn_plan_dim *tn_planner_dims(tn_arena *arena, const tn_request *r, const tn_module *m, uint32_t *n);
/* Runs a pipeline that makes no plan, written as text. */
TN_MUST_USE tn_status tn_planner_text(const tn_request *r, tn_module *module, const char *text);
/* Infers types without diagnostics; *warnings: how many there would have been. */
TN_MUST_USE tn_status tn_planner_infer(const tn_request *r, tn_module *m, uint32_t *warnings);

#endif
