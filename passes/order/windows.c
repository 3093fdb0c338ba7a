#include "passes/order/windows.h"

#include <string.h>

#include "passes/order/timeline.h"

typedef struct range {
    uint32_t from, to;
} range;

/* From the place of the fewest live bytes within `reach` before the peak to that behind it. */
static range window_round(const tn_timeline *t, uint32_t peak, uint32_t reach) {
    uint32_t n = t->p->n;
    uint32_t low = peak > reach ? peak - reach : 0, high = n - peak > reach ? peak + reach : n;
    range r = {low, high};
    for (uint32_t i = low; i <= peak; i++) {
        r.from = t->live[i] < t->live[r.from] ? i : r.from;
    }
    for (uint32_t i = high; i > peak; i--) {
        r.to = t->live[i] < t->live[r.to] ? i : r.to;
    }
    return r;
}

/* Searches one window for a lower peak; false when there is none, or none was found. */
static bool improve_window(tn_arena *arena, tn_timeline *t, range r, const tn_search_ask *ask,
                           tn_search_found *sum) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    tn_sched piece = tn_timeline_piece(scratch, t, r.from, r.to);
    uint32_t *order = TN_ARRAY(scratch, uint32_t, piece.n);
    tn_search_ask one = *ask;
    one.below = tn_timeline_peak(t, r.from, r.to);
    one.work = ask->work / 4; /* one window must not starve the others */
    tn_search_found f = tn_search_exact(scratch, &piece, &one, order);
    sum->expanded += f.expanded;
    sum->work += f.work;
    if (f.found) {
        tn_timeline_put(scratch, t, r.from, &piece, order);
    }
    tn_arena_drop(scratch);
    return f.found;
}

tn_search_found tn_order_windows(tn_arena *arena, const tn_sched *p, const tn_search_ask *ask,
                                 const tn_sched_options *o, uint32_t *order) {
    tn_timeline t = tn_timeline_make(arena, p, order);
    tn_search_found sum = {0};
    uint32_t least = (uint32_t)o->window_reach, reach = least;
    for (uint64_t tries = 0; tries < o->windows && reach > 0 && sum.work < ask->work; tries++) {
        if (tn_cut_short(tn_arena_ctx(arena))) {
            break;
        }
        uint32_t peak = 0;
        for (uint32_t i = 1; i < p->n; i++) {
            peak = t.during[i] > t.during[peak] ? i : peak;
        }
        if (t.during[peak] <= ask->bound) {
            break;
        }
        bool better = improve_window(arena, &t, window_round(&t, peak, reach), ask, &sum);
        sum.found = sum.found || better;
        reach = better ? least : reach < 4 * least ? reach * 2 : 0;
    }
    memcpy(order, t.order, p->n * sizeof *order);
    return sum;
}
