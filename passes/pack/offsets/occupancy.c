/* A node holds two sets: `cover`, of the spans whose canonical decomposition contains the node
 * (they occupy all of its sections), and `any`, of all spans that touch a section below it. What is
 * occupied somewhere in [a, b) is the union of `any` over the canonical nodes of [a, b) and `cover`
 * over the nodes above them. For leaves the two are the same; only `any` is kept. */
#include "passes/pack/offsets/occupancy.h"

#include <string.h>

#include "ir/base/xmath.h"

/* Disjoint intervals, ascending, none touching the next. The lowest stands apart because most sets
 * have no other, and then they are read without a look elsewhere. */
typedef struct set {
    uint64_t lo, hi; /* hi is 0 when the set is empty */
    uint64_t *more;  /* two ends an interval */
    uint32_t len, cap;
} set;

/* What of some sets still lies ahead: for each the interval at hand, and those behind it. The ends
 * at hand stand in arrays of their own because nearly all steps look at nothing else. */
enum { MAX_CURSORS = 160, FIRST_CAP = 4 };

typedef struct cursors {
    uint64_t lo[MAX_CURSORS], hi[MAX_CURSORS];
    const uint64_t *next[MAX_CURSORS], *end[MAX_CURSORS];
    uint32_t n;
    uint64_t floor; /* everything below is occupied; no cursor stands on an interval from 0 */
} cursors;

struct tn_occupancy {
    tn_arena *arena;
    const tn_inst *inst;
    uint32_t leaves; /* a power of two */
    set *any, *cover;
    cursors ahead;
    uint64_t work;
};

tn_occupancy *tn_occupancy_make(tn_arena *arena, const tn_inst *inst) {
    tn_occupancy *o = TN_NEW(arena, tn_occupancy);
    o->arena = arena;
    o->inst = inst;
    o->leaves = 1;
    while (o->leaves < inst->n_sections) {
        o->leaves *= 2;
    }
    o->any = TN_ARRAY(arena, set, 2 * (size_t)o->leaves);
    o->cover = TN_ARRAY(arena, set, o->leaves);
    return o;
}

void tn_occupancy_clear(tn_occupancy *o) {
    for (uint32_t v = 0; v < 2 * o->leaves; v++) {
        o->any[v].lo = o->any[v].hi = o->any[v].len = 0;
    }
    for (uint32_t v = 0; v < o->leaves; v++) {
        o->cover[v].lo = o->cover[v].hi = o->cover[v].len = 0;
    }
}

uint64_t tn_occupancy_work(const tn_occupancy *o) {
    return o->work;
}

