#include "passes/schedule/try_orders.h"

#include <string.h>

#include "ir/mutate.h"
#include "passes/core/measured_steps.h"
#include "passes/core/model_controls.h"
#include "passes/order/every_order.h"
#include "passes/schedule/floor/order_floor.h"
#include "passes/schedule/output_choices.h"

enum {
    MAX_PROBED = 4000, /* ops of a module for which another order is looked for unasked */
    MAX_TRIED = 16,    /* ops of a main graph whose orders are planned one by one */
    MAX_TRIES = 100,   /* such plans */
    MAX_STEPS = 20000, /* ops placed to find those orders */
    FEW_CHOICES = 2,   /* operands looked at in and out of an output, for an order unasked */
    MAX_CASES = 16,    /* problems solved for a bound ... */
    CASE_OPS = 6000    /* ... and ops of all but the first of them */
};
/* The candidates: the order at hand, that of the fewest live bytes, one with as few that is nearer
 * to the order at hand, that of the fewest if no result goes over an operand of another width (the
 * storage of both stays as wide as the wider, which the model leaves out), that of the fewest with
 * the default options of the passes behind, and other orders of a small main graph. Of orders with
 * equally few live bytes some leave fewer gaps in the arena, some suit the choice of aliases
 * better, and the nearer one mostly needs less at level 0. */
enum { GIVEN, FOUND, NEARER, LESS, AGAIN, OTHERS };

typedef struct ordering {
    tn_pass_ctx *c;
    const tn_order_graphs *in;
    bool probe; /* the order given stays */
    tn_sched_options options;
    tn_op **order[OTHERS + MAX_TRIES]; /* by candidate, each per graph as in->ops, or NULL */
    uint32_t n;
    uint64_t peak_again;   /* live bytes of AGAIN with the default options of the passes behind */
    bool peaks_hold;       /* so do the live bytes of an order */
    tn_sched whole;        /* the main graph, if it is small */
    tn_every_order others; /* of `whole` */
    tn_order_outcome out;
    tn_order_report *report; /* NULL: the order given stays */
} ordering;

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

/* The problem of the main graph, for longer than it is being solved. */
static tn_sched copy_main(const ordering *w, tn_order_model *model, const tn_order_ask *ask) {
    uint64_t *workspace = TN_ARRAY(w->c->scratch, uint64_t, ask->n);
    for (uint32_t i = 0; i < ask->n; i++) {
        workspace[i] = ask->workspace[i];
    }
    return tn_order_model_graph(model, w->c->scratch, ask->g, ask->n, ask->before, ask->n_before,
                                workspace);
}

/* The order found stands for a nearer one with more live bytes. */
static void put_nearer(ordering *w, tn_order_model *model, const tn_order_ask *ask,
                       const tn_sched_result *found) {
    uint32_t first = w->in->first_op[ask->g->id];
    tn_sched_result r = *found;
    if (!w->probe && found->peak < found->given && tn_step_is_on(TN_STEP_nearer_order)) {
        tn_sched_options options = tn_sched_local(found->bound);
        tn_order_ask local = *ask;
        local.options = &options;
        r = tn_order_solve(model, w->c->scratch, &local);
        r = r.peak > found->peak ? *found : r;
    }
    for (uint32_t i = 0; i < ask->n; i++) {
        w->order[NEARER][first + i] = w->in->ops[first + r.order[i]];
    }
}

/* One graph; returns the bound on its bytes. */
static uint64_t order_graph(ordering *w, tn_order_model *model, const tn_graph *g,
                            const uint64_t *need) {
    tn_arena *arena = tn_arena_new(w->c->ctx);
    uint32_t first = w->in->first_op[g->id], n = w->in->first_op[g->id + 1] - first;
    uint64_t *workspace = TN_ARRAY(arena, uint64_t, n);
    uint32_t *given = TN_ARRAY(arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        const tn_op *op = w->order[GIVEN][first + i];
        given[i] = w->in->local[op->id];
        workspace[given[i]] = op->n_regions > 0 ? bytes_of_bodies(model, op, need) : 0;
    }
    uint32_t edge = w->in->first_edge[g->id];
    tn_order_ask ask = {.g = g,
                        .n = n,
                        .given = given,
                        .before = w->in->pairs + edge,
                        .n_before = w->in->first_edge[g->id + 1] - edge,
                        .workspace = workspace,
                        .options = &w->options,
                        .memory = w->c->controls->orders,
                        .max_choices = w->probe ? FEW_CHOICES : TN_MAX_OUTPUT_CHOICES};
    tn_sched_result r = tn_order_solve(model, arena, &ask);
    for (uint32_t i = 0; i < n; i++) {
        w->order[FOUND][first + i] = w->in->ops[first + r.order[i]];
    }
    put_nearer(w, model, &ask, &r);
    w->out.expanded += r.expanded;
    w->out.parts += r.parts;
    if (g == w->c->module->main) {
        w->whole = n <= MAX_TRIED && tn_step_is_on(TN_STEP_every_order) ? copy_main(w, model, &ask)
                                                                        : (tn_sched){0};
        w->out.given = r.given;
        w->out.peak = r.peak;
        w->out.bound = r.bound;
    }
    tn_arena_drop(arena);
    return r.bound;
}

