/* Max-live, and the check of a packing. Both sweep over time; neither uses the solvers' normal
 * form, so that a mistake there does not hide itself. */
#include "ir/base/bit_tree.h"
#include "ir/base/key_sort.h"
#include "ir/base/xmath.h"
#include "passes/pack/base/events.h"

uint64_t tn_pack_max_live(tn_arena *arena, const tn_pack_buffer *buffers, uint32_t n,
                          int64_t *time) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    tn_parts parts;
    uint64_t live = 0, most = 0;
    int64_t when = 0;
    if (tn_parts_make(scratch, buffers, n, &parts)) {
        const tn_event *events = tn_events_make(scratch, &parts);
        for (uint32_t i = 0; i < 2 * parts.len; i++) {
            const tn_part *p = &parts.data[events[i].part];
            uint64_t bytes = p->hi - p->lo;
            live = events[i].begins ? live + bytes : live - bytes;
            if (live > most) {
                most = live;
                when = events[i].time;
            }
        }
    }
    if (time != NULL) {
        *time = when;
    }
    tn_arena_drop(scratch);
    return most;
}

/* The parts alive, which are disjoint as long as nothing has failed, by rank of their address. */
typedef struct sweep {
    const tn_parts *parts;
    const uint64_t *offsets;
    tn_bit_tree alive;
    uint32_t *rank;    /* of a part */
    uint32_t *by_rank; /* the part */
} sweep;

static uint64_t part_lo(const sweep *s, uint32_t part) {
    const tn_part *p = &s->parts->data[part];
    return s->offsets[p->buffer] + p->lo;
}

static uint64_t part_hi(const sweep *s, uint32_t part) {
    const tn_part *p = &s->parts->data[part];
    return s->offsets[p->buffer] + p->hi;
}

static sweep sweep_make(tn_arena *arena, const tn_parts *parts, const uint64_t *offsets) {
    uint32_t n = parts->len;
    sweep s = {parts, offsets, tn_bit_tree_make(arena, n), TN_ARRAY(arena, uint32_t, n),
               TN_ARRAY(arena, uint32_t, n)};
    tn_sort_key *keys = tn_sort_room(arena, n);
    for (uint32_t i = 0; i < n; i++) {
        keys[i] = (tn_sort_key){part_lo(&s, i), i};
    }
    tn_sort_keys(keys, n);
    for (uint32_t r = 0; r < n; r++) {
        s.by_rank[r] = keys[r].item;
        s.rank[keys[r].item] = r;
    }
    return s;
}

/* Brings a part to life; the part it collides with, or TN_BIT_NONE. */
static uint32_t sweep_add(sweep *s, uint32_t part) {
    uint32_t r = s->rank[part];
    uint32_t below = tn_bit_tree_below(&s->alive, r), above = tn_bit_tree_above(&s->alive, r);
    if (below != TN_BIT_NONE && part_hi(s, s->by_rank[below]) > part_lo(s, part)) {
        return s->by_rank[below];
    }
    if (above != TN_BIT_NONE && part_lo(s, s->by_rank[above]) < part_hi(s, part)) {
        return s->by_rank[above];
    }
    tn_bit_tree_add(&s->alive, r);
    return TN_BIT_NONE;
}

static bool disjoint(tn_arena *arena, const tn_parts *parts, const uint64_t *offsets, uint32_t *a,
                     uint32_t *b) {
    sweep s = sweep_make(arena, parts, offsets);
    const tn_event *events = tn_events_make(arena, parts);
    for (uint32_t i = 0; i < 2 * parts->len; i++) {
        uint32_t part = events[i].part;
        if (!events[i].begins) {
            tn_bit_tree_remove(&s.alive, s.rank[part]);
            continue;
        }
        uint32_t other = sweep_add(&s, part);
        if (other != TN_BIT_NONE) {
            *a = parts->data[other].buffer;
            *b = parts->data[part].buffer;
            return false;
        }
    }
    return true;
}

static bool stands_alone(const tn_pack_buffer *b, uint64_t offset) {
    uint64_t top;
    return b->align > 0 && offset % b->align == 0 &&
           (b->fixed == TN_PACK_FREE || b->fixed == offset) && tn_add_u64(offset, b->size, &top);
}

bool tn_pack_valid(tn_arena *arena, const tn_pack_buffer *buffers, uint32_t n,
                   const uint64_t *offsets, uint32_t *a, uint32_t *b) {
    for (uint32_t i = 0; i < n; i++) {
        if (!stands_alone(&buffers[i], offsets[i])) {
            *a = *b = i;
            return false;
        }
    }
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    tn_parts parts;
    *a = *b = 0;
    bool ok =
        tn_parts_make(scratch, buffers, n, &parts) && disjoint(scratch, &parts, offsets, a, b);
    tn_arena_drop(scratch);
    return ok;
}
