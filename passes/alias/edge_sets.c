#include "passes/alias/edge_sets.h"

#include <stdlib.h>
#include <string.h>

#include "ir/base/key_sort.h"
#include "ir/base/sort.h"
#include "passes/core/measured_steps.h"

/* All sets of so many edges are looked at: 2048 joins and as many undone. */
enum { MAX_OPEN = 10 };
/* An edge that made the peak higher may not do so once others are there. */
enum { MAX_ROUNDS = 3 };
/* Of an op's edges all beginnings are tried; of more than these, halves. */
enum { MAX_PREFIXES = 16 };
/* Joins made while edges of a set are dropped again, all trials together. */
enum { TRIM_WORK = 10000 };

typedef struct search {
    tn_load *load;
    const tn_liveness *live;
    tn_alias_edges edges;
    tn_arena *arena;
    uint32_t *by_step; /* edges in order of the step of the op that makes them possible */
    TN_VEC(tn_alias_pick) picks;
} search;

/* Edges tried together: those of one op, in `order`, and the bytes alive at its step. */
typedef struct op_edges {
    uint32_t from, n;
    int64_t bytes;
} op_edges;

typedef struct ranked {
    int64_t key;
    uint32_t edge;
} ranked;

static int by_key(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(x->key, y->key), TN_COMPARE(x->edge, y->edge));
}

static int by_bytes(const void *a, const void *b) {
    const op_edges *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(y->bytes, x->bytes), TN_COMPARE(x->from, y->from));
}

static int by_peak(const void *a, const void *b) {
    const tn_alias_pick *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(x->peak, y->peak), TN_COMPARE(y->n_kept, x->n_kept),
                       TN_COMPARE(x->mask, y->mask));
}

static const tn_live *live_of(const search *w, const tn_value *v) {
    return &w->live->of[v->id];
}

/* An edge may stand on either value; the later one is made by the op that allows the alias. */
static const tn_value *later_of(const search *w, const tn_alias_edge *e) {
    return live_of(w, e->v)->first >= live_of(w, e->of)->first ? e->v : e->of;
}

static void sort_by_step(search *w) {
    tn_sort_key *keys = tn_sort_room(w->arena, w->edges.n);
    for (uint32_t i = 0; i < w->edges.n; i++) {
        keys[i] = (tn_sort_key){tn_time_key(live_of(w, later_of(w, &w->edges.at[i]))->first), i};
    }
    w->by_step = TN_ARRAY(w->arena, uint32_t, w->edges.n);
    tn_sort_items(keys, w->edges.n, w->by_step);
}

static void add_set(search *w, const bool *keep, uint32_t mask) {
    tn_alias_pick p = {.peak = tn_load_peak(w->load), .mask = mask, .keep = keep};
    for (uint32_t i = 0; i < w->edges.n; i++) {
        p.n_kept += keep[i];
    }
    tn_vec_push(w->arena, &w->picks, p);
}

static bool has_kind(const search *w, unsigned kind) {
    for (uint32_t i = 0; i < w->edges.n; i++) {
        if (w->edges.kind[i] & kind) {
            return true;
        }
    }
    return false;
}

/* The set of all edges but those of some kinds. */
static void add_set_without(search *w, unsigned kinds, uint32_t mask) {
    bool *keep = TN_ARRAY(w->arena, bool, w->edges.n);
    uint32_t mark = tn_load_mark(w->load);
    tn_load_hold(w->load);
    for (uint32_t i = 0; i < w->edges.n; i++) {
        keep[i] = (w->edges.kind[i] & kinds) == 0;
        if (keep[i]) {
            tn_load_join(w->load, &w->edges.at[i]);
        }
    }
    add_set(w, keep, mask);
    tn_load_hold(w->load);
    tn_load_back(w->load, mark);
}

/* Keeps the edges that make no step worse; the others are returned, by step. */
static uint32_t *keep_harmless(search *w, bool *keep, uint32_t *n_open) {
    uint32_t *open = TN_ARRAY(w->arena, uint32_t, w->edges.n);
    *n_open = 0;
    tn_load_hold(w->load);
    for (uint32_t i = 0; i < w->edges.n; i++) {
        uint32_t k = w->by_step[i];
        keep[k] = tn_load_is_harmless(w->load, &w->edges.at[k]);
        if (keep[k]) {
            tn_load_join(w->load, &w->edges.at[k]);
        } else {
            open[(*n_open)++] = k;
        }
    }
    return open;
}

