/* First what can be fixed at no cost (simplify), then the parts between ops that all orders have in
 * the same place, and for each part as much effort as it takes to meet the bound. */
#include "passes/order/solve.h"

#include <string.h>

#include "ir/base/sort.h"
#include "passes/order/cut.h"
#include "passes/order/divide.h"
#include "passes/order/exact.h"
#include "passes/order/list_order.h"
#include "passes/order/reverse.h"
#include "passes/order/series_parallel.h"
#include "passes/order/simplify.h"
#include "passes/order/timeline.h"
#include "passes/order/windows.h"

typedef struct solver {
    const tn_sched_options *o;
    uint64_t search, flow; /* left of the budgets */
    uint64_t bound;        /* of the whole problem: the greatest that some part has */
    uint64_t expanded;
} solver;

/* The best order of a part so far, and its peak. */
typedef struct attempt {
    tn_arena *arena;
    const tn_sched *p;
    uint32_t *best, *trial;
    uint64_t peak;
} attempt;

static bool has(const solver *s, tn_order_step step) {
    return tn_order_has_step(s->o->without, step);
}

/* Whether a better order of the part could make a better whole. */
static bool can_gain(const solver *s, const attempt *a) {
    return a->peak > s->bound;
}

static void offer(attempt *a) {
    uint64_t peak = tn_sched_peak(a->arena, a->p, a->trial);
    if (peak < a->peak) {
        a->peak = peak;
        memcpy(a->best, a->trial, a->p->n * sizeof *a->best);
    }
}

static void list_orders(const solver *s, attempt *a) {
    tn_order_list(a->arena, a->p, a->trial);
    offer(a);
    tn_sched turned;
    if (can_gain(s, a) && tn_order_reverse(a->arena, a->p, &turned)) {
        tn_order_list(a->arena, &turned, a->trial);
        tn_order_turn(a->trial, a->p->n);
        offer(a);
    }
}

static void spend(uint64_t *budget, uint64_t work) {
    *budget -= work < *budget ? work : *budget;
}

static void cut_bound(solver *s, const attempt *a) {
    tn_cutter c = tn_cutter_make(a->arena, a->p);
    s->bound = tn_cut_lower_bound(&c, a->best, s->bound, s->flow / 2);
    spend(&s->flow, c.work);
}

static void sequence_bound(solver *s, const attempt *a) {
    tn_cutter c = tn_cutter_make(a->arena, a->p);
    s->bound = tn_cut_sequence_bound(&c, a->best, (uint32_t)s->o->sequence, s->bound, s->flow / 2);
    spend(&s->flow, c.work);
}

/* Half of what is left: a hard part must not starve those behind it. */
static void search(solver *s, attempt *a) {
    if (!has(s, TN_ORDER_exact)) {
        return;
    }
    tn_search_ask ask = {s->bound, a->peak, s->search / 2, s->o->without};
    tn_search_found f = tn_search_exact(a->arena, a->p, &ask, a->trial);
    spend(&s->search, f.work);
    s->expanded += f.expanded;
    s->bound = f.bound > s->bound ? f.bound : s->bound;
    if (f.found) {
        offer(a);
    }
}

/* Series-parallel parts get dependencies that only the search respects, not what follows it. */
static void search_merged(solver *s, attempt *a) {
    if (!has(s, TN_ORDER_series_parallel)) {
        search(s, a);
        return;
    }
    tn_sched merged = tn_order_merge_chains(a->arena, a->p, s->o->merge, a->best, a->trial);
    offer(a);
    if (can_gain(s, a)) {
        const tn_sched *p = a->p;
        a->p = &merged;
        search(s, a);
        a->p = p;
    }
}

static void divide(solver *s, attempt *a) {
    memcpy(a->trial, a->best, a->p->n * sizeof *a->trial);
    spend(&s->flow, tn_order_divide(a->arena, a->p, s->bound, s->flow / 2, a->trial));
    offer(a);
}

static void search_windows(solver *s, attempt *a) {
    tn_search_ask ask = {s->bound, 0, s->search, s->o->without};
    memcpy(a->trial, a->best, a->p->n * sizeof *a->trial);
    tn_search_found f = tn_order_windows(a->arena, a->p, &ask, s->o, a->trial);
    spend(&s->search, f.work);
    s->expanded += f.expanded;
    offer(a);
}

