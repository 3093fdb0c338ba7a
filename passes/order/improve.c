/* Better orders where the exact search did not end: division along minimum cuts, and windows round
 * the peak that are searched through with all else fixed. */
#include "passes/order/improve.h"

#include "passes/order/cut.h"
#include "passes/order/search.h"
#include "passes/order/track.h"

typedef struct range {
    uint32_t from, to;
} range;

/* The op with the greatest bound of a piece, and what goes before it where that is reached. */
static uint32_t hardest(tn_arena *scratch, const tn_sched *piece, uint64_t *work, bool *before) {
    tn_cutter c = tn_cutter_make(scratch, piece);
    uint32_t best = 0;
    uint64_t greatest = 0;
    for (uint32_t v = 0; v < piece->n; v++) {
        uint64_t bound = tn_cut_bound(&c, v, NULL);
        if (bound > greatest) {
            greatest = bound;
            best = v;
        }
    }
    tn_cut_bound(&c, best, before);
    *work += c.work;
    return best;
}

/* The ops before the hardest one, it, the others; inside each side the order stays. */
static range divide_at(tn_arena *scratch, tn_track *t, range r, uint64_t *work) {
    tn_sched piece = tn_track_piece(scratch, t, r.from, r.to);
    bool *before = TN_ARRAY(scratch, bool, piece.n);
    uint32_t *order = TN_ARRAY(scratch, uint32_t, piece.n), n = 0;
    uint32_t v = hardest(scratch, &piece, work, before);
    for (uint32_t i = 0; i < piece.n; i++) {
        if (before[i]) {
            order[n++] = i;
        }
    }
    uint32_t middle = r.from + n;
    order[n++] = v;
    for (uint32_t i = 0; i < piece.n; i++) {
        if (!before[i] && i != v) {
            order[n++] = i;
        }
    }
    tn_track_put(scratch, t, r.from, &piece, order);
    return (range){middle, middle + 1};
}

uint64_t tn_order_divide(tn_arena *arena, const tn_sched *p, uint64_t limit, uint32_t *order) {
    tn_track t = tn_track_make(arena, p, order);
    TN_VEC(range) todo = {0};
    uint64_t work = 0;
    tn_vec_push(arena, &todo, (range){0, p->n});
    while (todo.len > 0 && work <= limit) {
        range r = todo.data[--todo.len];
        if (r.to - r.from < 2) {
            continue;
        }
        tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
        range v = divide_at(scratch, &t, r, &work);
        tn_arena_drop(scratch);
        tn_vec_push(arena, &todo, (range){v.to, r.to});
        tn_vec_push(arena, &todo, (range){r.from, v.from});
    }
    for (uint32_t i = 0; i < p->n; i++) {
        order[i] = t.order[i];
    }
    return work;
}

/* From the place of the fewest live bytes within `reach` before the peak to that behind it. */
static range window_round(const tn_track *t, uint32_t peak, uint32_t reach) {
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
static bool improve_window(tn_arena *arena, tn_track *t, range r, tn_window_ask *ask) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    tn_sched piece = tn_track_piece(scratch, t, r.from, r.to);
    uint32_t *order = TN_ARRAY(scratch, uint32_t, piece.n);
    tn_search_ask s = {ask->bound, tn_track_peak(t, r.from, r.to), ask->each};
    tn_search_found f = tn_search_exact(scratch, &piece, &s, order);
    ask->expanded += f.expanded;
    ask->work -= f.work < ask->work ? f.work : ask->work;
    if (f.found) {
        tn_track_put(scratch, t, r.from, &piece, order);
    }
    tn_arena_drop(scratch);
    return f.found;
}

void tn_order_windows(tn_arena *arena, const tn_sched *p, tn_window_ask *ask, uint32_t *order) {
    tn_track t = tn_track_make(arena, p, order);
    uint32_t reach = ask->reach;
    for (uint32_t tries = 0; tries < ask->windows && reach > 0 && ask->work > 0; tries++) {
        uint32_t peak = 0;
        for (uint32_t i = 1; i < p->n; i++) {
            peak = t.during[i] > t.during[peak] ? i : peak;
        }
        if (t.during[peak] <= ask->bound) {
            break;
        }
        bool better = improve_window(arena, &t, window_round(&t, peak, reach), ask);
        reach = better ? ask->reach : reach < 4 * ask->reach ? reach * 2 : 0;
    }
    for (uint32_t i = 0; i < p->n; i++) {
        order[i] = t.order[i];
    }
}
