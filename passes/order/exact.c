/* Best-first search over sets of ops, the least peak first: the first time the full set comes up
 * its peak is the optimum. Three facts keep it small.
 *
 * Live bytes are submodular over closed sets, so there are ways that need no alternative: if from
 * set I some way to J stays within a peak that has to be accepted anyway, and nothing between I and
 * J has fewer live bytes than J, then any completion can go to J first: joining J to its sets never
 * makes them larger. Takeovers are monotone in the set and do no harm. Used for chains of ops
 * (tn_reach_commit).
 *
 * A lower bound from cuts is such a peak from the start.
 *
 * And the problem can be searched from its end (reverse.h), where it is often far smaller. Nobody
 * knows before; so both directions take turns, and each proves bounds for the other. */
#include "passes/order/exact.h"

#include <string.h>

#include "ir/base/heap.h"
#include "passes/order/options.h"
#include "passes/order/reached.h"
#include "passes/order/reverse.h"

/* A set that waits for its turn: one that was looked at and an op more. It is made when it comes
 * up, as most never do. */
typedef struct entry {
    uint64_t peak;
    uint32_t count;         /* ops in the set */
    uint32_t set, op, hash; /* `op` TN_SCHED_NONE: the set itself */
} entry;

/* One direction. */
typedef struct exact {
    tn_reach r;
    tn_arena *waiting; /* what `open` lies in */
    entry *open;       /* a heap */
    uint32_t n_open, max_open;
    uint64_t bound, below, expanded;
    bool commits;
    uint32_t full; /* the full set once it has come up */
} exact;

static bool sooner(const void *none, const entry *a, const entry *b) {
    (void)none;
    if (a->peak != b->peak) {
        return a->peak < b->peak;
    }
    if (a->count != b->count) {
        return a->count > b->count;
    }
    return a->set != b->set ? a->set < b->set : a->op < b->op;
}

/* Peaks within the bound are all alike, which saves reaching a set again a little more cheaply. */
static uint64_t leveled(const exact *x, uint64_t peak) {
    return peak > x->bound ? peak : x->bound;
}

/* There may be a million: what is outgrown is given back. */
static void grow(exact *x) {
    tn_arena *arena = tn_arena_new(tn_arena_ctx(x->r.arena));
    x->max_open += x->max_open / 2 + 256;
    entry *open = TN_UNSET_ARRAY(arena, entry, x->max_open);
    if (x->n_open > 0) {
        memcpy(open, x->open, x->n_open * sizeof *open);
    }
    tn_arena_drop(x->waiting);
    x->waiting = arena;
    x->open = open;
}

static void push(exact *x, entry e) {
    if (x->n_open == x->max_open) {
        grow(x);
    }
    e.peak = leveled(x, e.peak);
    x->open[x->n_open++] = e;
    tn_heap_up(x->open, x->n_open - 1, sooner, NULL);
}

static void push_set(exact *x, uint32_t set) {
    const tn_reached *s = tn_reach_set(&x->r, set);
    push(x, (entry){.peak = s->peak, .count = s->count, .set = set, .op = TN_SCHED_NONE});
}

static entry pop(exact *x) {
    entry top = x->open[0];
    x->open[0] = x->open[--x->n_open];
    if (x->n_open > 0) {
        tn_heap_down(x->open, x->n_open, 0, sooner, NULL);
    }
    return top;
}

/* Takes over a bound proven elsewhere. */
static void raise(exact *x, uint64_t bound) {
    if (bound <= x->bound) {
        return;
    }
    x->bound = bound;
    for (uint32_t i = 0; i < x->n_open; i++) {
        x->open[i].peak = leveled(x, x->open[i].peak);
    }
    for (uint32_t i = x->n_open / 2; i-- > 0;) {
        tn_heap_down(x->open, x->n_open, i, sooner, NULL);
    }
}

static void branch(exact *x, uint32_t set, uint64_t peak) {
    tn_reach *r = &x->r;
    for (uint32_t v = tn_reach_ready(r, 0); v != TN_SCHED_NONE; v = tn_reach_ready(r, v + 1)) {
        uint64_t during = tn_op_state_cost(&r->w, v).during;
        during = during > peak ? during : peak;
        if (during >= x->below) {
            continue;
        }
        uint32_t hash = tn_reach_hash_next(r, v);
        if (!tn_reach_knows_next(r, set, v, hash, during)) {
            push(x,
                 (entry){.peak = during, .count = r->count + 1, .set = set, .op = v, .hash = hash});
        }
    }
}

