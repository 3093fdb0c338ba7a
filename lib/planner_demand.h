/* What is asked of any plan, made now or before. */
#ifndef TENURE_LIB_PLANNER_DEMAND_H
#define TENURE_LIB_PLANNER_DEMAND_H

#include "ir/plan/plan.h"

/* Every value has a place; TN_ERROR after diagnostics for those that have none. */
TN_MUST_USE tn_status tn_demand_strict(const tn_plan *p);

#endif
