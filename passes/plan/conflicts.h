/* Pairs of buffers that may not share bytes because neither is done with before the other begins.
 */
#ifndef TENURE_PASSES_PLAN_CONFLICTS_H
#define TENURE_PASSES_PLAN_CONFLICTS_H

#include "passes/analysis/class_order.h"
#include "passes/pack/pack.h"

/* Of n buffers: class_of says which class each is.
 * Quadratic in the buffers. */
const tn_conflict *tn_conflicts_find(tn_arena *arena, const tn_class_order *order,
                                     const uint32_t *class_of, uint32_t n, size_t *n_conflicts);

#endif
