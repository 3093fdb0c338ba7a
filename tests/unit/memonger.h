/* The two assignments of Caffe2's memonger, to compare with: chains of items, each beginning no
 * earlier than the one before it ends. The second is called dynamic programming there, but is not
 * exact: appending to the best of a prefix can be worse than to another one of equal or higher
 * cost. It repeats work without bound, so here its copying is counted and the budget is real. */
#ifndef TENURE_TESTS_UNIT_MEMONGER_H
#define TENURE_TESTS_UNIT_MEMONGER_H

#include "ir/base/key_sort.h"
#include "passes/pack/slots/slots.h"

/* Items by end, then by index. */
static uint32_t *by_end(tn_arena *scratch, const tn_slot_group *g) {
    uint32_t n = g->n;
    tn_sort_key *keys = tn_sort_room(scratch, n);
    uint32_t *order = TN_ARRAY(scratch, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        keys[i] = (tn_sort_key){g->items[i].b, i};
    }
    tn_sort_items(keys, n, order);
    return order;
}

static uint64_t distance(uint64_t a, uint64_t b) {
    return a > b ? a - b : b - a;
}

static bool memonger_greedy(tn_arena *scratch, const tn_slot_group *g, uint64_t budget,
                            tn_sharing *out) {
    const uint32_t *order = by_end(scratch, g);
    uint64_t *size = TN_ARRAY(scratch, uint64_t, g->n);
    uint32_t *end = TN_ARRAY(scratch, uint32_t, g->n), n = 0;
    for (uint32_t k = 0; k < g->n; k++) {
        const tn_slot_item *item = &g->items[order[k]];
        uint32_t best = n;
        for (uint32_t c = 0; c < n; c++) {
            if (item->a >= end[c] &&
                (best == n || distance(size[c], item->size) < distance(size[best], item->size))) {
                best = c;
            }
        }
        if (n >= budget) {
            return false;
        }
        budget -= n;
        n += best == n ? 1 : 0;
        size[best] = item->size > size[best] ? item->size : size[best];
        end[best] = item->b;
        out->object[order[k]] = best;
    }
    out->n_objects = n;
    return true;
}

/* Chains are shared between assignments and never change. */
typedef struct chain {
    const struct chain *rest;
    uint32_t item;
    uint64_t size; /* of its largest item */
} chain;

typedef struct assignment {
    const chain **chains;
    uint32_t n;
    uint64_t cost;
} assignment;

typedef struct memonger_work {
    tn_arena *arena;
    const tn_slot_group *g;
    uint64_t budget; /* chain pointers that may still be looked at or copied */
} memonger_work;

enum { MAX_DEPTH = 256 };

static bool spend(memonger_work *d, uint64_t steps) {
    bool enough = d->budget >= steps;
    d->budget = enough ? d->budget - steps : 0;
    return enough;
}

static bool fits(const memonger_work *d, uint32_t item, const chain *c) {
    return d->g->items[item].a >= d->g->items[c->item].b;
}

static bool fits_all(const memonger_work *d, uint32_t item, const assignment *a) {
    for (uint32_t c = 0; c < a->n; c++) {
        if (!fits(d, item, a->chains[c])) {
            return false;
        }
    }
    return true;
}

static const chain *extend(memonger_work *d, const chain *rest, uint32_t item) {
    chain *c = TN_NEW(d->arena, chain);
    uint64_t size = d->g->items[item].size;
    *c = (chain){rest, item, rest != NULL && rest->size > size ? rest->size : size};
    return c;
}

/* A copy of `a` without chain `skip` (a->n: none) and with `more`, if there is one. */
static assignment changed(memonger_work *d, const assignment *a, uint32_t skip, const chain *more) {
    assignment out = {TN_ARRAY(d->arena, const chain *, (size_t)a->n + 1), 0, a->cost};
    for (uint32_t c = 0; c < a->n; c++) {
        if (c != skip) {
            out.chains[out.n++] = a->chains[c];
        }
    }
    out.cost -= skip < a->n ? a->chains[skip]->size : 0;
    if (more != NULL) {
        out.chains[out.n++] = more;
        out.cost += more->size;
    }
    return out;
}

static bool run(memonger_work *d, const uint32_t *items, uint32_t n, const assignment *init,
                uint32_t depth, assignment *out);

/* The best way to end items[0..i] with items[i] in a chain of its own, or appended to one of `base`
 * behind which items[from..i) have been assigned without that chain. */
static bool best_for(memonger_work *d, const uint32_t *items, uint32_t from, uint32_t i,
                     const assignment *base, const assignment *before, uint32_t depth,
                     assignment *out) {
    if (!spend(d, before->n + 1)) {
        return false;
    }
    *out = changed(d, before, before->n, extend(d, NULL, items[i]));
    for (uint32_t c = 0; c < base->n; c++) {
        if (!fits(d, items[i], base->chains[c])) {
            continue;
        }
        assignment rest, without = changed(d, base, c, NULL);
        if (!spend(d, base->n) || !run(d, items + from, i - from, &without, depth + 1, &rest)) {
            return false;
        }
        assignment with = changed(d, &rest, rest.n, extend(d, base->chains[c], items[i]));
        if (!spend(d, rest.n + 1)) {
            return false;
        }
        *out = with.cost < out->cost ? with : *out;
    }
    return true;
}

static bool run(memonger_work *d, const uint32_t *items, uint32_t n, const assignment *init,
                uint32_t depth, assignment *out) {
    assignment *best = TN_ARRAY(d->arena, assignment, n);
    if (depth > MAX_DEPTH || !spend(d, n)) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = i; /* one more than the index of the prefix to build on */
        while (k > 0 && !fits_all(d, items[i], &best[k - 1])) {
            if (!spend(d, best[k - 1].n)) {
                return false;
            }
            k--;
        }
        const assignment *base = k == 0 ? init : &best[k - 1];
        const assignment *before = i == 0 ? init : &best[i - 1];
        if (!best_for(d, items, k, i, base, before, depth, &best[i])) {
            return false;
        }
    }
    *out = n == 0 ? *init : best[n - 1];
    return true;
}

static bool memonger_dp(tn_arena *scratch, const tn_slot_group *g, uint64_t budget,
                        tn_sharing *out) {
    enum { MOST = 4000000 }; /* what is counted is held in memory: about 16 bytes a step */
    memonger_work d = {scratch, g, budget < MOST ? budget : MOST};
    assignment none = {0}, result;
    if (!run(&d, by_end(scratch, g), g->n, &none, 0, &result)) {
        return false;
    }
    for (uint32_t c = 0; c < result.n; c++) {
        for (const chain *link = result.chains[c]; link != NULL; link = link->rest) {
            out->object[link->item] = c;
        }
    }
    out->n_objects = result.n;
    return true;
}

/* The bytes of all objects by one of the two, of buffers as tn_pack_slots takes them. */
static inline uint64_t memonger_total(tn_arena *a, const tn_pack_buffer *b, uint32_t n, bool dp) {
    uint32_t *ids = TN_ARRAY(a, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        ids[i] = i;
    }
    tn_slot_group g = tn_slot_group_make(a, b, ids, n);
    tn_sharing s = {.object = TN_ARRAY(a, uint32_t, n)};
    bool answered = (dp ? memonger_dp : memonger_greedy)(a, &g, UINT64_MAX, &s);
    return answered ? tn_sharing_total(a, &g, &s) : UINT64_MAX;
}

#endif
