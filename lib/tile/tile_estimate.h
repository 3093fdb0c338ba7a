/* Bytes of stretches that run in parts, estimated from what is alive when in the order of the
 * graph: good enough to say which are worth planning. */
#ifndef TENURE_LIB_TILE_ESTIMATE_H
#define TENURE_LIB_TILE_ESTIMATE_H

#include "passes/tile/parts.h"

/* The module as it is, without parts. Values that lie in the bytes of others are counted with
 * these; inputs and outputs that are not in the arena not at all. */
typedef struct tn_tile_profile {
    tn_tile_model *model;
    uint32_t *root;        /* by value id: in whose bytes it lies */
    double *bytes;         /* by value id, of roots */
    int64_t *first, *last; /* by value id, of roots: positions between which they are alive */
    double *alive;         /* by position */
    double *crossing; /* by position: of that what was there before, and is read there or later */
    double flops;     /* of the module */
} tn_tile_profile;

tn_tile_profile *tn_tile_profile_make(tn_tile_model *w, tn_arena *arena, bool io_in_arena);

typedef struct tn_tile_estimate {
    double bytes; /* the most that is alive while the stretch runs */
    double flops; /* operations that are added */
} tn_tile_estimate;

/* False where the stretch cannot run in these parts. */
bool tn_tile_estimate_make(const tn_tile_profile *p, const tn_stretch *s, tn_tile_estimate *out);

#endif
