/* The normal form every solver works on. Times become sections: the maximal sets of buffers alive
 * together, in order of time; every other moment's live set is part of one of them. Bytes become
 * units: the largest step all offsets of some lowest packing are multiples of. Buffers that occupy
 * nothing are left out.
 *
 * A buffer may take a few bytes more than it asked for (its `slack`): where one ends in bytes is
 * given by tn_inst_top. */
#ifndef TENURE_PASSES_PACK_BASE_INSTANCE_H
#define TENURE_PASSES_PACK_BASE_INSTANCE_H

#include "passes/pack/pack.h"

/* Sections [a, b) in which units [lo, hi) of a buffer are in use, counted from its offset. */
typedef struct tn_span {
    uint32_t a, b;
    uint64_t lo, hi;
    uint32_t item;
    uint64_t slack; /* bytes of [lo, hi) that rounding added at its top */
} tn_span;

typedef struct tn_item {
    uint32_t a, b;          /* sections, half-open, gaps included */
    uint32_t buffer;        /* index in the caller's array */
    uint64_t size;          /* units */
    uint64_t align;         /* units */
    uint64_t fixed;         /* units, or TN_PACK_FREE */
    uint64_t slack;         /* bytes of the last unit that are not used */
    uint32_t span, n_spans; /* its spans, in order of time */
} tn_item;

typedef struct tn_inst {
    tn_item *items;
    uint32_t n;
    tn_span *spans;
    uint32_t n_spans;
    bool gaps;  /* some item has another span than its whole self */
    bool plain; /* no item is fixed, or aligned to more than a unit */
    uint32_t n_sections;
    int64_t *time;  /* of each section */
    uint64_t *load; /* units in use, one a section */
    uint64_t unit;  /* bytes */
    uint64_t bound; /* bytes: no packing is lower */
    tn_pack_bound bound_kind;
    uint32_t bound_section; /* the section of the largest load bound */
} tn_inst;

/* The normal form of `buffers`, or NULL when they are not well formed (see tn_pack). Fixed offsets
 * are not compared with each other. */
tn_inst *tn_inst_make(tn_arena *arena, const tn_pack_buffer *buffers, uint32_t n);

/* Where item i ends, in bytes, when it lies at `offset` units. */
static inline uint64_t tn_inst_top(const tn_inst *inst, uint32_t i, uint64_t offset) {
    return (offset + inst->items[i].size) * inst->unit - inst->items[i].slack;
}

#endif