static bool *with_open(search *w, const bool *kept, const uint32_t *open, uint32_t n_open,
                       uint32_t mask) {
    bool *keep = TN_ARRAY(w->arena, bool, w->edges.n);
    for (uint32_t i = 0; i < w->edges.n; i++) {
        keep[i] = kept[i];
    }
    for (uint32_t i = 0; i < n_open; i++) {
        keep[open[i]] = !(mask >> i & 1u);
    }
    return keep;
}

/* Every set of the open edges on top of those joined already: one edge is decided after another,
 * from the first, and a set in `mask` of those left out. All sets become picks, or the best one. */
static void add_sets(search *w, const bool *kept, const uint32_t *open, uint32_t n_open, bool all) {
    uint32_t mark[MAX_OPEN + 1], mask = 0, depth = 0, best = 0, fewest = UINT32_MAX;
    int64_t lowest = INT64_MAX;
    for (;;) {
        for (; depth < n_open; depth++) { /* first with the edge */
            mark[depth] = tn_load_mark(w->load);
            tn_load_join(w->load, &w->edges.at[open[depth]]);
        }
        int64_t peak = tn_load_peak(w->load);
        uint32_t n_out = (uint32_t)__builtin_popcount(mask);
        if (all) {
            add_set(w, with_open(w, kept, open, n_open, mask), mask);
        } else if (peak < lowest || (peak == lowest && n_out < fewest)) {
            lowest = peak;
            fewest = n_out;
            best = mask;
        }
        while (depth > 0 && (mask >> (depth - 1) & 1u)) {
            mask &= ~(1u << --depth);
        }
        if (depth == 0) {
            break;
        }
        tn_load_back(w->load, mark[depth - 1]);
        mask |= 1u << (depth - 1); /* then without it */
    }
    if (!all) {
        bool *keep = with_open(w, kept, open, n_open, best);
        for (uint32_t i = 0; i < n_open; i++) {
            if (keep[open[i]]) {
                tn_load_join(w->load, &w->edges.at[open[i]]);
            }
        }
        add_set(w, keep, 0);
    }
}

/* Joins the first n of some edges, unless the peak grows. */
static bool join_all(search *w, const uint32_t *edges, uint32_t n, bool *keep) {
    uint32_t mark = tn_load_mark(w->load);
    int64_t peak = tn_load_peak(w->load);
    for (uint32_t i = 0; i < n; i++) {
        tn_load_join(w->load, &w->edges.at[edges[i]]);
    }
    if (tn_load_peak(w->load) > peak) {
        tn_load_back(w->load, mark);
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        keep[edges[i]] = true;
    }
    return true;
}

/* Keeps as many of an op's edges as the peak allows: the longest beginning of the list that fits at
 * once, then each of the others by itself. */
static void keep_most(search *w, const uint32_t *edges, uint32_t n, bool *keep) {
    uint32_t k = n;
    while (k > 1 && !join_all(w, edges, k, keep)) {
        k = k > MAX_PREFIXES ? k / 2 : k - 1;
    }
    for (uint32_t i = k > 1 ? k : 0; i < n; i++) {
        (void)join_all(w, &edges[i], 1, keep);
    }
}

/* Open edges by op; within an op first those that lengthen live ranges least. */
static op_edges *group_by_op(search *w, uint32_t *open, uint32_t n_open, uint32_t *n) {
    op_edges *b = TN_ARRAY(w->arena, op_edges, n_open);
    ranked *r = TN_ARRAY(w->arena, ranked, n_open);
    *n = 0;
    for (uint32_t i = 0, to; i < n_open; i = to) {
        int32_t step = live_of(w, later_of(w, &w->edges.at[open[i]]))->first;
        for (to = i; to < n_open && live_of(w, later_of(w, &w->edges.at[open[to]]))->first == step;
             to++) {
            r[to] = (ranked){tn_load_lengthening(w->load, &w->edges.at[open[to]]), open[to]};
        }
        TN_SORT(&r[i], to - i, by_key);
        for (uint32_t k = i; k < to; k++) {
            open[k] = r[k].edge;
        }
        b[(*n)++] = (op_edges){i, to - i, tn_load_at(w->load, step)};
    }
    TN_SORT(b, *n, by_bytes);
    return b;
}

/* Adds open edges to the set, the fullest step first, until a round adds none. */
static void grow_set(search *w, bool *keep, uint32_t *open, uint32_t n_open) {
    uint32_t n, n_left = 0, *left = TN_ARRAY(w->arena, uint32_t, n_open);
    const op_edges *b = group_by_op(w, open, n_open, &n);
    bool more = true;
    for (int round = 0; round < MAX_ROUNDS && more; round++) {
        more = false;
        for (uint32_t i = 0; i < n; i++) {
            n_left = 0;
            for (uint32_t k = b[i].from; k < b[i].from + b[i].n; k++) {
                if (!keep[open[k]]) {
                    left[n_left++] = open[k];
                }
            }
            keep_most(w, left, n_left, keep);
            for (uint32_t k = 0; k < n_left; k++) {
                more = more || keep[left[k]];
            }
        }
    }
}

