/* Whether a plan with open dimensions fits, whatever the extents. */
#ifndef TENURE_LIB_OPEN_OPEN_CAPACITY_H
#define TENURE_LIB_OPEN_OPEN_CAPACITY_H

#include "ir/plan/plan.h"

/* TN_NOFIT after a diagnostic that names the extents where for some, at the upper ends of all
 * ranges or among the samples, an arena needs more than `capacity` bytes (0: any number is good).
 * Warns where a dimension has no upper end, and looks at the point alone then. */
TN_MUST_USE tn_status tn_open_keeps_capacity(const tn_plan *p, const tn_loc *loc,
                                             uint64_t capacity);

#endif
