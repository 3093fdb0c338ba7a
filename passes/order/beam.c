#include <stdlib.h>

#include "passes/order/search.h"
#include "passes/order/set.h"

typedef struct seed {
    uint64_t peak, live;
    uint32_t set;
} seed;

typedef struct beam {
    tn_reach r;
    uint64_t bound, below, expanded;
    TN_VEC(seed) next;
    uint32_t best; /* full set */
} beam;

static int best_first(const void *a, const void *b) {
    const seed *x = a, *y = b;
    if (x->peak != y->peak) {
        return x->peak < y->peak ? -1 : 1;
    }
    if (x->live != y->live) {
        return x->live < y->live ? -1 : 1;
    }
    return x->set < y->set ? -1 : x->set > y->set;
}

static void step(beam *b, uint32_t set) {
    tn_reach *r = &b->r;
    tn_reach_go(r, set);
    uint64_t peak = r->sets.data[set].peak, limit = peak > b->bound ? peak : b->bound;
    peak = tn_reach_commit(r, peak, limit);
    if (r->count == r->p->n && r->trail.len > 0) {
        uint32_t full = tn_reach_note(r, set, 0, peak);
        if (full != TN_SCHED_NONE && peak < b->below) {
            b->below = peak;
            b->best = full;
        }
        return;
    }
    for (uint32_t v = tn_reach_ready(r, 0); v != TN_SCHED_NONE; v = tn_reach_ready(r, v + 1)) {
        tn_step_cost c = tn_walk_cost(&r->w, v);
        uint64_t during = c.during > peak ? c.during : peak;
        if (during >= b->below) {
            continue;
        }
        tn_reach_run(r, v);
        uint32_t next = tn_reach_note(r, set, 0, during);
        if (next != TN_SCHED_NONE && r->count == r->p->n) {
            b->below = during;
            b->best = next;
        } else if (next != TN_SCHED_NONE) {
            tn_vec_push(r->arena, &b->next, (seed){during, c.after, next});
        }
        tn_reach_back(r);
    }
}

tn_search_found tn_search_beam(tn_arena *scratch, const tn_sched *p, const tn_search_ask *ask,
                               uint32_t width, uint32_t *out) {
    beam b = {.r = tn_reach_make(scratch, p),
              .bound = ask->bound,
              .below = ask->below,
              .best = TN_SCHED_NONE};
    seed *level = TN_ARRAY(scratch, seed, width);
    uint32_t n = 1;
    level[0] = (seed){b.r.w.live, b.r.w.live, tn_reach_note(&b.r, TN_SCHED_NONE, 0, b.r.w.live)};
    while (n > 0 && b.below > b.bound && b.r.work <= ask->work) {
        b.next.len = 0;
        for (uint32_t i = 0; i < n; i++) {
            if (level[i].peak < b.below) {
                b.expanded++;
                step(&b, level[i].set);
            }
        }
        n = 0;
        if (b.next.len > 0) {
            qsort(b.next.data, b.next.len, sizeof *b.next.data, best_first);
        }
        for (uint32_t i = 0; i < b.next.len && n < width; i++) {
            /* A set reached twice in a level stands there with its first, greater peak too. */
            const seed *s = &b.next.data[i];
            if (b.r.sets.data[s->set].peak == s->peak) {
                level[n++] = *s;
            }
        }
    }
    if (b.best != TN_SCHED_NONE) {
        tn_reach_order(&b.r, b.best, out);
    }
    return (tn_search_found){b.best != TN_SCHED_NONE, b.bound, b.expanded, b.r.work};
}
