/* A node holds two sets: `cover`, of the spans whose canonical decomposition contains the node
 * (they occupy all of its sections), and `any`, of all spans that touch a section below it. What is
 * taken somewhere in [a, b) is the union of `any` over the canonical nodes of [a, b) and `cover`
 * over the nodes above them. For leaves the two are the same; only `any` is kept. */
#include "passes/pack/occupancy.h"

#include <string.h>

/* Disjoint intervals [at[2k], at[2k+1]), ascending, none touching the next. */
typedef struct set {
    uint64_t *at;
    uint32_t len, cap; /* numbers, two an interval */
} set;

/* What of a set still lies ahead. */
typedef struct cursor {
    const uint64_t *at, *end;
} cursor;

enum { MAX_CURSORS = 160, FIRST_CAP = 4 };

struct tn_occupancy {
    tn_arena *arena;
    const tn_inst *inst;
    uint32_t leaves; /* a power of two */
    set *any, *cover;
    cursor cursors[MAX_CURSORS];
    uint32_t n_cursors;
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
        o->any[v].len = 0;
    }
    for (uint32_t v = 0; v < o->leaves; v++) {
        o->cover[v].len = 0;
    }
}

uint64_t tn_occupancy_work(const tn_occupancy *o) {
    return o->work;
}

/* Index of the first interval that ends at or after `x`. */
static uint32_t first_reaching(const set *s, uint64_t x) {
    uint32_t lo = 0, hi = s->len / 2;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (s->at[2 * mid + 1] < x) {
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
        s->at = tn_arena_regrow(arena, s->at, s->len, cap, sizeof *s->at);
        s->cap = cap;
    }
    memmove(&s->at[2 * k + 2], &s->at[2 * k], (s->len - 2 * k) * sizeof *s->at);
    s->at[2 * k] = lo;
    s->at[2 * k + 1] = hi;
    s->len += 2;
}

/* Adds [lo, hi), merging all it meets or touches into one interval. */
static void set_add(tn_arena *arena, set *s, uint64_t lo, uint64_t hi) {
    uint32_t k = first_reaching(s, lo), n = s->len / 2, end = k;
    if (k == n || s->at[2 * k] > hi) {
        set_insert(arena, s, k, lo, hi);
        return;
    }
    while (end + 1 < n && s->at[2 * (end + 1)] <= hi) {
        end++;
    }
    uint64_t top = s->at[2 * end + 1];
    s->at[2 * k] = s->at[2 * k] < lo ? s->at[2 * k] : lo;
    s->at[2 * k + 1] = top > hi ? top : hi;
    if (end > k) {
        memmove(&s->at[2 * k + 2], &s->at[2 * end + 2], (s->len - 2 * end - 2) * sizeof *s->at);
        s->len -= 2 * (end - k);
    }
}

static void push_cursor(tn_occupancy *o, const set *s) {
    if (s->len > 0) {
        o->cursors[o->n_cursors++] = (cursor){s->at, s->at + s->len};
    }
}

/* Cursors on `cover` of the nodes above leaf `leaf` that reach outside [a, b). Such nodes form the
 * upper end of the path; `seen` is where another path has already been. */
static void push_above(tn_occupancy *o, uint32_t leaf, uint32_t a, uint32_t b, uint32_t other) {
    unsigned height = 1;
    for (uint32_t v = (leaf + o->leaves) / 2; v > 0; v /= 2, height++) {
        uint64_t from = ((uint64_t)v << height) - o->leaves, to = from + (UINT64_C(1) << height);
        if ((from < a || to > b) && v != other >> height) {
            push_cursor(o, &o->cover[v]);
        }
    }
}

