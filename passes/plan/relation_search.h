/* A better relation between the storages of a plan with open dimensions. */
#ifndef TENURE_PASSES_PLAN_RELATION_SEARCH_H
#define TENURE_PASSES_PLAN_RELATION_SEARCH_H

#include <stdbool.h>

#include "ir/plan/plan.h"

/* `storage` has all storages of the plan in an order, those of a pool one behind the other: of two
 * that are alive together the later one lies above. Reorders those of the arena, so that the arena
 * comes nearer to the bytes alive where it is furthest from them, at extents sampled from the
 * plan's ranges. What is good at the planning point may be bad elsewhere: packers know one size of
 * each storage. `may_pack`: packings for such extents are tried, too, which costs about as much as
 * the search. The plan must have sizes, ranges and live ranges. */
void tn_relation_improve(const tn_plan *p, tn_arena *scratch, bool may_pack, uint32_t *storage);

#endif
