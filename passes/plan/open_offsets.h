/* Where values lie in their storages, for plans with open dimensions. */
#ifndef TENURE_PASSES_PLAN_OPEN_OFFSETS_H
#define TENURE_PASSES_PLAN_OPEN_OFFSETS_H

#include "passes/plan/plan_build.h"

/* By value id: the offset in the storage as an expression of the module, TN_DIM_UNKNOWN where it is
 * the number that the classes have. Of pieces of a whole with open extents it is none. */
const tn_dim *tn_open_offsets(const tn_build *b);

#endif
