/* Which variant of a program runs for extents that come at run time. */
#ifndef TENURE_LIB_SETS_PICK_H
#define TENURE_LIB_SETS_PICK_H

#include "ir/plan/plan.h"

/* The variant with the smallest arena among those that are large enough in each of the n dimensions
 * that are wanted. TN_USAGE for a dimension that the program has not, TN_ERROR where none is large
 * enough, after an error that lists what there is. */
TN_MUST_USE tn_status tn_set_pick(const tn_plan_program *program, const tn_plan_dim *wanted,
                                  size_t n, uint32_t *variant);

#endif
