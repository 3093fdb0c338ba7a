/* Who takes whose bytes over time. */
#ifndef TENURE_PASSES_PLAN_TAKEOVERS_H
#define TENURE_PASSES_PLAN_TAKEOVERS_H

#include "ir/plan/plan.h"

/* Who lay where a storage lies now, just before it: bytes [lo, hi) of the pool. */
typedef struct tn_taken {
    uint64_t lo, hi;
    uint32_t from; /* storage */
} tn_taken;
typedef struct tn_takeovers {
    const tn_taken *taken; /* ascending by address inside each storage's part */
    const uint32_t *start; /* by storage, one more at the end */
} tn_takeovers;
/* Near-linear in the storages of the pools of kind arena. */
tn_takeovers tn_find_takeovers(const tn_plan *p, tn_arena *arena);

#endif
