#include "passes/pack/deletion_filter.h"

#include <string.h>

#include "ir/base/key_sort.h"
#include "passes/pack/base/stop.h"

/* The bound of the set without members [at, at + gap). */
static uint64_t bound_without(tn_arena *arena, const tn_shrinking *s, const tn_pack_misfit *set,
                              uint32_t at, uint32_t gap, uint64_t *spent) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    uint32_t n = set->n - gap;
    uint32_t *ids = TN_ARRAY(scratch, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        ids[i] = set->buffers[i < at ? i : i + gap];
    }
    uint64_t bound = s->bound(scratch, s->self, ids, n, spent);
    tn_arena_drop(scratch);
    return bound;
}

/* With a bound that only grows with the set, one round over single members leaves none that could
 * go: what was needed in a larger set is needed in a smaller one too. */
void tn_shrink(tn_arena *arena, const tn_shrinking *s, tn_pack_misfit *out) {
    uint64_t spent = 0, deadline = tn_deadline(s->wall_ms);
    for (uint32_t gap = out->n / 2; gap > 0; gap /= 2) {
        for (uint32_t at = 0; at + gap <= out->n && out->n > gap;) {
            if (tn_clock_late(arena, deadline) || spent > s->budget) {
                return;
            }
            uint64_t bound = bound_without(arena, s, out, at, gap, &spent);
            if (bound <= s->capacity) {
                at += gap;
                continue;
            }
            out->bytes = bound;
            out->n -= gap;
            memmove(out->buffers + at, out->buffers + at + gap,
                    (out->n - at) * sizeof *out->buffers);
        }
    }
}

uint32_t *tn_smallest_first(tn_arena *arena, const tn_pack_buffer *buffers, uint32_t n) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    tn_sort_key *keys = tn_sort_room(scratch, n);
    uint32_t *ids = TN_ARRAY(arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        keys[i] = (tn_sort_key){buffers[i].size, i};
    }
    tn_sort_items(keys, n, ids);
    tn_arena_drop(scratch);
    return ids;
}

void tn_misfit_turn(tn_pack_misfit *out) {
    for (uint32_t i = 0; 2 * i + 1 < out->n; i++) {
        uint32_t *x = &out->buffers[i], *y = &out->buffers[out->n - 1 - i], swap = *x;
        *x = *y;
        *y = swap;
    }
}
