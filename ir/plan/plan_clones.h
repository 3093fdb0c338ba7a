/* Clones of a plan that was read, made in the module it is held against. */
#ifndef TENURE_IR_PLAN_PLAN_CLONES_H
#define TENURE_IR_PLAN_PLAN_CLONES_H

#include "ir/plan/plan.h"

bool tn_plan_has_clones(const tn_plan *p);
/* Puts an op into the module for each step that the plan calls a clone, and lets steps read the
 * clones' results where the plan has them do so. Whether all of that is right is not asked here:
 * the checker does. False after an error where it cannot be done at all. Types must be inferred. */
TN_MUST_USE bool tn_plan_clones_adopt(const tn_plan *p, tn_module *m);

#endif
