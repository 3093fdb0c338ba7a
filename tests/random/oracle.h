/* A second opinion on a plan, by brute force: liveness is worked out value by value from what
 * docs/PLAN.md says, looking at every op and every graph for each, and all pairs of values that
 * have bytes in common are held against each other. It shares no code with passes or checker. */
#ifndef TENURE_TESTS_RANDOM_ORACLE_H
#define TENURE_TESTS_RANDOM_ORACLE_H

#include "ir/plan/plan.h"

/* What is wrong first, in `arena`; NULL when nothing is. */
const char *oracle_check(const tn_plan *p, const tn_module *m, tn_arena *arena);

#endif
