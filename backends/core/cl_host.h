/* Private to cl_plan.c: what stays in the host's memory. */
#ifndef TENURE_BACKENDS_CORE_CL_HOST_H
#define TENURE_BACKENDS_CORE_CL_HOST_H

#include "ir/plan/plan.h"

/* By storage: whether no kernel reads or writes it. In `arena`. */
const bool *tn_cl_find_host(tn_arena *arena, const tn_plan *p);

#endif
