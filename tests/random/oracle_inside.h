/* Results that begin inside an operand, judged by what every single element of the result reads. */
#ifndef TENURE_TESTS_RANDOM_ORACLE_INSIDE_H
#define TENURE_TESTS_RANDOM_ORACLE_INSIDE_H

#include "ir/plan/plan.h"

/* What the plan says of value y about beginning inside value x; NULL: nothing. */
const tn_plan_overlap *inside_find(const tn_plan *p, uint32_t y, uint32_t x);
/* Whether a kernel that works in the order never writes over a byte of x that it has still to read,
 * when the first byte of x lies `apart` bytes behind that of y. False as well where y is not all
 * that its op makes, and where nobody knows what the op reads. */
bool inside_is_safe(const tn_plan *p, const tn_module *m, uint32_t y, uint32_t x, int64_t apart,
                    tn_work_order order, tn_arena *arena);
/* What is wrong with what the plan says of y and x: the distance is the least that is safe, the
 * values lie at it or further apart, and the step claims the order. NULL: nothing. */
const char *inside_check(const tn_plan *p, const tn_module *m, uint32_t y, const tn_plan_overlap *o,
                         tn_arena *arena);

#endif
