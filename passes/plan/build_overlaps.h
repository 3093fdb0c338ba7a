/* Results that begin inside operands, in the plan. */
#ifndef TENURE_PASSES_PLAN_BUILD_OVERLAPS_H
#define TENURE_PASSES_PLAN_BUILD_OVERLAPS_H

#include "passes/plan/overlap_pairs.h"
#include "passes/plan/plan_build.h"

/* On the result: the operands that lie in the storage that it begins inside of. */
void tn_state_overlap(tn_build *b, const tn_overlap_pair *pair);

/* Whether the storages of the pair have bytes in common as they lie, alignment counted. */
bool tn_pair_shares(const tn_plan *p, const tn_overlap_pair *pair);

#endif
