/* An output lies with the caller, and so does an operand that it is written over. Whether it may be
 * depends on the order: the op must be the last to touch the operand. So each such operand makes
 * two problems: in one it lies in the output and costs nothing, which adds dependencies, in the
 * other it stays in the arena. The better answer of all problems is the answer, and the lowest of
 * their bounds is a bound. */
#include "passes/schedule/output_choices.h"

#include <string.h>

#include "passes/core/measured_steps.h"
#include "passes/order/topological.h"

/* OTHERWISE: the result is written over another operand. */
enum { OPEN, CHOSEN, REFUSED, OTHERWISE };
/* Problems at most, and how many of them are solved once more, with all of the budget. */
enum { MAX_PROBLEMS = 1 << TN_MAX_OUTPUT_CHOICES, AGAIN = 2 };

typedef struct choosing {
    tn_order_model *o;
    tn_arena *arena;
    const tn_order_ask *ask;
    uint32_t (*before)[2]; /* with those of what is written in place by choice */
    uint32_t n_before;
    uint64_t *room;           /* by class that lies in an output by choice: bytes of the output */
    tn_sched_options options; /* for one problem */
    uint32_t n, only;         /* problems met so far; the one to be solved, or TN_SCHED_NONE: all */
    uint64_t bounds[MAX_PROBLEMS], peaks[MAX_PROBLEMS];
    tn_sched_result best;
} choosing;

static uint32_t root_of(const tn_order_model *o, uint32_t c) {
    while (o->up[c] != c) {
        c = o->up[c];
    }
    return c;
}

static bool outside(const tn_order_model *o, uint32_t c) {
    return !o->counts[c] || o->in_output[c];
}

/* An output lies with the caller, and does not grow for a wider operand. */
static bool fits(const choosing *x, const tn_model_inplace *pair) {
    const tn_order_model *o = x->o;
    uint32_t result = root_of(o, pair->result);
    uint64_t room = o->counts[result] ? x->room[result] : o->size[result];
    return o->size[root_of(o, pair->operand)] <= room;
}

/* The first open pair that would move an operand out of the arena. */
static uint32_t find_open(const choosing *x) {
    const tn_order_model *o = x->o;
    const tn_graph *g = x->ask->g;
    for (uint32_t i = o->inplace_start[g->id]; i < o->inplace_start[g->id + 1]; i++) {
        if (o->settled[i] == OPEN && outside(o, root_of(o, o->inplace[i].result)) &&
            fits(x, &o->inplace[i]) && !outside(o, root_of(o, o->inplace[i].operand))) {
            return i;
        }
    }
    return TN_SCHED_NONE;
}

/* A result is written over one operand at most. */
static void settle_others(choosing *x, uint32_t open, uint8_t from, uint8_t to) {
    tn_order_model *o = x->o;
    const tn_graph *g = x->ask->g;
    for (uint32_t i = o->inplace_start[g->id]; i < o->inplace_start[g->id + 1]; i++) {
        if (i != open && o->inplace[i].result == o->inplace[open].result && o->settled[i] == from) {
            o->settled[i] = to;
        }
    }
}

/* All that touch the operand come before the op that writes over it. */
static void add_edges(choosing *x, uint32_t open) {
    const tn_order_model *o = x->o;
    const tn_graph *g = x->ask->g;
    uint32_t operand = root_of(o, o->inplace[open].operand), op = o->local[o->inplace[open].op];
    for (uint32_t i = o->touch_start[g->id]; i < o->touch_start[g->id + 1]; i++) {
        uint32_t other = o->local[o->touch[i].op];
        if (o->touch[i].class_of == operand && other != op) {
            x->before[x->n_before][0] = other;
            x->before[x->n_before++][1] = op;
        }
    }
}

