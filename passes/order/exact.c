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

#include "passes/order/options.h"
#include "passes/order/reached.h"
#include "passes/order/reverse.h"

/* A set that waits for its turn: one that was looked at and an op more. It is made when it comes
 * up, as most never do. */
typedef struct entry {
    uint64_t peak;
    uint32_t set;
    uint16_t count, op; /* ops in the set; NO_OP: `set` itself */
} entry;

enum { NO_OP = UINT16_MAX }; /* and the most ops of a problem; a set of so many is 8 KiB */

/* There may be a million: pieces of a fixed size are never moved and leave nothing behind. */
enum { PIECE = 4096 };

/* One direction. */
typedef struct exact {
    tn_reach r;
    TN_VEC(entry *) open; /* a heap, in pieces */
    uint32_t n_open;
    uint64_t bound, below, expanded;
    bool commits;
    uint32_t full; /* the full set once it has come up */
} exact;

static bool sooner(const entry *a, const entry *b) {
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

static entry *open_at(const exact *x, uint32_t i) {
    return &x->open.data[i / PIECE][i % PIECE];
}

/* Where e belongs that may stand too low at `at`. */
static void move_up(exact *x, uint32_t at, entry e) {
    for (; at > 0 && sooner(&e, open_at(x, (at - 1) / 2)); at = (at - 1) / 2) {
        *open_at(x, at) = *open_at(x, (at - 1) / 2);
    }
    *open_at(x, at) = e;
}

/* The same where it may stand too high. */
static void move_down(exact *x, uint32_t at, entry e) {
    for (uint32_t k; (k = 2 * at + 1) < x->n_open; at = k) {
        if (k + 1 < x->n_open && sooner(open_at(x, k + 1), open_at(x, k))) {
            k++;
        }
        if (!sooner(open_at(x, k), &e)) {
            break;
        }
        *open_at(x, at) = *open_at(x, k);
    }
    *open_at(x, at) = e;
}

static void push(exact *x, entry e) {
    if (x->n_open / PIECE == x->open.len) {
        entry *piece = TN_UNSET_ARRAY(x->r.arena, entry, PIECE);
        tn_vec_push(x->r.arena, &x->open, piece);
    }
    e.peak = leveled(x, e.peak);
    move_up(x, x->n_open++, e);
}

static void push_set(exact *x, uint32_t set) {
    const tn_reached *s = tn_reach_set(&x->r, set);
    push(x, (entry){.peak = s->peak, .count = s->count, .set = set, .op = NO_OP});
}

static entry pop(exact *x) {
    entry top = *open_at(x, 0), last = *open_at(x, --x->n_open);
    if (x->n_open > 0) {
        move_down(x, 0, last);
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
        open_at(x, i)->peak = leveled(x, open_at(x, i)->peak);
    }
    for (uint32_t i = x->n_open / 2; i-- > 0;) {
        move_down(x, i, *open_at(x, i));
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
            push(x, (entry){during, set, (uint16_t)(r->count + 1), (uint16_t)v});
        }
    }
}

/* Makes the set of an entry the one at hand and remembers it. TN_SCHED_NONE when it was reached as
 * well before. */
static uint32_t make(exact *x, const entry *e) {
    tn_reach *r = &x->r;
    if (e->op == NO_OP) {
        tn_reach_go(r, e->set);
        return e->set;
    }
    uint32_t hash = tn_reach_set(r, e->set)->hash ^ (uint32_t)r->op_hash[e->op];
    if (tn_reach_knows_next(r, e->set, e->op, hash, e->peak)) {
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

tn_search_found tn_search_exact(tn_arena *arena, const tn_sched *p, const tn_search_ask *ask,
                                uint32_t *out) {
    if (p->n > NO_OP) {
        return (tn_search_found){.bound = ask->bound};
    }
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
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
    tn_arena_drop(scratch);
    return f;
}
