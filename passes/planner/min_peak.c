#include "passes/planner/min_peak.h"

#include <string.h>

#include "ir/mutate.h"
#include "passes/core/model_controls.h"
#include "passes/core/trial.h"
#include "passes/order/every_order.h"
#include "passes/planner/order_doubts.h"

enum {
    MAX_ASIDE = 4000, /* ops of a module that is looked at on the side */
    MAX_TRIED = 16,   /* ops of a graph whose orders are planned one by one */
    MAX_TRIES = 100,  /* such plans */
    MAX_STEPS = 20000
};

typedef struct ordering {
    tn_pass_ctx *c;
    const tn_order_graphs *in;
    const tn_sched_options *options;
    /* Per graph as in->ops: the order at hand, that of the fewest live bytes, the one to stay. */
    tn_op **given, **found, **kept;
    tn_sched whole; /* the main graph, if it is small */
    bool differs;
    bool exact;    /* the bound holds for the arena */
    bool straight; /* so do the peaks */
    tn_order_outcome *out;
} ordering;

static const char *const deciders[] = {"pin", "alias-views"};
static const char *const planners[] = {"pin", "alias-views", "inplace", "share-gradients", "reuse"};
static const tn_names until_views = {deciders, 2}, until_plan = {planners, 5};

static uint32_t n_ops(const ordering *w, const tn_graph *g) {
    return w->in->first_op[g->id + 1] - w->in->first_op[g->id];
}

/* Graphs by depth, deepest first: bodies are ordered before the ops that run them. */
static const tn_graph **deepest_first(const tn_module *m, tn_arena *arena) {
    uint32_t depth = 0;
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        depth = m->graphs[i]->depth > depth ? m->graphs[i]->depth : depth;
    }
    uint32_t *at = TN_ARRAY(arena, uint32_t, depth + 2u);
    const tn_graph **list = TN_ARRAY(arena, const tn_graph *, m->n_graphs);
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        at[depth - m->graphs[i]->depth + 1]++;
    }
    for (uint32_t d = 0; d <= depth; d++) {
        at[d + 1] += at[d];
    }
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        list[at[depth - m->graphs[i]->depth]++] = m->graphs[i];
    }
    return list;
}

/* What a branch or a called function gives back may be the result of its op already: then it stays
 * for nobody else, and lies outside the arena where the result does. */
static uint64_t bytes_of_joined(tn_order_model *model, const tn_op *op, const uint64_t *need) {
    uint64_t most = tn_order_model_results(model, op, false);
    for (uint32_t r = 0; r < op->n_regions; r++) {
        uint64_t bytes = need[op->regions[r]->id];
        uint64_t given = tn_order_model_given(model, op->regions[r]);
        bytes -= given < bytes ? given : bytes;
        most = bytes > most ? bytes : most;
    }
    return most;
}

/* What an op with bodies needs besides what is alive all through it. Bodies run one after the
 * other, and what they give back stays until the op ends and its results are there. */
static uint64_t bytes_of_bodies(tn_order_model *model, const tn_op *op, const uint64_t *need) {
    if (model->joins && !tn_is_loop(op)) {
        return bytes_of_joined(model, op, need);
    }
    uint64_t most = 0, left = 0, early = tn_order_model_results(model, op, true);
    for (uint32_t r = 0; r < op->n_regions; r++) {
        uint64_t bytes = left + need[op->regions[r]->id] + early;
        most = bytes > most ? bytes : most;
        left += tn_order_model_left(model, op->regions[r]);
    }
    left += tn_order_model_results(model, op, false);
    return left > most ? left : most;
}

