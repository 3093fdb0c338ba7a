/* How much a run reads and writes of each storage of a plan. */
#ifndef TENURE_PASSES_PLAN_TRAFFIC_H
#define TENURE_PASSES_PLAN_TRAFFIC_H

#include "ir/plan/plan.h"

/* Bytes by storage, in the arena; docs/POOLS.md says what counts. The plan has been made from the
 * module, and has its steps. Raises TN_ERROR after a diagnostic where sums are beyond 2^63. */
const uint64_t *tn_plan_traffic(const tn_plan *p, const tn_module *m, tn_arena *arena);

#endif
