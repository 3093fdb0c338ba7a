/* How much of a pool is in use, for those who draw it. */
#ifndef TENURE_BACKENDS_CORE_LIVE_BYTES_H
#define TENURE_BACKENDS_CORE_LIVE_BYTES_H

#include "ir/plan/plan.h"

/* The first pool in which storages share bytes, else the first of all; TN_NO_ID without pools. */
uint32_t tn_plan_main_pool(const tn_plan *p);
/* By step the bytes of the pool's storages that are live there, each rounded up to the pool's
 * alignment as planners and bounds count them. In `arena`. */
const uint64_t *tn_live_bytes(tn_arena *arena, const tn_plan *p, uint32_t pool);

#endif