/* The peak of a set without one edge of it, or, for UINT32_MAX, of all of it, which is joined. */
static int64_t peak_without(search *w, uint32_t mark, const bool *keep, uint32_t out) {
    tn_load_back(w->load, mark);
    for (uint32_t i = 0; i < w->edges.n; i++) {
        if (keep[i] && i != out) {
            tn_load_join(w->load, &w->edges.at[i]);
        }
    }
    return tn_load_peak(w->load);
}

static bool spans(const search *w, const tn_alias_edge *e, int32_t step) {
    const tn_live *a = live_of(w, e->v), *b = live_of(w, e->of);
    return (a->first <= step || b->first <= step) && (a->last >= step || b->last >= step);
}

/* A set grows by all that the peak allows, which need not make the peak lowest: a Concat that
 * gathers all of its operands takes its bytes from the first of them on, and gathering all but that
 * one may need less. So of the edges around the worst step the one is dropped without which the
 * fewest bytes are alive there, if no step is worse then than that one was; and so on. Returns
 * whether the peak got lower; `keep` and the joins are what is left. */
static bool trim_set(search *w, uint32_t mark, bool *keep) {
    int64_t first = tn_load_peak(w->load), peak = first;
    uint32_t work = 0, best;
    do {
        int32_t step = tn_load_worst(w->load);
        int64_t least = peak;
        best = UINT32_MAX;
        for (uint32_t i = 0; i < w->edges.n && work < TRIM_WORK; i++) {
            if (keep[i] && spans(w, &w->edges.at[i], step)) {
                bool may = peak_without(w, mark, keep, i) <= peak;
                int64_t there = tn_load_at(w->load, step);
                work += w->edges.n;
                best = may && there < least ? i : best;
                least = may && there < least ? there : least;
            }
        }
        if (best != UINT32_MAX) {
            keep[best] = false;
        }
        peak = peak_without(w, mark, keep, UINT32_MAX);
    } while (best != UINT32_MAX);
    return peak < first;
}

tn_alias_picks tn_alias_search(tn_load *l, const tn_liveness *live, tn_alias_edges edges, bool more,
                               tn_arena *arena) {
    static const unsigned without[] = {0,
                                       TN_EDGE_WIDTH,
                                       TN_EDGE_SHARE,
                                       TN_EDGE_PART,
                                       TN_EDGE_SHARE | TN_EDGE_PART,
                                       TN_EDGE_SHARE | TN_EDGE_PART | TN_EDGE_INPLACE,
                                       TN_EDGE_SHARE | TN_EDGE_PART | TN_EDGE_INPLACE |
                                           TN_EDGE_VIEW};
    search w = {.load = l, .live = live, .edges = edges, .arena = arena};
    uint32_t mark = tn_load_mark(l), n_open;
    bool *keep = TN_ARRAY(arena, bool, edges.n);
    sort_by_step(&w);
    uint32_t *open = keep_harmless(&w, keep, &n_open);
    bool few = edges.n <= MAX_OPEN && (more || n_open > 0);
    if (few) {
        tn_load_back(l, mark);
        open = w.by_step;
        n_open = edges.n;
    }
    if (n_open <= MAX_OPEN) {
        add_sets(&w, keep, open, n_open, few);
    } else {
        grow_set(&w, keep, open, n_open);
        add_set(&w, keep, 0);
    }
    if (!few && n_open > 0 && edges.n <= TRIM_WORK / 4 && tn_step_is_on(TN_STEP_trim_set)) {
        bool *fewer = TN_ARRAY(arena, bool, edges.n);
        memcpy(fewer, w.picks.data[0].keep, edges.n * sizeof *fewer);
        if (trim_set(&w, mark, fewer)) {
            add_set(&w, fewer, 0);
        }
    }
    tn_load_hold(l);
    tn_load_back(l, mark);
    bool by_kind = !few && (more || n_open > 0) && tn_step_is_on(TN_STEP_kind_sets);
    for (uint32_t i = 0; i < sizeof without / sizeof without[0] && by_kind; i++) {
        if (without[i] != TN_EDGE_WIDTH || has_kind(&w, TN_EDGE_WIDTH)) {
            add_set_without(&w, without[i], UINT32_MAX - 8 + i);
        }
    }
    TN_SORT(w.picks.data, w.picks.len, by_peak);
    return (tn_alias_picks){w.picks.data, w.picks.len};
}