/* One graph; returns the bound on its bytes. */
static uint64_t order_graph(ordering *w, tn_order_model *model, const tn_graph *g,
                            const uint64_t *need) {
    tn_arena *arena = tn_arena_new(w->c->ctx);
    uint32_t n = n_ops(w, g), first = w->in->first_op[g->id], edge = w->in->first_edge[g->id];
    uint64_t *workspace = TN_ARRAY(arena, uint64_t, n);
    uint32_t *given = TN_ARRAY(arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        const tn_op *op = w->given[first + i];
        given[i] = w->in->local[op->id];
        workspace[given[i]] = op->n_regions > 0 ? bytes_of_bodies(model, op, need) : 0;
    }
    tn_order_ask ask = {.g = g,
                        .n = n,
                        .given = given,
                        .before = w->in->pairs + edge,
                        .n_before = w->in->first_edge[g->id + 1] - edge,
                        .workspace = workspace,
                        .options = w->options};
    tn_sched_result r = tn_order_solve(model, arena, &ask);
    for (uint32_t i = 0; i < n; i++) {
        w->found[first + i] = w->in->ops[first + r.order[i]];
        w->differs = w->differs || r.order[i] != given[i];
    }
    w->out->expanded += r.expanded;
    w->out->parts += r.parts;
    if (g == w->c->module->main) {
        if (n <= MAX_TRIED) {
            uint64_t *kept = TN_ARRAY(w->c->scratch, uint64_t, n);
            memcpy(kept, workspace, n * sizeof *kept);
            w->whole =
                tn_order_model_graph(model, w->c->scratch, g, n, ask.before, ask.n_before, kept);
        }
        w->out->given = r.given;
        w->out->peak = r.peak;
        w->out->bound = r.bound;
    }
    tn_arena_drop(arena);
    return r.bound;
}

static void order_graphs(ordering *w, tn_analyses *an) {
    tn_pass_ctx *c = w->c;
    tn_controls want;
    const char *inplace = tn_option_behind(c, "inplace", "kinds");
    if (tn_controls_complete(c->controls, c->module, c->scratch, &want) != TN_OK) {
        return; /* `pin`, which ran before, would have said so */
    }
    tn_order_model_ask ask = {.align = want.align,
                              .io_in_arena = want.io_in_arena,
                              .inplace = inplace != NULL && strcmp(inplace, "none") != 0,
                              .inplace_all = inplace != NULL && strcmp(inplace, "all") == 0};
    tn_order_model model = tn_order_model_make(c->scratch, c->module, an, w->in->local, &ask);
    uint64_t *need = TN_ARRAY(c->scratch, uint64_t, c->module->n_graphs);
    const tn_graph **list = deepest_first(c->module, c->scratch);
    for (uint32_t i = 0; i < c->module->n_graphs; i++) {
        need[list[i]->id] = order_graph(w, &model, list[i], need);
    }
    w->exact = model.exact;
    w->straight = model.exact && !model.doubts;
}

static void place(ordering *w, tn_op *const *order) {
    tn_module *m = w->c->module;
    for (uint32_t g = 0; g < m->n_graphs; g++) {
        tn_op *at = m->graphs[g]->first;
        for (uint32_t i = w->in->first_op[g]; i < w->in->first_op[g + 1]; i++) {
            if (order[i] == at) {
                at = at->next;
            } else {
                tn_op_move_before(order[i], at);
            }
        }
    }
}

/* Finds orders for all graphs; false when the passes behind could not be tried. */
static bool search(ordering *w, tn_pass_ctx *c, const tn_order_graphs *in,
                   const tn_sched_options *options, tn_order_outcome *out) {
    uint32_t total = in->first_op[c->module->n_graphs];
    *out = (tn_order_outcome){0};
    *w = (ordering){.c = c,
                    .in = in,
                    .options = options,
                    .given = TN_ARRAY(c->scratch, tn_op *, total),
                    .found = TN_ARRAY(c->scratch, tn_op *, total),
                    .out = out};
    w->kept = w->given;
    for (uint32_t g = 0; g < c->module->n_graphs; g++) {
        uint32_t i = in->first_op[g], end = in->first_op[g + 1];
        for (tn_op *op = c->module->graphs[g]->first; i < end; op = op->next) {
            w->given[i++] = op;
        }
    }
    tn_trial views;
    tn_trial_run(&views, c, &until_views);
    bool ok = views.status == TN_OK;
    if (ok) {
        order_graphs(w, views.analyses);
    }
    tn_trial_undo(&views);
    return ok;
}

/* The arena in the order at hand; no number when nothing plans it. */
static uint64_t arena_bytes(tn_pass_ctx *c) {
    tn_trial t;
    tn_trial_run(&t, c, &until_plan);
    uint64_t bytes = t.plan != NULL ? t.plan->pools[0].size : TN_NO_BYTES;
    tn_trial_undo(&t);
    return bytes;
}

/* Leaves the ops in the order found if its arena is smaller than that of the order given, which
 * needs no layout where its live bytes are more already. Returns the arena of the order kept. */
