/* The state of a valley search: what has been placed forms a skyline, below which everything is
 * used or given up. Changes are taken back in the reverse of their order. */
#ifndef TENURE_PASSES_PACK_OFFSETS_EXACT_SKYLINE_H
#define TENURE_PASSES_PACK_OFFSETS_EXACT_SKYLINE_H

#include "passes/pack/offsets/exact/rows.h"

/* What to take back: an item placed, or a section's floor raised. */
typedef struct tn_sky_change {
    uint32_t which;
    bool skip;
    uint64_t floor;
} tn_sky_change;

typedef struct tn_skyline {
    tn_arena *arena;
    const tn_rows *rows;
    uint64_t capacity;  /* units */
    uint64_t *limit;    /* highest offset of each item */
    uint64_t *tall;     /* a row: items that may end at the capacity; others end a unit below it */
    uint32_t *n_tall;   /* unplaced ones in each section; NULL when all items are tall */
    uint64_t *floor;    /* of each section */
    uint64_t *top;      /* capacity of each section */
    uint64_t *slack;    /* top - floor - unplaced units */
    uint32_t *crossing; /* unplaced items across the boundary before each section */
    uint64_t *unplaced; /* a row */
    uint64_t *offset;   /* of each item placed */
    TN_VEC(tn_sky_change) trail;
} tn_skyline;

/* Nothing placed. False when no packing with all tops at most `goal` bytes can exist. */
bool tn_skyline_make(tn_skyline *s, tn_arena *arena, const tn_rows *rows, uint64_t goal);
/* Puts item i on a floor that is the same over its whole live range; false when that leaves some
 * section without a completion (and the change to be taken back all the same). */
bool tn_skyline_place(tn_skyline *s, uint32_t i);
/* Gives up what lies below `to` in one section, which has slack for it. */
void tn_skyline_raise(tn_skyline *s, uint32_t section, uint64_t to);
/* Shortens the trail to `to` changes. */
void tn_skyline_take_back(tn_skyline *s, uint32_t to);

static inline bool tn_skyline_unplaced(const tn_skyline *s, uint32_t i) {
    return tn_bit_has(s->unplaced, i);
}

/* Units of unplaced items in a section. */
static inline uint64_t tn_skyline_load(const tn_skyline *s, uint32_t section) {
    return s->top[section] - s->floor[section] - s->slack[section];
}

#endif
