/* Results that look at their operand's bytes, and operands computed inside results, op by op. */
#ifndef TENURE_PASSES_ALIAS_PLACE_VIEWS_H
#define TENURE_PASSES_ALIAS_PLACE_VIEWS_H

#include "passes/core/pass.h"

typedef struct tn_view_counts {
    uint64_t views, gathered;
} tn_view_counts;

/* Adds an alias for each view; refusals are counted for the pass at hand. `placed`: also parts
 * and gathered operands; their offsets must be multiples of `align`. */
tn_view_counts tn_place_views(tn_pass_ctx *c, uint64_t align, bool placed);

#endif