static uint64_t improve(ordering *w) {
    place(w, w->found);
    w->kept = w->found;
    uint64_t after = arena_bytes(w->c);
    if (w->straight && after != TN_NO_BYTES && after < w->out->given) {
        return after;
    }
    place(w, w->given);
    uint64_t before = arena_bytes(w->c);
    if (before != TN_NO_BYTES ? after >= before : w->out->peak >= w->out->given) {
        w->kept = w->given;
        return before;
    }
    place(w, w->found);
    return after;
}

/* Orders of the main graph, planned one by one. */
typedef struct round {
    ordering *w;
    tn_op **order; /* as ordering.given */
    tn_op **best;
    uint64_t bytes; /* of `best` */
    tn_visit_ask *ask;
    uint32_t tries;
} round;

static bool try_order(void *user, const uint32_t *order) {
    round *r = user;
    const ordering *w = r->w;
    uint32_t first = w->in->first_op[w->c->module->main->id];
    for (uint32_t i = 0; i < w->whole.n; i++) {
        r->order[first + i] = w->in->ops[first + order[i]];
    }
    place(r->w, r->order);
    uint64_t bytes = arena_bytes(w->c);
    if (bytes < r->bytes) {
        memcpy(r->best, r->order, w->in->first_op[w->c->module->n_graphs] * sizeof *r->best);
        r->bytes = bytes;
        r->ask->below = w->straight ? bytes : r->ask->below;
    }
    return r->bytes > w->c->order->bound && ++r->tries < MAX_TRIES;
}

/* Among orders with equally few live bytes some leave fewer gaps, and some suit the choice of
 * aliases better. Small graphs have few, so they are tried. Returns the least arena. */
static uint64_t go_round(ordering *w, uint64_t bytes) {
    uint32_t total = w->in->first_op[w->c->module->n_graphs];
    tn_visit_ask ask = {
        .below = w->straight ? bytes : UINT64_MAX, .steps = MAX_STEPS, .visit = try_order};
    round r = {.w = w,
               .order = TN_ARRAY(w->c->scratch, tn_op *, total),
               .best = TN_ARRAY(w->c->scratch, tn_op *, total),
               .bytes = bytes,
               .ask = &ask};
    memcpy(r.order, w->kept, total * sizeof *r.order);
    memcpy(r.best, w->kept, total * sizeof *r.best);
    ask.user = &r;
    tn_order_visit_all(w->c->scratch, &w->whole, &ask);
    place(w, r.best);
    w->kept = r.best;
    return r.bytes;
}

void tn_order_min_peak(tn_pass_ctx *c, const tn_order_graphs *in, tn_order_outcome *out) {
    ordering w;
    tn_sched_options options = tn_sched_thorough();
    if (!search(&w, c, in, &options, out)) {
        return;
    }
    c->order->bound = w.exact ? out->bound : 0;
    uint64_t bytes = TN_NO_BYTES;
    if (w.differs) {
        bytes = improve(&w);
    } else if (w.whole.n > 0) {
        bytes = arena_bytes(c);
    }
    if (w.whole.n > 0 && bytes != TN_NO_BYTES && bytes > c->order->bound) {
        bytes = go_round(&w, bytes);
    }
    if (bytes == TN_NO_BYTES && out->peak == 0) {
        bytes = arena_bytes(c);
    }
    uint64_t least = bytes != TN_NO_BYTES ? bytes : out->peak;
    out->proven = bytes == 0 || (w.exact && least == out->bound);
    for (uint32_t i = 0; i < in->first_op[c->module->n_graphs]; i++) {
        out->moved += w.kept[i] != w.given[i];
    }
}

void tn_order_look_round(tn_pass_ctx *c, const tn_order_graphs *in) {
    ordering w;
    tn_order_outcome out;
    tn_sched_options options = tn_sched_quick();
    if (in->first_op[c->module->n_graphs] > MAX_ASIDE || !search(&w, c, in, &options, &out)) {
        return;
    }
    c->order->bound = w.exact ? out.bound : 0;
    if (w.differs && out.peak < out.given) {
        place(&w, w.found);
        uint64_t bytes = arena_bytes(c);
        place(&w, w.given);
        c->order->other = bytes != TN_NO_BYTES ? bytes : 0;
    }
}
