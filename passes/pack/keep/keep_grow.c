#include <string.h>

#include "ir/base/key_sort.h"
#include "passes/pack/keep/keep_t.h"

typedef struct growing {
    tn_keep_case *c;
    const uint32_t *order; /* those that may stay */
    bool *stays, *trial;   /* by item */
} growing;

/* Whether [lo, hi) of the order can join what stays; then they do. */
static bool join(growing *g, uint32_t lo, uint32_t hi) {
    tn_keep_case *c = g->c;
    memcpy(g->trial, g->stays, c->n * sizeof *g->stays);
    for (uint32_t i = lo; i < hi; i++) {
        g->trial[g->order[i]] = true;
    }
    if (tn_keep_try(c, g->trial) != TN_KEEP_FITS) {
        return false;
    }
    memcpy(g->stays, g->trial, c->n * sizeof *g->stays);
    return true;
}

/* Halves, quarters and so on of what cannot stay as a whole. */
static void grow(growing *g, uint32_t lo, uint32_t hi) {
    if (lo == hi || g->c->work > g->c->limit || join(g, lo, hi) || lo + 1 == hi) {
        return;
    }
    uint32_t middle = lo + (hi - lo) / 2;
    grow(g, lo, middle);
    grow(g, middle, hi);
}

static uint64_t key_of(const tn_keep_item *t, tn_keep_order order) {
    const tn_pack_buffer *b = &t->buffer;
    return order == TN_KEEP_LARGE   ? UINT64_MAX - b->size
           : order == TN_KEEP_EARLY ? tn_time_key(b->first)
                                    : UINT64_MAX - tn_time_key(b->last);
}

void tn_keep_grow(tn_keep_case *c, tn_keep_order order) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(c->arena));
    tn_sort_key *keys = tn_sort_room(scratch, c->n);
    uint32_t *sorted = TN_ARRAY(scratch, uint32_t, c->n), n = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->may_stay[i]) {
            keys[n++] = (tn_sort_key){key_of(&c->items[i], order), i};
        }
    }
    tn_sort_items(keys, n, sorted);
    growing g = {c, sorted, TN_ARRAY(scratch, bool, c->n), TN_ARRAY(scratch, bool, c->n)};
    grow(&g, 0, n);
    tn_arena_drop(scratch);
}