static uint32_t max_cases(const ordering *w) {
    uint32_t n_ops = w->in->first_op[w->c->module->n_graphs];
    uint32_t n = 1 + (w->probe || n_ops == 0 ? 0 : CASE_OPS / n_ops);
    return n < MAX_CASES ? n : MAX_CASES;
}

/* Whether every order was searched, not those alone that state is updated where it lies by. */
static bool keeps_nothing(const tn_order_graphs *in, uint32_t graph) {
    return in->first_kept[graph] == in->first_edge[graph + 1];
}

/* `bound`: over all orders, too, where the model alone has none. */
static void order_graphs(ordering *w, tn_analyses *an, const tn_intent *intent, bool bound) {
    tn_pass_ctx *c = w->c;
    tn_controls want;
    if (tn_controls_complete(c->controls, c->module, c->scratch, &want) != TN_OK) {
        return; /* `pin`, which ran before, would have said so */
    }
    tn_order_model_ask ask = {
        .align = want.align, .io_in_arena = want.io_in_arena, .inplace = intent->inplace};
    tn_order_model model = tn_order_model_make(c->scratch, c->module, an, w->in->local, &ask);
    uint64_t *need = TN_ARRAY(c->scratch, uint64_t, c->module->n_graphs);
    for (uint32_t i = c->module->n_graphs; i-- > 0;) { /* bodies before the graphs of their ops */
        need[i] = order_graph(w, &model, c->module->graphs[i], need);
    }
    bool all = keeps_nothing(w->in, c->module->main->id); /* orders were searched */
    if (bound && (!model.exact || !all || c->module->n_graphs > 1)) {
        tn_floor_ask ask_floor = {w->in,       &ask,        &w->options, c->controls->orders,
                                  w->out.peak, max_cases(w)};
        uint64_t floor = tn_order_floor(c->scratch, c->module, an, &ask_floor);
        w->out.bound = model.exact && all && w->out.bound > floor ? w->out.bound : floor;
    }
    w->peaks_hold = model.exact && !model.chooses_outputs;
}

