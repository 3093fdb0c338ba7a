/* How much a run reads and writes of each storage of a plan. */
#ifndef TENURE_PASSES_PLAN_TRAFFIC_H
#define TENURE_PASSES_PLAN_TRAFFIC_H

#include "passes/plan/plan_build.h"

/* Bytes by storage, in the scratch arena; docs/POOLS.md says what counts. Steps must be there.
 * Raises TN_ERROR after a diagnostic where sums are beyond 2^63. */
const uint64_t *tn_build_traffic(const tn_build *b);

#endif