/* Orders one part; `order` holds a valid order of it before and the best found after. */
static void solve_part(solver *s, tn_arena *arena, const tn_sched *p, uint32_t *order) {
    attempt a = {arena, p, order, TN_ARRAY(arena, uint32_t, p->n), 0};
    a.peak = tn_sched_peak(arena, p, order);
    if (can_gain(s, &a) && has(s, TN_ORDER_lists)) {
        list_orders(s, &a);
    }
    if (can_gain(s, &a) && has(s, TN_ORDER_cut)) {
        cut_bound(s, &a);
    }
    if (can_gain(s, &a) && p->n <= s->o->searched_ops) {
        search_merged(s, &a);
    }
    if (can_gain(s, &a) && has(s, TN_ORDER_windows)) {
        search_windows(s, &a);
    }
    uint64_t peak = a.peak;
    if (can_gain(s, &a) && p->n <= s->o->divided_ops && has(s, TN_ORDER_divide)) {
        divide(s, &a);
    }
    if (can_gain(s, &a) && a.peak < peak && has(s, TN_ORDER_windows)) {
        search_windows(s, &a);
    }
    if (can_gain(s, &a) && s->o->sequence > 0 && has(s, TN_ORDER_cut)) {
        sequence_bound(s, &a);
    }
}

typedef struct part {
    uint32_t from, to;
    uint64_t peak;
} part;

static int highest_first(const void *a, const void *b) {
    const part *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(y->peak, x->peak), TN_COMPARE(x->from, y->from));
}

/* The parts between waists. A part of one op has no choice: what it costs is a bound. */
static part *find_parts(solver *s, tn_arena *arena, const tn_timeline *t, uint32_t *n_parts) {
    const bool *waist = has(s, TN_ORDER_parts) ? tn_order_waists(arena, t->p, t->order)
                                               : TN_ARRAY(arena, bool, t->p->n);
    part *parts = TN_ARRAY(arena, part, t->p->n);
    uint32_t n = 0, from = 0;
    for (uint32_t i = 0; i < t->p->n; i++) {
        if (waist[i] || i + 1 == t->p->n || (i + 1 < t->p->n && waist[i + 1])) {
            parts[n++] = (part){from, i + 1, tn_timeline_peak(t, from, i + 1)};
            if (i == from) {
                s->bound = parts[n - 1].peak > s->bound ? parts[n - 1].peak : s->bound;
            }
            from = i + 1;
        }
    }
    *n_parts = n;
    TN_SORT(parts, n, highest_first);
    return parts;
}

/* Highest parts first: the bound of one is the target of all others. */
static uint32_t solve_parts(solver *s, tn_arena *arena, tn_timeline *t) {
    uint32_t n;
    const part *parts = find_parts(s, arena, t, &n);
    for (uint32_t i = 0; i < n && parts[i].peak > s->bound; i++) {
        tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
        tn_sched piece = tn_timeline_piece(scratch, t, parts[i].from, parts[i].to);
        uint32_t *order = TN_ARRAY(scratch, uint32_t, piece.n);
        for (uint32_t k = 0; k < piece.n; k++) {
            order[k] = k;
        }
        solve_part(s, scratch, &piece, order);
        tn_timeline_put(scratch, t, parts[i].from, &piece, order);
        tn_arena_drop(scratch);
    }
    return n;
}

tn_sched_result tn_sched_min_peak(tn_arena *arena, const tn_sched *p, const uint32_t *given,
                                  const tn_sched_options *o) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    solver s = {.o = o, .search = o->search, .flow = o->flow};
    tn_sched_result r = {.order = TN_ARRAY(arena, uint32_t, p->n)};
    r.given = r.peak = tn_sched_peak(scratch, p, given);
    memcpy(r.order, given, p->n * sizeof *given);
    uint32_t *order = TN_ARRAY(scratch, uint32_t, p->n);
    tn_sched simple = *p;
    memcpy(order, given, p->n * sizeof *order);
    if (has(&s, TN_ORDER_simplify)) {
        simple = tn_order_simplify(scratch, p, given, order);
    }
    tn_timeline t = tn_timeline_make(scratch, &simple, order);
    s.bound = t.live[0] > o->bound ? t.live[0] : o->bound;
    r.parts = solve_parts(&s, scratch, &t);
    uint64_t peak = tn_sched_peak(scratch, p, t.order);
    if (peak < r.peak) {
        r.peak = peak;
        memcpy(r.order, t.order, p->n * sizeof *t.order);
    }
    r.bound = s.bound < r.peak ? s.bound : r.peak;
    r.expanded = s.expanded;
    tn_arena_drop(scratch);
    return r;
}
