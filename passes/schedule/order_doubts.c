/* An output lies with the caller, and so does an operand that it is written over. Whether it can be
 * depends on the order: the op has to be the last to touch the operand. So there are two problems,
 * one where it is and the operand costs nothing, and one where the operand stays in the arena; the
 * better answer of both is the answer, and the lower bound of both is a bound. */
#include "passes/schedule/order_doubts.h"

#include <string.h>

#include "passes/order/topological.h"

enum { OPEN, TAKEN, REFUSED, BARRED };
enum { MAX_DOUBTS = 5 };

typedef struct explorer {
    tn_order_model *o;
    tn_arena *arena;
    const tn_order_ask *ask;
    uint32_t (*before)[2]; /* with those that takes ask for */
    uint32_t n_before;
    tn_sched_options options; /* for one problem */
    tn_sched_result best;
} explorer;

static uint32_t root_of(const tn_order_model *o, uint32_t c) {
    while (o->up[c] != c) {
        c = o->up[c];
    }
    return c;
}

static bool outside(const tn_order_model *o, uint32_t c) {
    return !o->counts[c] || o->gone[c];
}

/* The first take that would move an operand out of the arena and is not settled. */
static uint32_t find_doubt(const explorer *x) {
    const tn_order_model *o = x->o;
    const tn_graph *g = x->ask->g;
    for (uint32_t i = o->take_start[g->id]; i < o->take_start[g->id + 1]; i++) {
        if (o->settled[i] == OPEN && outside(o, root_of(o, o->take[i].result)) &&
            !outside(o, root_of(o, o->take[i].operand))) {
            return i;
        }
    }
    return TN_SCHED_NONE;
}

/* A result is written over one operand at most. */
static void settle_others(explorer *x, uint32_t doubt, uint8_t from, uint8_t to) {
    tn_order_model *o = x->o;
    const tn_graph *g = x->ask->g;
    for (uint32_t i = o->take_start[g->id]; i < o->take_start[g->id + 1]; i++) {
        if (i != doubt && o->take[i].result == o->take[doubt].result && o->settled[i] == from) {
            o->settled[i] = to;
        }
    }
}

/* All that touch the operand come before the op that writes over it. */
static void add_edges(explorer *x, uint32_t doubt) {
    const tn_order_model *o = x->o;
    const tn_graph *g = x->ask->g;
    uint32_t operand = root_of(o, o->take[doubt].operand), op = o->local[o->take[doubt].op];
    for (uint32_t i = o->touch_start[g->id]; i < o->touch_start[g->id + 1]; i++) {
        uint32_t other = o->local[o->touch[i].op];
        if (o->touch[i].class_of == operand && other != op) {
            x->before[x->n_before][0] = other;
            x->before[x->n_before++][1] = op;
        }
    }
}

/* One problem with all doubts settled; none when it has no order. */
static void solve(explorer *x) {
    const tn_order_ask *ask = x->ask;
    const uint32_t(*before)[2] = (const uint32_t(*)[2])x->before;
    const uint32_t *given = ask->given;
    if (x->n_before > ask->n_before) {
        tn_dag dag = tn_dag_make(x->arena, ask->n, before, x->n_before);
        uint32_t *sorted = TN_ARRAY(x->arena, uint32_t, ask->n), stuck;
        if (!tn_order_kahn(&dag, x->arena, sorted, &stuck)) {
            return;
        }
        given = sorted;
    }
    tn_sched p =
        tn_order_model_graph(x->o, x->arena, ask->g, ask->n, before, x->n_before, ask->workspace);
    tn_sched_result r = tn_sched_min_peak(x->arena, &p, given, &x->options);
    bool first = x->best.order == NULL, better = first || r.peak < x->best.peak;
    if (given == ask->given) {
        x->best.given = r.given; /* nothing is taken in this problem */
    }
    x->best.order = better ? r.order : x->best.order;
    x->best.peak = better ? r.peak : x->best.peak;
    x->best.bound = first || r.bound < x->best.bound ? r.bound : x->best.bound;
    x->best.expanded += r.expanded;
    x->best.parts = better ? r.parts : x->best.parts;
}

static void explore(explorer *x, uint32_t depth) {
    tn_order_model *o = x->o;
    uint32_t doubt = find_doubt(x), n_before = x->n_before;
    if (doubt == TN_SCHED_NONE || depth == MAX_DOUBTS) {
        o->exact = o->exact && doubt == TN_SCHED_NONE;
        solve(x);
        return;
    }
    uint32_t operand = root_of(o, o->take[doubt].operand);
    o->settled[doubt] = REFUSED;
    explore(x, depth + 1);
    o->settled[doubt] = TAKEN;
    o->gone[operand] = true;
    settle_others(x, doubt, OPEN, BARRED);
    add_edges(x, doubt);
    explore(x, depth + 1);
    x->n_before = n_before;
    settle_others(x, doubt, BARRED, OPEN);
    o->gone[operand] = false;
    o->settled[doubt] = OPEN;
}

static void raise(uint64_t *bytes, uint64_t least) {
    *bytes = *bytes < least ? least : *bytes;
}

tn_sched_result tn_order_solve(tn_order_model *o, tn_arena *arena, const tn_order_ask *ask) {
    uint32_t n_touch = o->touch_start[ask->g->id + 1] - o->touch_start[ask->g->id];
    explorer x = {.o = o,
                  .arena = arena,
                  .ask = ask,
                  .before =
                      tn_arena_array(arena, (size_t)ask->n_before + n_touch, sizeof *x.before),
                  .n_before = ask->n_before,
                  .options = *ask->options};
    if (ask->n_before > 0) {
        memcpy(x.before, ask->before, ask->n_before * sizeof *x.before);
    }
    /* What the budget is for is shared by up to 2^MAX_DOUBTS problems, most of them easy. */
    bool any = find_doubt(&x) != TN_SCHED_NONE;
    o->doubts = o->doubts || any;
    x.options.search /= any ? 4 : 1;
    x.options.flow /= any ? 4 : 1;
    explore(&x, 0);
    if (ask->g == o->m->main) {
        raise(&x.best.given, o->start);
        raise(&x.best.peak, o->start);
        raise(&x.best.bound, o->start);
    }
    return x.best;
}
