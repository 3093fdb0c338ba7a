/* Which elements each op of a stretch makes, part by part. */
#ifndef TENURE_PASSES_TILE_PARTS_H
#define TENURE_PASSES_TILE_PARTS_H

#include "passes/tile/stretch.h"

/* What an op does for a part, along one axis. */
typedef struct tn_tile_work {
    tn_tiled_range want;   /* what others need of its results; empty: it does not run */
    tn_tiled_range made;   /* what its results hold */
    tn_tiled_range good;   /* what of that is right */
    tn_tiled_range in;     /* of operand 0 */
    int64_t before, after; /* pads, of windows, transposed windows and Pad */
    int64_t more;          /* output_padding of a transposed window */
} tn_tile_work;

/* False where no part of operand 0 would do. */
bool tn_tile_work_of(const tn_tiling *t, tn_tiled_range want, tn_tile_work *out);

/* One part of a stretch. */
typedef struct tn_tile_part {
    const tn_stretch *stretch;
    tn_tile_work *work[TN_TILED_AXES];   /* beside the ops of the stretch */
    tn_tiled_range *need[TN_TILED_AXES]; /* by value id, of results of the stretch */
    tn_tiled_range *hold; /* by op, along the first axis: what there has to be of its results */
    int64_t *until;       /* by op: what is kept from the part before ends here; 0: nothing is */
} tn_tile_part;

void tn_tile_part_begin(const tn_stretch *s, tn_arena *arena, tn_tile_part *out);
/* Part `at`, by axis. False where an op has nothing to read. */
bool tn_tile_part_find(tn_tile_part *p, const uint32_t *at);
/* What op i does not make, since the part before has made and kept it. */
tn_tiled_range tn_tile_part_kept(const tn_tile_part *p, uint32_t i);
/* What of an exit is made in part `at` of n. */
tn_tiled_range tn_tile_share(int64_t extent, uint32_t at, uint32_t n);
/* What op i needs of operand k along axis d of the stretch; all of it where by[k] is TN_EVERY. */
tn_tiled_range tn_tile_need(const tn_tile_part *p, uint32_t i, uint32_t k, uint32_t d);

static inline bool tn_tiled_is_empty(tn_tiled_range r) {
    return r.from >= r.to;
}

#endif
