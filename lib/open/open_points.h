/* Planning points of models with open dimensions: extents at which a plan is made that is to hold
 * for all. */
#ifndef TENURE_LIB_OPEN_OPEN_POINTS_H
#define TENURE_LIB_OPEN_OPEN_POINTS_H

#include "ir/plan/plan.h"

enum { TN_MIDDLE_POINT = 1 };

/* Whether there is a point of that number: the first ones have all extents small, in the middle,
 * large and tiny; then come points at which one dimension is large and the others are small. */
bool tn_open_has_point(const tn_module *m, uint32_t which);
/* Sets point `which` of the module's open dimensions: extents in their ranges, different where
 * possible and prime, so that sizes are equal there only if they are equal everywhere. Extents grow
 * until no tensor has a negative size, as those of convolutions have below the extent of their
 * kernel. The module must have inferred types. */
void tn_open_set_point(tn_module *m, uint32_t which);
/* The point becomes the extents, one for each range of the plan; none of them contradicts a tensor
 * of that plan. */
void tn_open_set_extents(tn_module *m, const tn_plan *p, const int64_t *extents);
/* Closes the dimensions that no type has any more, now that types are inferred: names that the file
 * has for extents that follow from others. */
void tn_open_prune(tn_module *m);
/* Makes a dimension open from range.min to range.max; where that is one extent, it is bound as
 * well.
 */
void tn_open_narrow(tn_module *m, tn_dim_range range);
/* The points of the plan's numbers, and its ranges where they are narrower than the model's, become
 * those of the module. */
void tn_open_adopt(tn_module *m, const tn_plan *p);

#endif
