/* A second layout of the arena, in which results may begin inside dying operands. */
#ifndef TENURE_PASSES_PLAN_OVERLAP_LAYOUT_H
#define TENURE_PASSES_PLAN_OVERLAP_LAYOUT_H

#include "passes/plan/arena_layout.h"
#include "passes/plan/overlap_pairs.h"

/* Makes `layout`, which is of level 1 and without slots, smaller where `pairs` allow it; as it was
 * otherwise, but for its bound. The pairs that are needed for that are named in
 * layout->overlaps; no two others share bytes. Results are in `arena`. Statuses as of
 * tn_layout_make. */
TN_MUST_USE tn_status tn_overlap_layout(tn_ctx *ctx, const tn_layout_ask *ask,
                                        const tn_overlap_pairs *pairs, tn_arena *arena,
                                        tn_layout *layout);

#endif
