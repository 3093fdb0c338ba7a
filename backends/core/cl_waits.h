/* Private to cl_plan.c: steps with the events they wait for. */
#ifndef TENURE_BACKENDS_CORE_CL_WAITS_H
#define TENURE_BACKENDS_CORE_CL_WAITS_H

#include "backends/core/cl_plan.h"

/* Fills cl->steps from the plan and cl's handles. */
void tn_cl_make_steps(tn_arena *arena, const tn_plan *p, tn_cl_plan *cl);

#endif
