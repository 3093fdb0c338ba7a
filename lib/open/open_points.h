/* Planning points of models with open dimensions: extents at which a plan is made that is to hold
 * for all. */
#ifndef TENURE_LIB_OPEN_OPEN_POINTS_H
#define TENURE_LIB_OPEN_OPEN_POINTS_H

#include "ir/plan/plan.h"

/* Sets the point of the module's open dimensions: extents in their ranges, different where
 * possible and prime, so that sizes are equal there only if they are equal everywhere. Extents grow
 * until no tensor has a negative size, as those of convolutions have below the extent of their
 * kernel. The module must have inferred types. */
void tn_open_set_point(tn_module *m);
/* The point becomes the extents, one for each range of the plan; none of them contradicts a tensor
 * of that plan. */
void tn_open_set_extents(tn_module *m, const tn_plan *p, const int64_t *extents);
/* Closes the dimensions that no type has any more, now that types are inferred: names that the file
 * has for extents that follow from others. Those of `kept` (NULL: none) stay: a variant for one
 * extent of another dimension may have them in no type, and be part of a plan that does. */
void tn_open_prune(tn_module *m, const tn_plan *kept);
/* Raises the least extent of each open dimension to where no tensor has a size below 0 that follows
 * from this dimension alone, as a convolution's result has below the extent of its kernel. The
 * module must have inferred types. */
void tn_open_raise(tn_module *m);
/* Makes a dimension open from range.min to range.max; where that is one extent, it is bound as
 * well.
 */
void tn_open_narrow(tn_module *m, tn_dim_range range);
/* The points of the plan's numbers, and its ranges, become those of the module. */
void tn_open_adopt(tn_module *m, const tn_plan *p);

#endif
