/* What the tiles of images need of one another, step by step of a plan. */
#ifndef TENURE_LIB_TILE_NEEDS_H
#define TENURE_LIB_TILE_NEEDS_H

#include "ir/module.h"
#include "ir/plan/plan.h"

enum { TN_IMAGE_RANK = 4, TN_TILE_AXES = 2 }; /* axes 2 and 3 of an image are cut */

/* How many elements of an operand so many of a result need, along one axis. */
typedef struct tn_tile_need {
    double stride; /* from one element of the result to the next */
    int64_t span;  /* that one element needs */
} tn_tile_need;

/* What a step does to an operand that is an image. */
typedef struct tn_tile_reading {
    uint32_t value; /* of the plan */
    tn_tile_need axes[TN_TILE_AXES];
} tn_tile_reading;

typedef struct tn_tile_step {
    /* Each element of its results needs but a window of its operands, which are images; or it reads
     * constants alone and makes no image. */
    bool fits;
    double flops;
    TN_VEC(tn_tile_reading) readings; /* none: it reads constants alone */
} tn_tile_step;

/* A tensor in planned memory, of known extents, that has rows and columns. */
bool tn_is_image(const tn_plan_value *v);
/* The step, with readings in `arena`. */
tn_tile_step tn_tile_step_of(tn_arena *arena, const tn_module *m, const tn_plan *p, uint32_t step);
/* Extent of the operand that so many elements of a result need. */
int64_t tn_tile_needed(const tn_tile_need *n, int64_t of, int64_t extent);

#endif