/* Makes the set of an entry the one at hand and remembers it. TN_SCHED_NONE when it was reached as
 * well before. */
static uint32_t make(exact *x, const entry *e) {
    tn_reach *r = &x->r;
    if (e->op == TN_SCHED_NONE) {
        tn_reach_go(r, e->set);
        return e->set;
    }
    if (tn_reach_knows_next(r, e->set, e->op, e->hash, e->peak)) {
        return TN_SCHED_NONE;
    }
    tn_reach_go(r, e->set);
    tn_reach_run(r, e->op);
    uint32_t set = tn_reach_note(r, e->set, 0, e->peak);
    r->trail.len = 0;
    return set;
}

static void expand(exact *x, uint32_t set) {
    tn_reach *r = &x->r;
    x->expanded++;
    uint64_t peak = leveled(x, tn_reach_set(r, set)->peak);
    peak = x->commits ? leveled(x, tn_reach_commit(r, peak, x->bound)) : peak;
    if (r->trail.len > 0) {
        set = tn_reach_note(r, set, 0, peak);
        if (set == TN_SCHED_NONE) {
            return;
        }
        if (r->count == r->p->n) {
            push_set(x, set);
            return;
        }
    }
    branch(x, set, peak);
}

static void start(exact *x, tn_arena *arena, const tn_sched *p, const tn_search_ask *ask) {
    *x = (exact){.r = tn_reach_make(arena, p),
                 .bound = ask->bound,
                 .below = ask->below,
                 .commits = tn_order_has_step(ask->without, TN_ORDER_commit),
                 .full = TN_SCHED_NONE};
    push_set(x, tn_reach_note(&x->r, TN_SCHED_NONE, 0, leveled(x, x->r.w.live)));
}

/* Looks at one more set. False at the end: the full set has come up, or nothing can come up below
 * the limit any more, and then bound >= below. */
static bool step(exact *x) {
    while (x->n_open > 0) {
        entry e = pop(x);
        uint32_t set = make(x, &e);
        if (set == TN_SCHED_NONE) {
            continue;
        }
        x->bound = leveled(x, e.peak);
        if (e.count == x->r.p->n) {
            x->full = set;
            return false;
        }
        if (x->bound >= x->below) {
            return false;
        }
        expand(x, set);
        return true;
    }
    raise(x, x->below);
    return false;
}

tn_search_found tn_search_exact(tn_arena *scratch, const tn_sched *p, const tn_search_ask *ask,
                                uint32_t *out) {
    tn_sched turned;
    exact side[2];
    bool both = tn_order_has_step(ask->without, TN_ORDER_reverse);
    uint32_t sides = both && tn_order_reverse(scratch, p, &turned) ? 2 : 1, at = 0;
    start(&side[0], scratch, p, ask);
    if (sides == 2) {
        start(&side[1], scratch, &turned, ask);
    }
    tn_search_found f = {.bound = ask->bound};
    bool going = true;
    while (going && f.work <= ask->work && !tn_cut_short(tn_arena_ctx(scratch))) {
        at = sides == 2 && side[1].r.work < side[0].r.work;
        raise(&side[at], f.bound);
        going = step(&side[at]);
        f.bound = side[at].bound;
        f.work = side[0].r.work + (sides == 2 ? side[1].r.work : 0);
    }
    f.expanded = side[0].expanded + (sides == 2 ? side[1].expanded : 0);
    f.bound = f.bound < ask->below ? f.bound : ask->below;
    if (!going && side[at].full != TN_SCHED_NONE) {
        tn_reach_order(&side[at].r, side[at].full, out);
        if (at == 1) {
            tn_order_turn(out, p->n);
        }
        f.found = tn_reach_set(&side[at].r, side[at].full)->peak < ask->below;
    }
    for (uint32_t i = 0; i < sides; i++) {
        tn_arena_drop(side[i].waiting);
    }
    return f;
}
