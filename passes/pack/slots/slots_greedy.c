/* Greedy sharing: items in some order, each into the free object that suits it best: the smallest
 * that is large enough, else the largest, which then grows, else a new one (Pisarchyk and Lee); or
 * the one in which it leaves the least time unused before and behind it. */
#include <string.h>

#include "ir/base/bit_tree.h"
#include "ir/base/key_sort.h"
#include "passes/pack/slots/slots.h"

/* The live ranges inside an object, by time. */
typedef struct object {
    TN_VEC(uint64_t) ranges; /* a in the high half, b in the low one */
    uint64_t size;
} object;

/* Where a life [a, b) belongs among those of an object; false when it meets one. */
static bool find_room(const object *o, const tn_slot_item *item, uint32_t *at) {
    uint32_t lo = 0, hi = o->ranges.len;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if ((uint32_t)(o->ranges.data[mid] >> 32) < item->b) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    *at = lo;
    return lo == 0 || (uint32_t)o->ranges.data[lo - 1] <= item->a;
}

static void put_life(tn_arena *scratch, object *o, uint32_t at, const tn_slot_item *item) {
    tn_vec_push(scratch, &o->ranges, 0);
    uint64_t *ranges = o->ranges.data;
    memmove(ranges + at + 1, ranges + at, (o->ranges.len - 1 - at) * sizeof *ranges);
    ranges[at] = (uint64_t)item->a << 32 | item->b;
    o->size = item->size > o->size ? item->size : o->size;
}

static bool suits_better(uint64_t size, uint64_t best, uint64_t want) {
    return best >= want ? size >= want && size < best : size > best;
}

/* Time unused between an item and its neighbours, were it the at-th life of an object. */
static uint64_t looseness(const object *o, uint32_t at, const tn_slot_item *item, uint32_t n) {
    uint32_t from = at > 0 ? (uint32_t)o->ranges.data[at - 1] : 0;
    uint32_t to = at < o->ranges.len ? (uint32_t)(o->ranges.data[at] >> 32) : n;
    return (uint64_t)(item->a - from) + (to - item->b);
}

static bool share(tn_arena *scratch, const tn_slot_group *g, const uint32_t *order, bool tight,
                  uint64_t budget, tn_sharing *out) {
    TN_VEC(object) objects = {0};
    for (uint32_t k = 0; k < g->n; k++) {
        const tn_slot_item *item = &g->items[order[k]];
        uint32_t best = objects.len, best_at = 0;
        uint64_t least = UINT64_MAX;
        for (uint32_t j = 0; j < objects.len; j++) {
            const object *o = &objects.data[j];
            uint32_t at;
            if (!tight && best < objects.len &&
                !suits_better(o->size, objects.data[best].size, item->size)) {
                continue;
            }
            uint64_t loose = find_room(o, item, &at) ? looseness(o, at, item, g->n) : UINT64_MAX;
            if (loose < least || (!tight && loose != UINT64_MAX)) {
                best = j;
                best_at = at;
                least = loose;
            }
        }
        if (objects.len >= budget) {
            return false;
        }
        budget -= objects.len;
        if (best == objects.len) {
            tn_vec_push(scratch, &objects, (object){.size = 0});
        }
        put_life(scratch, &objects.data[best], best_at, item);
        out->object[order[k]] = best;
    }
    out->n_objects = objects.len;
    return true;
}

bool tn_slots_by_size(tn_arena *scratch, const tn_slot_group *g, uint64_t budget, tn_sharing *out) {
    return share(scratch, g, g->by_size, false, budget, out);
}

/* The objects are as large as their first items, so only time matters in the choice. */
bool tn_slots_tight(tn_arena *scratch, const tn_slot_group *g, uint64_t budget, tn_sharing *out) {
    return share(scratch, g, g->by_size, true, budget, out);
}

/* The sizes alive when each item begins; the largest over an item's life is its breadth. */
bool tn_slots_by_breadth(tn_arena *scratch, const tn_slot_group *g, uint64_t budget,
                         tn_sharing *out) {
    uint32_t n = g->n;
    uint64_t *live = TN_ARRAY(scratch, uint64_t, (size_t)n + 1);
    for (uint32_t i = 0; i < n; i++) {
        live[g->items[i].a] += g->items[i].size;
        live[g->items[i].b] -= g->items[i].size;
    }
    for (uint32_t p = 1; p <= n; p++) {
        live[p] += live[p - 1];
    }
    tn_sort_key *keys = tn_sort_room(scratch, n);
    for (uint32_t k = 0; k < n; k++) {
        const tn_slot_item *item = &g->items[g->by_size[k]];
        uint64_t most = 0;
        if (item->b - item->a >= budget) {
            return false;
        }
        budget -= item->b - item->a;
        for (uint32_t p = item->a; p < item->b; p++) {
            most = live[p] > most ? live[p] : most;
        }
        keys[k] = (tn_sort_key){~most, g->by_size[k]};
    }
    uint32_t *order = TN_ARRAY(scratch, uint32_t, n);
    tn_sort_items(keys, n, order);
    return share(scratch, g, order, false, budget, out);
}

/* One sweep over time: objects not in use stand in a set by the rank of their largest member, so
 * that the best is found without looking at the others. Never gives up. When all sizes are equal
 * this is interval colouring and optimal: a new object is made only while all others are in use. */
bool tn_slots_in_order(tn_arena *scratch, const tn_slot_group *g, uint64_t budget,
                       tn_sharing *out) {
    (void)budget;
    uint32_t n = g->n;
    uint32_t *rank = TN_ARRAY(scratch, uint32_t, n), *largest = TN_ARRAY(scratch, uint32_t, n);
    tn_sort_key *keys = tn_sort_room(scratch, 2 * n);
    tn_bit_tree idle = tn_bit_tree_make(scratch, n);
    for (uint32_t k = 0; k < n; k++) { /* ranks ascend with size */
        rank[g->by_size[k]] = n - 1 - k;
    }
    for (uint32_t i = 0; i < n; i++) { /* ends come first among equals */
        keys[i] = (tn_sort_key){g->items[i].b, i};
        keys[n + i] = (tn_sort_key){g->items[i].a, n + i};
    }
    tn_sort_keys(keys, 2 * n);
    uint32_t *object_at = TN_ARRAY(scratch, uint32_t, n); /* by rank of the largest member */
    out->n_objects = 0;
    for (uint32_t e = 0; e < 2 * n; e++) {
        if (keys[e].item < n) {
            tn_bit_tree_add(&idle, largest[out->object[keys[e].item]]);
            continue;
        }
        uint32_t i = keys[e].item - n, r = rank[i];
        uint32_t best = tn_bit_tree_above(&idle, r);
        best = best == TN_BIT_NONE ? tn_bit_tree_below(&idle, r) : best;
        uint32_t obj;
        if (best == TN_BIT_NONE) {
            obj = out->n_objects++;
            largest[obj] = r;
        } else {
            obj = object_at[best];
            tn_bit_tree_remove(&idle, best);
            largest[obj] = best > r ? best : r;
        }
        object_at[largest[obj]] = obj;
        out->object[i] = obj;
    }
    return true;
}