/* Index of the first interval above the lowest that ends at or after `x`. */
static uint32_t first_reaching(const set *s, uint64_t x) {
    uint32_t lo = 0, hi = s->len / 2;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (s->more[2 * mid + 1] < x) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

static void set_insert(tn_arena *arena, set *s, uint32_t k, uint64_t lo, uint64_t hi) {
    if (s->len == s->cap) {
        uint32_t cap = s->cap == 0 ? FIRST_CAP : 2 * s->cap;
        s->more = tn_arena_regrow(arena, s->more, s->len, cap, sizeof *s->more);
        s->cap = cap;
    }
    memmove(&s->more[2 * k + 2], &s->more[2 * k], (s->len - 2 * k) * sizeof *s->more);
    s->more[2 * k] = lo;
    s->more[2 * k + 1] = hi;
    s->len += 2;
}

static void set_remove(set *s, uint32_t k, uint32_t count) {
    s->len -= 2 * count;
    memmove(&s->more[2 * k], &s->more[2 * (k + count)], (s->len - 2 * k) * sizeof *s->more);
}

/* Number of intervals from index k on that begin at or before `x`. */
static uint32_t count_touching(const set *s, uint32_t k, uint64_t x) {
    uint32_t n = 0;
    while (2 * (k + n) < s->len && s->more[2 * (k + n)] <= x) {
        n++;
    }
    return n;
}

/* Adds [lo, hi) to what lies above the lowest interval, which it does not touch. */
static void add_above(tn_arena *arena, set *s, uint64_t lo, uint64_t hi) {
    uint32_t k = first_reaching(s, lo), n = count_touching(s, k, hi);
    if (n == 0) {
        set_insert(arena, s, k, lo, hi);
        return;
    }
    uint64_t top = s->more[2 * (k + n) - 1];
    s->more[2 * k] = s->more[2 * k] < lo ? s->more[2 * k] : lo;
    s->more[2 * k + 1] = top > hi ? top : hi;
    set_remove(s, k + 1, n - 1);
}

/* Adds [lo, hi), merging all it meets or touches into one interval; false when it was there,
 * under the solid block at the bottom, as most are. */
static bool set_add(tn_arena *arena, set *s, uint64_t lo, uint64_t hi) {
    if (s->lo <= lo && s->hi >= hi) {
        return false;
    }
    if (s->hi == 0) {
        s->lo = lo;
        s->hi = hi;
    } else if (lo > s->hi) {
        add_above(arena, s, lo, hi);
    } else if (hi < s->lo) {
        set_insert(arena, s, 0, s->lo, s->hi);
        s->lo = lo;
        s->hi = hi;
    } else {
        s->lo = lo < s->lo ? lo : s->lo;
        s->hi = hi > s->hi ? hi : s->hi;
        uint32_t n = count_touching(s, 0, s->hi);
        if (n > 0) {
            s->hi = s->more[2 * n - 1] > s->hi ? s->more[2 * n - 1] : s->hi;
            set_remove(s, 0, n);
        }
    }
    return true;
}

static void push_cursor(tn_occupancy *o, const set *s) {
    cursors *c = &o->ahead;
    if (s->hi == 0) {
        return;
    }
    if (s->lo == 0) {
        c->floor = s->hi > c->floor ? s->hi : c->floor;
    }
    const uint64_t *more = s->more, *end = s->len > 0 ? more + s->len : more;
    uint64_t lo = s->lo, hi = s->hi;
    if (lo == 0 && more == end) {
        return;
    }
    if (lo == 0) {
        lo = more[0];
        hi = more[1];
        more += 2;
    }
    c->lo[c->n] = lo;
    c->hi[c->n] = hi;
    c->next[c->n] = more;
    c->end[c->n++] = end;
}

/* The lowest node above leaf v that reaches outside [a, b), 0 when there is none; all above it do.
 */
static uint32_t first_outside(const tn_occupancy *o, uint32_t v, uint32_t a, uint32_t b) {
    uint64_t from = v - o->leaves, size = 1;
    for (; v > 0; v /= 2, size *= 2) {
        from &= ~(size - 1);
        if (from < a || from + size > b) {
            return v;
        }
    }
    return 0;
}

/* Cursors on `cover` of node v and those above it, up to where `other`, another such path, joins.
 */
static void push_above(tn_occupancy *o, uint32_t v, uint32_t other) {
    while (other > v) {
        other /= 2;
    }
    for (; v > 0 && v != other; v /= 2) {
        push_cursor(o, &o->cover[v]);
        if (other > v / 2) {
            other /= 2;
        }
    }
}

static void collect(tn_occupancy *o, uint32_t a, uint32_t b) {
    o->ahead.n = 0;
    o->ahead.floor = 0;
    for (uint32_t l = a + o->leaves, r = b + o->leaves; l < r; l /= 2, r /= 2) {
        if (l % 2 == 1) {
            push_cursor(o, &o->any[l++]);
        }
        if (r % 2 == 1) {
            push_cursor(o, &o->any[--r]);
        }
    }
    uint32_t left = first_outside(o, a + o->leaves, a, b);
    push_above(o, left, 0);
    push_above(o, first_outside(o, b - 1 + o->leaves, a, b), left);
}

static void take_span(tn_occupancy *o, uint32_t a, uint32_t b, uint64_t lo, uint64_t hi) {
    uint32_t left = a + o->leaves, right = b - 1 + o->leaves;
    for (uint32_t l = left, r = right + 1; l < r; l /= 2, r /= 2) {
        uint32_t nodes[2], n = 0;
        if (l % 2 == 1) {
            nodes[n++] = l++;
        }
        if (r % 2 == 1) {
            nodes[n++] = --r;
        }
        while (n-- > 0) {
            set_add(o->arena, &o->any[nodes[n]], lo, hi);
            if (nodes[n] < o->leaves) {
                set_add(o->arena, &o->cover[nodes[n]], lo, hi);
            }
        }
    }
    /* what a node has, those above it have */
    uint32_t v = first_outside(o, left, a, b);
    while (v > 0 && set_add(o->arena, &o->any[v], lo, hi)) {
        v /= 2;
    }
    v = first_outside(o, right, a, b);
    while (v > 0 && set_add(o->arena, &o->any[v], lo, hi)) {
        v /= 2;
    }
}

static void move_cursor(cursors *c, uint32_t to, uint32_t from) {
    c->lo[to] = c->lo[from];
    c->hi[to] = c->hi[from];
    c->next[to] = c->next[from];
    c->end[to] = c->end[from];
}

/* Moves cursor k to the first interval that ends above `x`; false when there is none, and the last
 * cursor has taken its place. */
static bool advance(cursors *c, uint32_t k, uint64_t x) {
    const uint64_t *p = c->next[k], *end = c->end[k];
    while (p < end && p[1] <= x) {
        p += 2;
    }
    if (p == end) {
        move_cursor(c, k, --c->n);
        return false;
    }
    c->lo[k] = p[0];
    c->hi[k] = p[1];
    c->next[k] = p + 2;
    return true;
}

/* Leapfrog: sets push `at` past the intervals that are in the way, round after round, until a whole
 * round goes by without a push. Sets with nothing ahead drop out. */
static uint64_t leap(tn_occupancy *o, uint64_t at, uint64_t size, uint64_t align) {
    cursors *c = &o->ahead;
    bool moved = true;
    at = at < c->floor ? tn_round_up(c->floor, align) : at;
    while (moved) {
        moved = false;
        o->work += c->n;
        for (uint32_t k = 0; k < c->n;) {
            bool left = true;
            while (left && c->lo[k] < at + size) {
                if (c->hi[k] > at) {
                    at = tn_round_up(c->hi[k], align);
                    moved = true;
                }
                left = advance(c, k, at);
            }
            k += left ? 1 : 0;
        }
    }
    return at;
}

static uint64_t lowest_gapped(tn_occupancy *o, const tn_item *item, uint64_t from) {
    uint64_t at = tn_round_up(from, item->align), before;
    do {
        before = at;
        for (uint32_t k = 0; k < item->n_spans; k++) {
            const tn_span *s = &o->inst->spans[item->span + k];
            collect(o, s->a, s->b);
            at = tn_round_up(leap(o, at + s->lo, s->hi - s->lo, 1) - s->lo, item->align);
        }
    } while (at != before);
    return at;
}

static bool is_whole(const tn_inst *inst, const tn_item *item) {
    const tn_span *s = &inst->spans[item->span];
    return item->n_spans == 1 && s->lo == 0 && s->hi == item->size;
}

uint64_t tn_occupancy_lowest(tn_occupancy *o, uint32_t i, uint64_t from) {
    const tn_item *item = &o->inst->items[i];
    if (!is_whole(o->inst, item)) {
        return lowest_gapped(o, item, from);
    }
    collect(o, item->a, item->b);
    return leap(o, tn_round_up(from, item->align), item->size, item->align);
}

void tn_occupancy_add(tn_occupancy *o, uint32_t i, uint64_t offset) {
    const tn_item *item = &o->inst->items[i];
    for (uint32_t k = 0; k < item->n_spans; k++) {
        const tn_span *s = &o->inst->spans[item->span + k];
        take_span(o, s->a, s->b, offset + s->lo, offset + s->hi);
    }
}
