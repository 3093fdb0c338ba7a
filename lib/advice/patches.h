/* What the plan would come to if steps that follow one another worked on images tile by tile: an
 * estimate from the plan's own live ranges (MCUNetV2, arXiv 2110.15352). What the steps read from
 * before, and what they leave behind, stays whole for as long as tiles are made; each tile of what
 * is read is copied, all between is as large as a tile with what its windows reach beyond it, and
 * is computed twice there. */
#ifndef TENURE_LIB_PATCHES_H
#define TENURE_LIB_PATCHES_H

#include "lib/advice/advice.h"

typedef struct tn_patching tn_patching;

typedef struct tn_patch_estimate {
    uint64_t arena;    /* bytes */
    double operations; /* more than without, by the model of ir/ops/flops.h */
} tn_patch_estimate;

/* Looks at every step once; lasts as long as `arena`. */
tn_patching *tn_patching_new(tn_arena *arena, const tn_module *m, const tn_plan *p);
/* Whether each element of the results of a step needs but a window of its operands, which are
 * images; or the step does not depend on images at all. */
bool tn_patching_fits(const tn_patching *w, uint32_t step);
/* For steps that fit. False where nothing between them is an image, or tiles would have no element.
 */
bool tn_patching_estimate(tn_patching *w, const tn_patches *p, tn_patch_estimate *out);

#endif
