/* A second layout of the arena, in which results may begin inside dying operands. */
#ifndef TENURE_PASSES_PLAN_OVERLAP_LAYOUT_H
#define TENURE_PASSES_PLAN_OVERLAP_LAYOUT_H

#include "passes/plan/arena_layout.h"
#include "passes/plan/overlap_pairs.h"

/* A packing with overlaps that is known already. */
typedef struct tn_overlap_start {
    const uint64_t *offset; /* by class */
    uint64_t height;        /* bytes */
} tn_overlap_start;

/* Makes `layout`, which is of level 1 and without slots, smaller where `pairs` allow it, of which
 * both classes are in it; as it was otherwise, but for its bound. The pairs that are needed for
 * that are named in layout->overlaps; no two others share bytes. `start`, or NULL, is taken where
 * nothing lower is found; a layout that is no packing has the size UINT64_MAX beside it. Results
 * are in `arena`. Statuses as of tn_layout_make. */
TN_MUST_USE tn_status tn_overlap_layout(tn_ctx *ctx, const tn_layout_ask *ask,
                                        const tn_overlap_pairs *pairs,
                                        const tn_overlap_start *start, tn_arena *arena,
                                        tn_layout *layout);

#endif
