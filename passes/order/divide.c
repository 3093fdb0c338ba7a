#include "passes/order/divide.h"

#include <string.h>

#include "passes/order/cut.h"
#include "passes/order/timeline.h"

typedef struct range {
    uint32_t from, to;
} range;

/* The op with the greatest bound of a piece, the first of equals, and what goes before it where
 * that is reached. What no bound can change is not worked out. */
static uint32_t hardest(tn_arena *scratch, const tn_sched *piece, uint64_t *work, bool *before) {
    tn_cutter c = tn_cutter_make(scratch, piece);
    const tn_cut_candidate *list = tn_cut_candidates(&c, NULL);
    uint32_t best = TN_SCHED_NONE;
    uint64_t greatest = 0;
    for (uint32_t i = 0; i < piece->n && list[i].during >= greatest; i++) {
        uint32_t v = list[i].op;
        if (list[i].during == greatest && v > best) {
            continue;
        }
        uint64_t bound = tn_cut_bound(&c, v, NULL);
        if (bound > greatest || (bound == greatest && v < best)) {
            greatest = bound;
            best = v;
        }
    }
    tn_cut_bound(&c, best, before);
    *work += c.work;
    return best;
}

/* The ops before the hardest one, it, the others; inside each side the order stays. */
static range divide_at(tn_arena *scratch, tn_timeline *t, range r, uint64_t *work) {
    tn_sched piece = tn_timeline_piece(scratch, t, r.from, r.to);
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
    tn_timeline_put(scratch, t, r.from, &piece, order);
    return (range){middle, middle + 1};
}

uint64_t tn_order_divide(tn_arena *arena, const tn_sched *p, uint64_t bound, uint64_t limit,
                         uint32_t *order) {
    tn_timeline t = tn_timeline_make(arena, p, order);
    TN_VEC(range) todo = {0};
    uint64_t work = 0, least = tn_timeline_peak(&t, 0, p->n);
    tn_vec_push(arena, &todo, (range){0, p->n});
    while (todo.len > 0 && least > bound && work <= limit && !tn_cut_short(tn_arena_ctx(arena))) {
        range r = todo.data[--todo.len];
        if (r.to - r.from < 2 || tn_timeline_peak(&t, r.from, r.to) <= bound) {
            continue;
        }
        tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
        range v = divide_at(scratch, &t, r, &work);
        tn_arena_drop(scratch);
        tn_vec_push(arena, &todo, (range){v.to, r.to});
        tn_vec_push(arena, &todo, (range){r.from, v.from});
        uint64_t peak = tn_timeline_peak(&t, 0, p->n);
        if (peak < least) {
            least = peak;
            memcpy(order, t.order, p->n * sizeof *order);
        }
    }
    return work;
}