static void collect(tn_occupancy *o, uint32_t a, uint32_t b) {
    o->n_cursors = 0;
    for (uint32_t l = a + o->leaves, r = b + o->leaves; l < r; l /= 2, r /= 2) {
        if (l % 2 == 1) {
            push_cursor(o, &o->any[l++]);
        }
        if (r % 2 == 1) {
            push_cursor(o, &o->any[--r]);
        }
    }
    push_above(o, a, a, b, 0);
    push_above(o, b - 1, a, b, a + o->leaves);
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
    unsigned height = 1;
    for (uint32_t l = left / 2, r = right / 2; l > 0; l /= 2, r /= 2, height++) {
        uint64_t from = ((uint64_t)l << height) - o->leaves, to = from + (UINT64_C(1) << height);
        if (from < a || to > b) {
            set_add(o->arena, &o->any[l], lo, hi);
        }
        from = ((uint64_t)r << height) - o->leaves;
        to = from + (UINT64_C(1) << height);
        if (r != l && (from < a || to > b)) {
            set_add(o->arena, &o->any[r], lo, hi);
        }
    }
}

static uint64_t align_up(uint64_t x, uint64_t align) {
    return align == 1 || x % align == 0 ? x : x + (align - x % align);
}

/* Leapfrog: sets push `at` past the intervals that are in the way, round after round, until a whole
 * round goes by without a push. Sets with nothing ahead drop out. */
static uint64_t leap(tn_occupancy *o, uint64_t at, uint64_t size, uint64_t align) {
    uint32_t n = o->n_cursors;
    cursor *cs = o->cursors;
    bool moved = true;
    while (moved) {
        moved = false;
        o->work += n;
        for (uint32_t k = 0; k < n;) {
            const uint64_t *p = cs[k].at, *end = cs[k].end;
            while (p < end && p[0] < at + size) {
                if (p[1] > at) {
                    at = align_up(p[1], align);
                    moved = true;
                }
                p += 2;
            }
            if (p == end) {
                cs[k] = cs[--n];
            } else {
                cs[k++].at = p;
            }
        }
    }
    o->n_cursors = n;
    return at;
}

/* Where the gap that contains the free address `at` ends; UINT64_MAX when nothing lies above. */
static uint64_t gap_end(const tn_occupancy *o) {
    uint64_t end = UINT64_MAX;
    for (uint32_t k = 0; k < o->n_cursors; k++) {
        uint64_t lo = o->cursors[k].at[0];
        end = lo < end ? lo : end;
    }
    return end;
}

static uint64_t lowest_gapped(tn_occupancy *o, const tn_item *item, uint64_t from) {
    uint64_t at = align_up(from, item->align), before;
    do {
        before = at;
        for (uint32_t k = 0; k < item->n_spans; k++) {
            const tn_span *s = &o->inst->spans[item->span + k];
            collect(o, s->a, s->b);
            at = align_up(leap(o, at + s->lo, s->hi - s->lo, 1) - s->lo, item->align);
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
    return leap(o, align_up(from, item->align), item->size, item->align);
}

uint64_t tn_occupancy_snuggest(tn_occupancy *o, uint32_t i) {
    const tn_item *item = &o->inst->items[i];
    if (!is_whole(o->inst, item)) {
        return lowest_gapped(o, item, 0);
    }
    collect(o, item->a, item->b);
    uint64_t best = 0, room = UINT64_MAX, at = 0;
    for (;;) {
        at = leap(o, at, item->size, item->align);
        uint64_t end = gap_end(o);
        if (end == UINT64_MAX) {
            return room == UINT64_MAX ? at : best;
        }
        if (end - at < room) {
            best = at;
            room = end - at;
        }
        at = align_up(end, item->align);
    }
}

void tn_occupancy_take(tn_occupancy *o, uint32_t i, uint64_t offset) {
    const tn_item *item = &o->inst->items[i];
    for (uint32_t k = 0; k < item->n_spans; k++) {
        const tn_span *s = &o->inst->spans[item->span + k];
        take_span(o, s->a, s->b, offset + s->lo, offset + s->hi);
    }
}
