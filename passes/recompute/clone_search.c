#include "passes/recompute/clone_search.h"

#include <stdlib.h>

#include "ir/base/map.h"
#include "ir/ops/flops.h"
#include "passes/recompute/clonable.h"
#include "passes/recompute/clone_set.h"

enum {
    MAX_PLANS = 1200,       /* of all walks together */
    PLANNED_STEPS = 400000, /* steps of all these plans: what they take grows with both */
    MAX_TRIES = 12,         /* moves planned in vain before a walk ends */
    MAX_DROPS = 64          /* plans made to find clones that are not needed */
};

/* How much operations count against bytes when moves are compared, and how long moves are, walk by
 * walk: short chains first; longer ones compute a stretch again from a value that is kept, and some
 * models gain from these alone (bench/recompute.csv). */
static const struct walk {
    double thrift;
    uint32_t most_ops, depth, n_full;
} walks[] = {{1.0, 12, 6, 3},  {0.5, 12, 6, 3},  {0.0, 12, 6, 3},
             {1.0, 32, 12, 6}, {0.5, 32, 12, 6}, {0.0, 32, 12, 6}};
enum { N_WALKS = sizeof walks / sizeof walks[0] };

/* A form that was planned. */
typedef struct found_form {
    const tn_clone_set *set; /* NULL: without clones */
    double flops;
    uint64_t arena;
} found_form;

typedef struct searching {
    tn_pass_ctx *c;
    tn_recompute_ask ask;
    tn_recompute_report *report;
    uint32_t n, asked; /* forms there may be, and those asked for so far */
    double model;      /* operations of the model */
    uint64_t goal;
    const bool *clonable;
    tn_arena *base_arena, *now_arena, *next_arena;
    const tn_picture *base, *now, *next; /* next: of the move at hand; NULL where it has no plan */
    bool pending;                        /* a move stands in the module that is not judged */
    tn_done done;
    tn_move move;
    TN_VEC(tn_done) taken; /* moves of this walk, in order */
    double flops;          /* of the clones of `now` */
    uint32_t walk;
    tn_moves moves; /* to be tried, best first */
    uint32_t at;
    uint32_t tries;         /* in vain since the last one that was good */
    tn_map tabu;            /* keys of moves that were not good, since then */
    found_form given, best; /* given: what stands in the module at first */
    TN_VEC(found_form) found;
    uint64_t plans, steps;
    bool dropping;       /* the walks are over */
    uint32_t drops, one; /* plans made then; clones of `best` below this one are to be tried */
    found_form less;     /* the form at hand then */
} searching;

