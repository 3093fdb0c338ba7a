#include "passes/recompute/clone_walk.h"

#include "ir/base/map.h"
#include "ir/base/sort.h"
#include "passes/recompute/clonable.h"

/* How much operations count against bytes when moves are compared, and how long moves are, walk by
 * walk: short chains first; longer ones compute a stretch again from a value that is kept, and some
 * models gain from these alone (bench/recompute.csv). */
static const struct way {
    double thrift;
    uint32_t most_ops, depth, n_full;
} ways[] = {{1.0, 12, 6, 3},  {0.5, 12, 6, 3},  {0.0, 12, 6, 3},  {1.0, 32, 12, 6},
            {0.5, 32, 12, 6}, {0.0, 32, 12, 6}, {1.0, 64, 64, 6}, {0.5, 64, 64, 6}};
enum { N_WAYS = sizeof ways / sizeof ways[0] };

/* A picture, and what it lies in. */
typedef struct owned {
    tn_arena *own;
    const tn_picture *p;
} owned;

struct tn_walk {
    tn_arena *scratch;
    tn_walk_ask ask;
    const bool *clonable;
    uint32_t way;
    owned base, now;
    double base_flops, flops, most; /* of their clones */
    uint64_t goal;
    tn_move move; /* the one at hand */
    tn_done done;
    TN_VEC(tn_done) taken; /* moves of this walk, in order */
    tn_moves moves;        /* to be tried, best first */
    uint32_t at;
    uint32_t tries; /* in vain since the last one that was good */
    tn_map tabu;    /* keys of moves that were not good, since then */
};

static double unit_of(const tn_walk *w) {
    return w->now.p->peak > 0 ? (double)w->now.p->peak : 1;
}

/* x^thrift for x in 0..1, of the three there are. */
static double weigh(double x, double power) {
    if (power == 1.0) {
        return x;
    }
    if (power == 0.0) {
        return 1;
    }
    double root = x > 0 ? 1 : 0;
    for (int i = 0; i < 40 && x > 0; i++) {
        root = (root + x / root) / 2;
    }
    return root;
}

/* Keys differ, so the order is one. */
static int by_score(const void *a, const void *b) {
    const tn_move *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(y->score, x->score), TN_COMPARE(x->key, y->key));
}

static void look_for_moves(tn_walk *w) {
    const struct way *way = &ways[w->way];
    tn_move_ask ask = {.p = w->now.p,
                       .clonable = w->clonable,
                       .align = w->ask.align,
                       .unit = unit_of(w),
                       .most_flops = w->most - w->flops,
                       .most_ops = way->most_ops,
                       .depth = way->depth,
                       .n_full = way->n_full};
    w->moves.len = 0;
    w->at = 0;
    tn_find_moves(&ask, w->scratch, &w->moves);
    for (uint32_t i = 0; i < w->moves.len; i++) {
        tn_move *m = &w->moves.data[i];
        m->score = m->gain / weigh(m->flops / w->ask.model + 1e-4, way->thrift);
    }
    TN_SORT(w->moves.data, w->moves.len, by_score);
}

static void go_to(tn_walk *w, owned now) {
    if (w->now.own != w->base.own) {
        tn_arena_drop(w->now.own);
    }
    w->now = now;
    w->tries = 0;
    w->tabu = tn_map_make(w->scratch);
    look_for_moves(w);
}

static void start(tn_walk *w) {
    w->flops = w->base_flops;
    go_to(w, w->base);
}

tn_walk *tn_walk_new(tn_arena *scratch, const tn_walk_ask *ask) {
    tn_walk *w = TN_NEW(scratch, tn_walk);
    *w = (tn_walk){.scratch = scratch, .ask = *ask, .clonable = tn_clonable_ops(ask->m, scratch)};
    return w;
}

void tn_walk_begin(tn_walk *w, tn_arena *own, const tn_picture *base, double flops, double most,
                   uint64_t goal) {
    tn_walk_end(w);
    w->base = (owned){own, base};
    w->base_flops = flops;
    w->most = most;
    w->goal = goal;
    w->taken.len = 0;
    w->way = 0;
    start(w);
}

/* Less, or as much with less pressure. */
static bool is_good(const tn_walk *w, const tn_picture *next) {
    if (next == NULL || next->need > w->now.p->need) {
        return false;
    }
    if (next->need < w->now.p->need) {
        return true;
    }
    double unit = unit_of(w);
    return w->ask.ties &&
           tn_picture_pressure(next, unit) < tn_picture_pressure(w->now.p, unit) * (1 - 1e-9);
}

bool tn_walk_judge(tn_walk *w, tn_arena *own, const tn_picture *next) {
    if (!is_good(w, next)) {
        tn_move_undo(&w->done);
        tn_map_put(&w->tabu, w->move.key, 1);
        w->tries++;
        tn_arena_drop(own);
        return false;
    }
    bool less = next->need < w->now.p->need;
    w->flops += w->move.flops;
    tn_vec_push(w->scratch, &w->taken, w->done);
    go_to(w, (owned){own, next});
    return less;
}

/* The module is that of the first picture again, with the very same clones if it had any. */
static void take_back(tn_walk *w) {
    while (w->taken.len > 0) {
        tn_move_undo(&w->taken.data[--w->taken.len]);
    }
}

static bool put_move(tn_walk *w) {
    while (w->now.p->need > w->goal && w->tries < w->ask.most_tries && w->at < w->moves.len) {
        w->move = w->moves.data[w->at++];
        if (tn_map_or(&w->tabu, w->move.key, 0) == 0) {
            w->done = tn_move_do(w->scratch, w->now.p, &w->move);
            return true;
        }
    }
    return false;
}

bool tn_walk_put(tn_walk *w) {
    while (!put_move(w)) {
        take_back(w);
        if (w->way + 1 >= N_WAYS) {
            return false;
        }
        w->way++;
        start(w);
    }
    return true;
}

double tn_walk_flops(const tn_walk *w) {
    return w->flops;
}

void tn_walk_end(tn_walk *w) {
    if (w->now.own != w->base.own) {
        tn_arena_drop(w->now.own);
    }
    tn_arena_drop(w->base.own);
    w->base = w->now = (owned){NULL, NULL};
}
