/* Which storages lay where others lie now. */
#ifndef TENURE_PASSES_PLAN_PREDECESSORS_H
#define TENURE_PASSES_PLAN_PREDECESSORS_H

#include "ir/plan/plan.h"

/* Who lay where a storage lies now, just before it: bytes [lo, hi) of the pool. */
typedef struct tn_predecessor {
    uint64_t lo, hi;
    uint32_t from; /* storage */
} tn_predecessor;
typedef struct tn_predecessors {
    const tn_predecessor *item; /* ascending by address inside each storage's part */
    const uint32_t *start;      /* by storage, one more at the end */
    bool serial;                /* too many storages: each step waits for the one before it */
} tn_predecessors;
/* Near-linear in the storages of the pools of kind arena. */
tn_predecessors tn_find_predecessors(const tn_plan *p, tn_arena *arena);
/* Of a plan with open dimensions: those that may have lain there for some extents, because the
 * relation puts neither above the other. Of predecessors that wait for each other the last alone is
 * named, without bytes. Takes n * n bits for n storages, and is `serial` beyond
 * TN_MAX_RELATED. */
enum { TN_MAX_RELATED = 1 << 14 };
tn_predecessors tn_find_any_predecessors(const tn_plan *p, tn_arena *arena);

#endif
