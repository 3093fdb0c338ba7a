/* Best-first search over sets of ops, the least peak first: the first time the full set comes up
 * its peak is the optimum. Two facts keep it small.
 *
 * Live bytes are submodular over closed sets, so there are moves that need no alternative: if from
 * set I some way to J stays within a peak that has to be accepted anyway, and nothing between I and
 * J has fewer live bytes than J, then any completion can go to J first: joining J to its sets never
 * makes them larger. Takeovers are monotone in the set and do no harm. Used for chains
 * (tn_reach_commit).
 *
 * And a lower bound from cuts is such a peak from the start. */
#include "passes/order/search.h"
#include "passes/order/set.h"

typedef struct entry {
    uint64_t peak;
    uint32_t count, set;
} entry;

typedef struct exact {
    tn_reach r;
    TN_VEC(entry) open; /* a heap */
    uint64_t bound, below, expanded;
} exact;

static bool sooner(const entry *a, const entry *b) {
    if (a->peak != b->peak) {
        return a->peak < b->peak;
    }
    return a->count != b->count ? a->count > b->count : a->set < b->set;
}

static void push(exact *x, uint32_t set) {
    entry e = {x->r.sets.data[set].peak, x->r.sets.data[set].count, set};
    tn_vec_push(x->r.arena, &x->open, e);
    uint32_t i = x->open.len - 1;
    for (; i > 0 && sooner(&e, &x->open.data[(i - 1) / 2]); i = (i - 1) / 2) {
        x->open.data[i] = x->open.data[(i - 1) / 2];
    }
    x->open.data[i] = e;
}

static entry pop(exact *x) {
    entry top = x->open.data[0], last = x->open.data[--x->open.len];
    uint32_t i = 0, n = x->open.len;
    for (;;) {
        uint32_t c = 2 * i + 1;
        c += c + 1 < n && sooner(&x->open.data[c + 1], &x->open.data[c]);
        if (c >= n || !sooner(&x->open.data[c], &last)) {
            break;
        }
        x->open.data[i] = x->open.data[c];
        i = c;
    }
    if (n > 0) {
        x->open.data[i] = last;
    }
    return top;
}

/* Peaks within the bound are all alike, which saves reaching a set again a little more cheaply. */
static uint64_t leveled(const exact *x, uint64_t peak) {
    return peak > x->bound ? peak : x->bound;
}

static void expand(exact *x, uint32_t set) {
    tn_reach *r = &x->r;
    tn_reach_go(r, set);
    r->sets.data[set].closed = true;
    uint64_t peak = leveled(x, tn_reach_commit(r, r->sets.data[set].peak, x->bound));
    uint32_t from = r->trail.len;
    if (from > 0) {
        set = tn_reach_note(r, set, 0, peak);
        if (set == TN_SCHED_NONE) {
            return;
        }
        if (r->count == r->p->n) {
            push(x, set);
            return;
        }
        r->sets.data[set].closed = true;
    }
    for (uint32_t v = tn_reach_ready(r, 0); v != TN_SCHED_NONE; v = tn_reach_ready(r, v + 1)) {
        uint64_t during = tn_walk_cost(&r->w, v).during;
        during = during > peak ? during : peak;
        if (during < x->below) {
            tn_reach_run(r, v);
            uint32_t next = tn_reach_note(r, set, from, during);
            tn_reach_back(r);
            if (next != TN_SCHED_NONE) {
                push(x, next);
            }
        }
    }
}

tn_search_found tn_search_exact(tn_arena *scratch, const tn_sched *p, const tn_search_ask *ask,
                                uint32_t *out) {
    exact x = {.r = tn_reach_make(scratch, p), .bound = ask->bound, .below = ask->below};
    push(&x, tn_reach_note(&x.r, TN_SCHED_NONE, 0, leveled(&x, x.r.w.live)));
    while (x.open.len > 0) {
        entry e = pop(&x);
        const tn_reached *s = &x.r.sets.data[e.set];
        if (s->peak != e.peak || s->closed) {
            continue;
        }
        x.bound = leveled(&x, e.peak);
        if (s->count == p->n) {
            tn_reach_order(&x.r, e.set, out);
            return (tn_search_found){e.peak < ask->below, x.bound, x.expanded, x.r.work};
        }
        if (e.peak >= x.below) {
            break;
        }
        if (x.r.work > ask->work) {
            return (tn_search_found){false, x.bound, x.expanded, x.r.work};
        }
        x.expanded++;
        expand(&x, e.set);
    }
    return (tn_search_found){false, ask->below, x.expanded, x.r.work};
}
