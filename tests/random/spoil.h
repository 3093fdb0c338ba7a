/* Spoiling a plan that is right, to see that the proofs can fail. */
#ifndef TENURE_TESTS_RANDOM_SPOIL_H
#define TENURE_TESTS_RANDOM_SPOIL_H

#include "ir/plan/plan.h"

/* Lays one of two values that are alive at once over the other, or frees a storage a step early.
 * False when the plan has nothing of the kind. */
bool spoil_overlap(tn_plan *p, uint64_t seed);
bool spoil_free(tn_plan *p, uint64_t seed);
/* Lays a result and the operand it begins inside of behind all others, at their distance less so
 * many bytes: with 0 the plan is still right. False when no result of the main graph, all of which
 * runs, keeps a distance. */
bool spoil_distance(tn_plan *p, uint64_t seed, uint64_t less);

#endif
