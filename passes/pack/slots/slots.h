/* Inside the shared-objects solver: one group of buffers that may share with each other. */
#ifndef TENURE_PASSES_PACK_SLOTS_SLOTS_H
#define TENURE_PASSES_PACK_SLOTS_SLOTS_H

#include "passes/pack/pack.h"

/* Live ranges are renumbered: [a, b) are the beginnings, in order of time, that fall into it. Two
 * items meet exactly when these ranges do, and item i is alive at its own a. */
typedef struct tn_slot_item {
    uint32_t a, b;
    uint64_t size;
} tn_slot_item;

typedef struct tn_slot_group {
    const tn_slot_item *items;
    const uint32_t *by_size; /* items by falling size */
    uint32_t n;
    uint64_t bound;
    uint64_t step;  /* divides all sizes, and so all totals */
    uint32_t width; /* most items alive at once */
} tn_slot_group;

typedef struct tn_sharing {
    uint32_t *object; /* one an item */
    uint32_t n_objects;
    uint64_t total;
    const char *algorithm;
} tn_sharing;

/* The group of buffers ids[0..n). */
tn_slot_group tn_slot_group_make(tn_arena *arena, const tn_pack_buffer *buffers,
                                 const uint32_t *ids, uint32_t n);
/* Sum over k of the largest k-th largest size alive at once; also sets `width`. */
uint64_t tn_slot_bound(tn_arena *scratch, const tn_slot_group *g, uint32_t *width);
/* The sizes the bound sums, falling: space for g->width. */
void tn_slot_ranks(tn_arena *scratch, const tn_slot_group *g, uint64_t *ranks);

/* Each algorithm fills `object` (space for n) and n_objects; false when it gives up: too much work,
 * or it has no answer. tn_sharing_total then sums. */
typedef bool tn_slot_fn(tn_arena *scratch, const tn_slot_group *g, uint64_t budget,
                        tn_sharing *out);
tn_slot_fn tn_slots_in_order, tn_slots_by_size, tn_slots_tight,
    tn_slots_by_breadth;  /* slots_fast.c */
tn_slot_fn tn_slots_flow; /* slots_flow.c */

uint64_t tn_sharing_total(tn_arena *scratch, const tn_slot_group *g, const tn_sharing *s);

#endif
