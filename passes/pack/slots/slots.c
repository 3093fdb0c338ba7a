/* A group in the solver's terms, and the bound on it. */
#include "passes/pack/slots/slots.h"

#include <string.h>

#include "ir/base/key_sort.h"
#include "ir/base/xmath.h"

/* Number of beginnings before `time`. */
static uint32_t begun_before(const tn_sort_key *begins, uint32_t n, int64_t time) {
    uint64_t key = tn_time_key(time);
    uint32_t lo = 0, hi = n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (begins[mid].key < key) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

tn_slot_group tn_slot_group_make(tn_arena *arena, const tn_pack_buffer *buffers,
                                 const uint32_t *ids, uint32_t n) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    tn_sort_key *keys = tn_sort_room(scratch, n);
    tn_slot_item *items = TN_ARRAY(arena, tn_slot_item, n);
    uint32_t *by_size = TN_ARRAY(arena, uint32_t, n);
    for (uint32_t k = 0; k < n; k++) {
        keys[k] = (tn_sort_key){tn_time_key(buffers[ids[k]].first), k};
    }
    tn_sort_keys(keys, n);
    for (uint32_t k = 0; k < n; k++) {
        const tn_pack_buffer *b = &buffers[ids[k]];
        items[k].a = begun_before(keys, n, b->first);
        items[k].b = begun_before(keys, n, b->last);
        items[k].size = b->size;
    }
    for (uint32_t k = 0; k < n; k++) {
        keys[k] = (tn_sort_key){~items[k].size, k};
    }
    tn_sort_items(keys, n, by_size);
    tn_slot_group g = {.items = items, .by_size = by_size, .n = n};
    for (uint32_t k = 0; k < n; k++) {
        g.step = tn_gcd(g.step, items[k].size);
    }
    g.step = g.step == 0 ? 1 : g.step;
    g.bound = tn_slot_bound(scratch, &g, &g.width);
    tn_arena_drop(scratch);
    return g;
}

/* Counts over positions with "add one on a range" and "largest of all": more[v] holds what was
 * added to all of node v, most[v] the largest below it including that. */
typedef struct counts {
    uint32_t *more, *most;
    uint32_t leaves;
} counts;

static void add_one(counts *c, uint32_t a, uint32_t b) {
    uint32_t left = a + c->leaves, right = b + c->leaves - 1;
    for (uint32_t l = left, r = right + 1; l < r; l /= 2, r /= 2) {
        if (l % 2 == 1) {
            c->more[l]++;
            c->most[l++]++;
        }
        if (r % 2 == 1) {
            c->more[--r]++;
            c->most[r]++;
        }
    }
    for (left /= 2, right /= 2; left > 0; left /= 2, right /= 2) {
        for (uint32_t v = left;; v = right) {
            uint32_t x = c->most[2 * v], y = c->most[2 * v + 1];
            c->most[v] = (x > y ? x : y) + c->more[v];
            if (v == right) {
                break;
            }
        }
    }
}

/* With items coming by falling size, the most alive at once is, for each threshold, how many
 * objects of at least that size are needed; the sum of thresholds is the sum of positional maxima.
 * `ranks`, if not NULL, gets the thresholds. */
static uint32_t add_all(tn_arena *scratch, const tn_slot_group *g, uint64_t *sum, uint64_t *ranks) {
    counts c = {.leaves = 1};
    while (c.leaves < g->n) {
        c.leaves *= 2;
    }
    c.more = TN_ARRAY(scratch, uint32_t, 2 * (size_t)c.leaves);
    c.most = TN_ARRAY(scratch, uint32_t, 2 * (size_t)c.leaves);
    uint32_t width = 0;
    for (uint32_t k = 0; k < g->n; k++) {
        const tn_slot_item *item = &g->items[g->by_size[k]];
        add_one(&c, item->a, item->b);
        if (c.most[1] > width) {
            *sum += item->size;
            if (ranks != NULL) {
                ranks[width] = item->size;
            }
            width = c.most[1];
        }
    }
    return width;
}

uint64_t tn_slot_bound(tn_arena *scratch, const tn_slot_group *g, uint32_t *width) {
    uint64_t bound = 0;
    *width = add_all(scratch, g, &bound, NULL);
    return bound;
}

void tn_slot_ranks(tn_arena *scratch, const tn_slot_group *g, uint64_t *ranks) {
    uint64_t sum = 0;
    add_all(scratch, g, &sum, ranks);
}

uint64_t tn_sharing_total(tn_arena *scratch, const tn_slot_group *g, const tn_sharing *s) {
    uint64_t *sizes = TN_ARRAY(scratch, uint64_t, s->n_objects), total = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        uint64_t *size = &sizes[s->object[i]];
        *size = g->items[i].size > *size ? g->items[i].size : *size;
    }
    for (uint32_t k = 0; k < s->n_objects; k++) {
        total += sizes[k];
    }
    return total;
}