static double unit_of(const searching *w) {
    return w->now->peak > 0 ? (double)w->now->peak : 1;
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

static double score(const searching *w, const tn_move *m) {
    return m->gain / weigh(m->flops / w->model + 1e-4, walks[w->walk].thrift);
}

static void sort_moves(const searching *w, tn_moves *moves) {
    for (uint32_t i = 1; i < moves->len; i++) {
        tn_move m = moves->data[i];
        double s = score(w, &m);
        uint32_t k = i;
        for (; k > 0 && score(w, &moves->data[k - 1]) < s; k--) {
            moves->data[k] = moves->data[k - 1];
        }
        moves->data[k] = m;
    }
}

static void look_for_moves(searching *w) {
    w->clonable = tn_clonable_ops(w->c->module, w->c->scratch);
    const struct walk *walk = &walks[w->walk];
    tn_move_ask ask = {.p = w->now,
                       .clonable = w->clonable,
                       .align = w->ask.align,
                       .unit = unit_of(w),
                       .most_flops = w->ask.most * w->model - w->flops,
                       .most_ops = walk->most_ops,
                       .depth = walk->depth,
                       .n_full = walk->n_full};
    w->moves.len = 0;
    w->at = 0;
    tn_find_moves(&ask, w->c->scratch, &w->moves);
    sort_moves(w, &w->moves);
}

static bool is_better(const searching *w, const found_form *f) {
    bool enough = w->best.arena <= w->goal, now_enough = f->arena <= w->goal;
    return enough ? now_enough && f->flops < w->best.flops
                  : f->arena < w->best.arena ||
                        (f->arena == w->best.arena && f->flops < w->best.flops);
}

static void note(searching *w, uint64_t arena) {
    found_form f = {tn_clones_write_down(w->c->scratch, w->c->module), w->flops, arena};
    tn_vec_push(w->c->scratch, &w->found, f);
    if (is_better(w, &f)) {
        w->best = f;
    }
}

static bool is_good(const searching *w) {
    if (w->next == NULL || w->next->arena == TN_NO_BYTES || w->next->arena > w->now->arena) {
        return false;
    }
    double unit = unit_of(w);
    return w->next->arena < w->now->arena ||
           tn_picture_pressure(w->next, unit) < tn_picture_pressure(w->now, unit) * (1 - 1e-9);
}

/* The form without a clone counts if it is no worse. */
static void judge_drop(searching *w) {
    w->pending = false;
    if (w->next != NULL && w->next->arena != TN_NO_BYTES) {
        w->less.arena = w->next->arena;
        if (is_better(w, &w->less)) {
            w->best = w->less;
            tn_vec_push(w->c->scratch, &w->found, w->best);
        }
    }
    tn_arena_drop(w->next_arena);
    w->next_arena = NULL;
}

/* Moves are taken one by one, and later ones may do alone what earlier ones began: clones of the
 * best form that it does not need are left out, the last first. */
static bool put_drop(searching *w) {
    if (!w->ask.last) {
        return false;
    }
    if (!w->dropping) {
        w->dropping = true;
        w->one = tn_clones_count(w->best.set);
    }
    tn_arena *scratch = w->c->scratch;
    uint32_t n = tn_clones_count(w->best.set);
    for (w->one = w->one < n ? w->one : n; w->one > 0 && w->drops < MAX_DROPS;) {
        w->less.set = tn_clones_without(scratch, w->c->module, w->best.set, --w->one);
        if (w->less.set != NULL) {
            tn_clones_make(scratch, w->c->module, w->less.set);
            w->less.flops = tn_clones_flops(w->c->module);
            w->drops++;
            w->next = NULL;
            w->pending = true;
            return true;
        }
    }
    return false;
}

/* The move at hand counts, or is taken back. */
static void judge(searching *w) {
    if (w->dropping) {
        judge_drop(w);
        return;
    }
    w->pending = false;
    if (!is_good(w)) {
        tn_move_undo(&w->done);
        tn_map_put(&w->tabu, w->move.key, 1);
        w->tries++;
        tn_arena_drop(w->next_arena);
        w->next_arena = NULL;
        return;
    }
    bool less = w->next->arena < w->now->arena;
    if (w->now_arena != w->base_arena) {
        tn_arena_drop(w->now_arena);
    }
    w->now = w->next;
    w->now_arena = w->next_arena;
    w->next_arena = NULL;
    w->flops += w->move.flops;
    tn_vec_push(w->c->scratch, &w->taken, w->done);
    w->tabu = tn_map_make(w->c->scratch);
    w->tries = 0;
    if (less) {
        note(w, w->now->arena);
    }
    look_for_moves(w);
}

static void start_walk(searching *w) {
    if (w->now_arena != NULL && w->now_arena != w->base_arena) {
        tn_arena_drop(w->now_arena);
    }
    w->now = w->base;
    w->now_arena = w->base_arena;
    w->flops = w->given.flops;
    w->tries = 0;
    w->tabu = tn_map_make(w->c->scratch);
    look_for_moves(w);
}

/* The module is that of the first picture again, with the very same clones if it had any. */
static void take_back(searching *w) {
    while (w->taken.len > 0) {
        tn_move_undo(&w->taken.data[--w->taken.len]);
    }
}

static bool has_work(const searching *w) {
    return w->now->arena > w->goal && w->tries < MAX_TRIES && w->plans < MAX_PLANS &&
           w->steps < PLANNED_STEPS;
}

/* Puts the next move into the module. */
static bool next_move(searching *w) {
    while (has_work(w) && w->at < w->moves.len) {
        w->move = w->moves.data[w->at++];
        if (tn_map_or(&w->tabu, w->move.key, 0) == 0) {
            w->done = tn_move_do(w->c->scratch, w->now, &w->move);
            w->next = NULL;
            w->pending = true;
            return true;
        }
    }
    return false;
}

static bool put_next(searching *w) {
    if (w->pending) {
        judge(w);
    }
    while (w->dropping || !next_move(w)) {
        if (w->walk + 1 >= N_WALKS || w->plans >= MAX_PLANS || w->steps >= PLANNED_STEPS ||
            w->dropping) {
            return put_drop(w);
        }
        w->walk++;
        take_back(w);
        start_walk(w);
    }
    return true;
}

static bool put(void *user, uint32_t i, uint64_t least) {
    searching *w = user;
    (void)least;
    w->asked++;
    if (w->asked > w->n) {
        if (w->pending) {
            judge(w);
        }
        tn_clones_make(w->c->scratch, w->c->module, w->best.set);
        tn_clones_name(w->c->scratch, w->c->module);
        return true;
    }
    return i == 0 || (w->base != NULL && put_next(w));
}

static void begin(searching *w) {
    w->base = w->next;
    w->base_arena = w->next_arena;
    w->next_arena = NULL;
    w->next = NULL;
    w->given.arena = w->base->arena;
    w->best = w->given;
    w->goal = w->ask.budget;
    if (w->ask.part > 0) {
        w->goal = (uint64_t)(w->ask.part * (double)w->base->arena);
    }
    tn_vec_push(w->c->scratch, &w->found, w->best);
    start_walk(w);
}

static void seen(void *user, tn_analyses *decided, uint64_t arena) {
    searching *w = user;
    w->plans++;
    if (arena == TN_NO_ARENA) {
        return;
    }
    w->next_arena = tn_arena_new(w->c->ctx);
    w->next = tn_picture_make(w->next_arena, w->c->module, decided, w->ask.align,
                              w->ask.io_in_arena, arena);
    w->steps += w->next->n_steps;
    if (w->base == NULL) {
        begin(w);
    }
}

static int by_flops(const void *a, const void *b) {
    const found_form *x = a, *y = b;
    int less = (x->flops > y->flops) - (x->flops < y->flops);
    return less != 0 ? less : (x->arena > y->arena) - (x->arena < y->arena);
}

/* Of all forms those that no other beats in both. */
static void list_curve(searching *w, tn_recompute_outcome *out) {
    tn_recompute_point *curve = TN_ARRAY(w->c->scratch, tn_recompute_point, w->found.len);
    uint64_t least = UINT64_MAX;
    if (w->found.len > 0) {
        qsort(w->found.data, w->found.len, sizeof *w->found.data, by_flops);
    }
    for (uint32_t i = 0; i < w->found.len; i++) {
        const found_form *f = &w->found.data[i];
        if (f->arena < least) {
            curve[out->n_curve++] = (tn_recompute_point){f->flops, f->arena};
            least = f->arena;
        }
    }
    out->curve = curve;
}

static void settle(void *user, uint32_t best, uint64_t least) {
    searching *w = user;
    (void)best;
    (void)least;
    tn_recompute_outcome out = {.plans = w->plans,
                                .flops = w->best.flops,
                                .model = w->model,
                                .before = w->base != NULL ? w->base->arena : 0,
                                .arena = w->base != NULL ? w->best.arena : 0};
    TN_FOR_OPS(op, w->c->module->main) {
        out.clones += op->clone_of != NULL;
    }
    list_curve(w, &out);
    if (w->now_arena != w->base_arena) {
        tn_arena_drop(w->now_arena);
    }
    tn_arena_drop(w->base_arena);
    w->report(w->c, &out);
}

tn_candidates tn_recompute_candidates(tn_pass_ctx *c, const tn_recompute_ask *ask,
                                      tn_recompute_report *report) {
    searching *w = TN_NEW(c->scratch, searching);
    *w = (searching){.c = c,
                     .ask = *ask,
                     .report = report,
                     .n = MAX_PLANS + MAX_DROPS + 1,
                     .model = tn_graph_flops(c->module->main)};
    w->given.set = tn_clones_write_down(c->scratch, c->module);
    w->given.flops = tn_clones_flops(c->module);
    w->best = w->given;
    w->best.arena = UINT64_MAX;
    if (w->model <= 0 || ask->most <= 0) {
        return (tn_candidates){0};
    }
    return (tn_candidates){
        .n = w->n, .in_order = true, .user = w, .put = put, .seen = seen, .settle = settle};
}