/* The ops of every graph in this order. */
static void place(const ordering *w, tn_op *const *order) {
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

static tn_op **new_order(const ordering *w) {
    return TN_ARRAY(w->c->scratch, tn_op *, w->in->first_op[w->c->module->n_graphs]);
}

/* The next order of the main graph becomes a candidate, unless the best is as small as any can be
 * or all orders left are known to need as much. */
static bool add_other(ordering *w, uint64_t least) {
    uint32_t first = w->in->first_op[w->c->module->main->id];
    if (least == TN_NO_ARENA ||
        !tn_every_order_next(&w->others, w->peaks_hold ? least : UINT64_MAX)) {
        return false;
    }
    tn_op **order = new_order(w);
    memcpy(order, w->order[FOUND], w->in->first_op[w->c->module->n_graphs] * sizeof(tn_op *));
    for (uint32_t i = 0; i < w->whole.n; i++) {
        order[first + i] = w->in->ops[first + w->others.order[i]];
    }
    w->order[w->n++] = order;
    return true;
}

/* Whether candidate i is there and none before it is the same order. */
static bool is_new(const ordering *w, uint32_t i) {
    size_t size = w->in->first_op[w->c->module->n_graphs] * sizeof(tn_op *);
    for (uint32_t k = 0; k < i && w->order[i] != NULL && i < OTHERS; k++) {
        if (w->order[k] != NULL && memcmp(w->order[k], w->order[i], size) == 0) {
            return false;
        }
    }
    return w->order[i] != NULL;
}

/* Whether no order can do better than what was planned already, or, for those with the default
 * options behind, not with these options. */
static bool is_settled(const ordering *w, uint32_t i, uint64_t least) {
    uint64_t enough = i < OTHERS ? w->peak_again : 0;
    enough = enough > w->c->order->bound ? enough : w->c->order->bound;
    return least != TN_NO_ARENA && least <= enough;
}

/* Where the model is exact, the live bytes of an order are a lower bound of its arena. */
static bool put(void *user, uint32_t i, uint64_t least) {
    ordering *w = user;
    if ((i == GIVEN && w->peaks_hold && w->out.given > least) || i > w->n ||
        (i >= AGAIN && is_settled(w, i, least)) || (i == w->n && !add_other(w, least)) ||
        !is_new(w, i)) {
        return false;
    }
    place(w, w->order[i]);
    return true;
}

/* Finds an order for every graph. */
static ordering *search(tn_pass_ctx *c, const tn_order_graphs *in, bool probe, tn_analyses *preview,
                        const tn_intent *intent, bool bound) {
    ordering *w = TN_NEW(c->scratch, ordering);
    *w = (ordering){.c = c,
                    .in = in,
                    .probe = probe,
                    .options = probe ? tn_sched_quick() : tn_sched_thorough(),
                    .n = OTHERS};
    w->order[GIVEN] = new_order(w);
    w->order[FOUND] = new_order(w);
    w->order[NEARER] = new_order(w);
    for (uint32_t g = 0; g < c->module->n_graphs; g++) {
        uint32_t i = in->first_op[g], end = in->first_op[g + 1];
        for (tn_op *op = c->module->graphs[g]->first; i < end; op = op->next) {
            w->order[GIVEN][i++] = op;
        }
    }
    order_graphs(w, preview, intent, bound);
    return w;
}

static void settle(void *user, uint32_t best, uint64_t least) {
    ordering *w = user;
    tn_order_outcome *out = &w->out;
    if (w->report == NULL) {
        w->c->order->other = least != TN_NO_ARENA ? least : 0;
        return;
    }
    least = least != TN_NO_ARENA ? least : out->peak;
    out->proven = least == 0 || least == out->bound;
    for (uint32_t i = 0; i < w->in->first_op[w->c->module->n_graphs]; i++) {
        out->moved += w->order[best][i] != w->order[GIVEN][i];
    }
    w->report(w->c, out);
}

bool tn_orders_are_probed(const tn_module *m) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->n_ops; i++) {
        n += !m->ops[i]->erased;
    }
    return n <= MAX_PROBED && tn_step_is_on(TN_STEP_order_probe);
}

tn_candidates tn_order_candidates(tn_pass_ctx *c, const tn_order_graphs *graphs,
                                  tn_analyses *preview, const tn_intent *intent,
                                  tn_order_report *report) {
    bool probe = report == NULL;
    ordering *w = search(c, graphs, probe, preview, intent, true);
    bool fewer = w->out.peak<w->out.given, small = w->whole.n> 0 && !probe;
    c->order->bound = w->out.bound;
    w->report = report;
    if (!probe && intent->inplace == TN_INPLACE_ORDERED) {
        tn_intent less = *intent;
        less.inplace = TN_INPLACE_ALL;
        w->order[LESS] = search(c, graphs, false, preview, &less, false)->order[FOUND];
    }
    if (small) {
        w->others = tn_every_order_make(c->scratch, &w->whole, MAX_STEPS);
    }
    return (tn_candidates){.n = probe && !fewer ? 0
                                : small         ? OTHERS + MAX_TRIES
                                                : OTHERS,
                           .unplanned = fewer ? FOUND : GIVEN,
                           .probe = probe,
                           .user = w,
                           .put = put,
                           .settle = settle};
}

/* By a quick search: a thorough one makes no arena of the models in bench/ smaller. */
tn_candidates tn_order_more(const tn_candidates *first, tn_analyses *preview,
                            const tn_intent *intent) {
    ordering *w = first->user;
    const ordering *again = search(w->c, w->in, true, preview, intent, false);
    w->order[AGAIN] = again->order[FOUND];
    w->peak_again = again->out.peak;
    w->out.parts += again->out.parts;
    w->out.expanded += again->out.expanded;
    return *first;
}
