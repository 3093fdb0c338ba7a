/* Sweeping over time: the parts of buffers that are in use, and their beginnings and ends in order.
 */
#ifndef TENURE_PASSES_PACK_BASE_EVENTS_H
#define TENURE_PASSES_PACK_BASE_EVENTS_H

#include "passes/pack/pack.h"

/* Bytes [lo, hi) of a buffer are in use at times [first, last); neither range is empty. */
typedef struct tn_part {
    int64_t first, last;
    uint64_t lo, hi;
    uint32_t buffer;
} tn_part;

typedef struct tn_parts {
    tn_part *data;
    uint32_t len;
} tn_parts;

/* The parts of all buffers, by buffer and then time. False when a live range is empty or a buffer's
 * gaps lie outside of it, meet, or name bytes beyond its size. */
bool tn_parts_make(tn_arena *arena, const tn_pack_buffer *buffers, uint32_t n, tn_parts *out);

typedef struct tn_event {
    int64_t time;
    uint32_t part;
    bool begins;
} tn_event;

/* Two events a part, by time; at equal times ends come before beginnings. */
tn_event *tn_events_make(tn_arena *arena, const tn_parts *parts);

#endif
