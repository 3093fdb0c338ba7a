#include "passes/pack/base/events.h"

#include "ir/base/key_sort.h"

typedef TN_VEC(tn_part) part_vec;

static void push_part(tn_arena *arena, part_vec *parts, tn_part part) {
    if (part.first < part.last && part.lo < part.hi) {
        tn_vec_push(arena, parts, part);
    }
}

/* A copy of the gaps by time. */
static tn_pack_gap *sorted_gaps(tn_arena *arena, const tn_pack_buffer *buffer) {
    uint32_t n = buffer->n_gaps;
    tn_sort_key *keys = tn_sort_room(arena, n);
    for (uint32_t i = 0; i < n; i++) {
        keys[i] = (tn_sort_key){tn_time_key(buffer->gaps[i].first), i};
    }
    tn_sort_keys(keys, n);
    tn_pack_gap *gaps = TN_ARRAY(arena, tn_pack_gap, n);
    for (uint32_t i = 0; i < n; i++) {
        gaps[i] = buffer->gaps[keys[i].item];
    }
    return gaps;
}

static bool push_gapped(tn_arena *arena, part_vec *parts, const tn_pack_buffer *buffer,
                        uint32_t id) {
    const tn_pack_gap *gaps = sorted_gaps(arena, buffer);
    int64_t from = buffer->first;
    for (uint32_t i = 0; i < buffer->n_gaps; i++) {
        const tn_pack_gap *g = &gaps[i];
        if (g->first < from || g->last <= g->first || g->last > buffer->last || g->lo > g->hi ||
            g->hi > buffer->size) {
            return false;
        }
        push_part(arena, parts, (tn_part){from, g->first, 0, buffer->size, id});
        push_part(arena, parts, (tn_part){g->first, g->last, g->lo, g->hi, id});
        from = g->last;
    }
    push_part(arena, parts, (tn_part){from, buffer->last, 0, buffer->size, id});
    return true;
}

bool tn_parts_make(tn_arena *arena, const tn_pack_buffer *buffers, uint32_t n, tn_parts *out) {
    part_vec parts = {TN_ARRAY(arena, tn_part, n), 0, n};
    for (uint32_t i = 0; i < n; i++) {
        const tn_pack_buffer *b = &buffers[i];
        if (b->last <= b->first) {
            return false;
        }
        if (b->n_gaps == 0) {
            push_part(arena, &parts, (tn_part){b->first, b->last, 0, b->size, i});
        } else if (!push_gapped(arena, &parts, b, i)) {
            return false;
        }
    }
    out->data = parts.data;
    out->len = parts.len;
    return parts.len <= UINT32_MAX / 4; /* events are counted in 32 bits */
}

/* Ends are listed first, and the sort is stable. */
tn_event *tn_events_make(tn_arena *arena, const tn_parts *parts) {
    uint32_t n = parts->len;
    tn_sort_key *keys = tn_sort_room(arena, 2 * n);
    for (uint32_t i = 0; i < n; i++) {
        keys[i] = (tn_sort_key){tn_time_key(parts->data[i].last), i};
        keys[n + i] = (tn_sort_key){tn_time_key(parts->data[i].first), n + i};
    }
    tn_sort_keys(keys, 2 * n);
    tn_event *events = TN_ARRAY(arena, tn_event, 2 * (size_t)n);
    for (uint32_t i = 0; i < 2 * n; i++) {
        bool begins = keys[i].item >= n;
        uint32_t part = begins ? keys[i].item - n : keys[i].item;
        const tn_part *p = &parts->data[part];
        events[i] = (tn_event){begins ? p->first : p->last, part, begins};
    }
    return events;
}
