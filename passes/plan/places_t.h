/* Shared by the parts of tn_build_places alone. */
#ifndef TENURE_PASSES_PLAN_PLACES_T_H
#define TENURE_PASSES_PLAN_PLACES_T_H

#include "passes/pack/pools/pools.h"
#include "passes/plan/overlap_pairs.h"
#include "passes/plan/places.h"
#include "passes/plan/plan_build.h"
#include "passes/plan/value_places.h"

typedef struct tn_placing {
    tn_build *b;
    tn_plan *p;
    const tn_place_wishes *w;
    const uint64_t *traffic; /* by storage */
    tn_value_places of;
    tn_layout *layout;            /* figures of all arenas */
    TN_VEC(tn_overlap_pair) used; /* results that begin inside operands, in all arenas */
    tn_loc loc;
} tn_placing;

/* One kind of pool. */
typedef struct tn_placing_group {
    tn_pool_kind kind;
    uint32_t first, n_pools; /* pools of the plan, which stand in a row */
    uint32_t *ids, n;        /* storages */
    tn_pools_item *items;
    tn_pool_room *rooms;
    bool wishes;                  /* some storage is fixed, or aligned for itself */
    bool inside;                  /* in `items` results may begin inside operands */
    const tn_conflict *conflicts; /* between items, where steps run side by side; else NULL */
    size_t n_conflicts;
} tn_placing_group;

/* Says that sums are too large: TN_ERROR, or of a trial TN_NOFIT without a word. */
tn_status tn_places_overflow(tn_placing *w);

/* With wishes a search for each pool, as long as that for the arena would be. */
TN_MUST_USE tn_status tn_pool_search(tn_placing *w, const tn_placing_group *g,
                                     const tn_pools_result *r, uint32_t pool);

/* What one arena needs at least, and other figures, as if nothing were fixed. Where nothing is, and
 * that is lower, storages lie so. Results begin inside operands there where that makes the arena
 * smaller; they are added to `used`. */
TN_MUST_USE tn_status tn_pool_lay_out(tn_placing *w, const tn_placing_group *g, uint32_t pool);

#endif