/* One problem with everything chosen; none when it has no order. */
static void solve(choosing *x) {
    const tn_order_ask *ask = x->ask;
    uint32_t nth = x->n++;
    if (x->only != TN_SCHED_NONE && x->only != nth) {
        return;
    }
    uint64_t known = x->only == nth ? x->bounds[nth] : 0;
    x->bounds[nth] = x->peaks[nth] = UINT64_MAX;
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
    tn_sched_result r = tn_order_remembered(ask->memory, x->arena, &p, given, &x->options);
    bool first = x->best.order == NULL, better = first || r.peak < x->best.peak;
    if (given == ask->given) {
        x->best.given = r.given; /* no dependency was added to this problem */
    }
    x->best.order = better ? r.order : x->best.order;
    x->best.peak = better ? r.peak : x->best.peak;
    x->bounds[nth] = known > r.bound ? known : r.bound;
    x->peaks[nth] = r.peak;
    x->best.expanded += r.expanded;
    x->best.parts = better ? r.parts : x->best.parts;
}

static void choose(choosing *x, uint32_t depth) {
    tn_order_model *o = x->o;
    uint32_t open = find_open(x), n_before = x->n_before;
    if (open == TN_SCHED_NONE || depth == x->ask->max_choices ||
        !tn_step_is_on(TN_STEP_output_choices)) {
        o->exact = o->exact && open == TN_SCHED_NONE;
        solve(x);
        return;
    }
    uint32_t operand = root_of(o, o->inplace[open].operand);
    uint32_t result = root_of(o, o->inplace[open].result);
    o->settled[open] = REFUSED;
    choose(x, depth + 1);
    o->settled[open] = CHOSEN;
    o->in_output[operand] = true;
    x->room[operand] = o->counts[result] ? x->room[result] : o->size[result];
    settle_others(x, open, OPEN, OTHERWISE);
    add_edges(x, open);
    choose(x, depth + 1);
    x->n_before = n_before;
    settle_others(x, open, OTHERWISE, OPEN);
    o->in_output[operand] = false;
    o->settled[open] = OPEN;
}

/* The problem with the lowest bound; of several the one with the lowest peak. */
static uint32_t find_lowest(const choosing *x) {
    uint32_t k = 0;
    for (uint32_t i = 1; i < x->n; i++) {
        bool lower = x->bounds[i] < x->bounds[k] ||
                     (x->bounds[i] == x->bounds[k] && x->peaks[i] < x->peaks[k]);
        k = lower ? i : k;
    }
    return k;
}

/* Most of the problems are easy: a quarter of the budget is enough, and those that could do better
 * than the best get all of it. */
static void solve_all(choosing *x) {
    const tn_sched_options all = x->options;
    bool any = find_open(x) != TN_SCHED_NONE;
    x->o->chooses_outputs = x->o->chooses_outputs || any;
    x->options.search /= any ? 4 : 1;
    x->options.flow /= any ? 4 : 1;
    x->only = TN_SCHED_NONE;
    choose(x, 0);
    x->options = all;
    uint32_t lowest = find_lowest(x);
    for (uint32_t i = 0; any && i < AGAIN && x->only != lowest && x->best.peak > x->bounds[lowest];
         i++) {
        x->only = lowest;
        x->n = 0;
        choose(x, 0);
        lowest = find_lowest(x);
    }
    x->best.bound = x->bounds[lowest];
}

static void raise(uint64_t *bytes, uint64_t least) {
    *bytes = *bytes < least ? least : *bytes;
}

tn_sched_result tn_order_solve(tn_order_model *o, tn_arena *arena, const tn_order_ask *ask) {
    uint32_t n_touch = o->touch_start[ask->g->id + 1] - o->touch_start[ask->g->id];
    choosing x = {.o = o,
                  .arena = arena,
                  .ask = ask,
                  .before =
                      tn_arena_array(arena, (size_t)ask->n_before + n_touch, sizeof *x.before),
                  .n_before = ask->n_before,
                  .room = TN_ARRAY(arena, uint64_t, o->s->n),
                  .options = *ask->options};
    if (ask->n_before > 0) {
        memcpy(x.before, ask->before, ask->n_before * sizeof *x.before);
    }
    solve_all(&x);
    if (ask->g == o->m->main) {
        raise(&x.best.given, o->start);
        raise(&x.best.peak, o->start);
        raise(&x.best.bound, o->start);
    }
    return x.best;
}
