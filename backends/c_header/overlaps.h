/* Which tensors of one step share bytes: what decides where `restrict` is legal. */
#ifndef TENURE_BACKENDS_C_HEADER_OVERLAPS_H
#define TENURE_BACKENDS_C_HEADER_OVERLAPS_H

#include "ir/plan/plan.h"

typedef struct tn_overlap {
    uint32_t written, other; /* plan values; other is read, or written too */
} tn_overlap;

typedef struct tn_overlaps {
    tn_overlap *data;
    uint32_t len, cap;
} tn_overlaps;

/* The pairs of step `s` that share bytes, a written one in each, in the order of the step's lists.
 * A value that is both written and read is no pair with itself. Memory from `arena`. */
tn_overlaps tn_step_overlaps(tn_arena *arena, const tn_plan *p, const tn_plan_step *s);

#endif
