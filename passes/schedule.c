/* The order of the ops. Each graph is ordered by itself: an op with nested graphs is one node,
 * which depends on whatever its bodies capture. */
#include <string.h>

#include "ir/mutate.h"
#include "passes/alias/alias_set.h"
#include "passes/analysis/derivative.h"
#include "passes/core/pass.h"
#include "passes/order/topological.h"
#include "passes/schedule/try_orders.h"

enum { OPT_ORDER };
static const tn_opt options[] = {
    [OPT_ORDER] = {"order", TN_OPT_ENUM, "file", "file|kahn|longest-path|min-peak",
                   "the file's order; breadth first; long branches first; or the "
                   "smallest arena, which needs sizes: put infer-shapes before it"},
    {0}};

enum {
    STAT_GRAPHS,
    STAT_MOVED,
    STAT_GIVEN,
    STAT_PEAK,
    STAT_BOUND,
    STAT_PROVEN,
    STAT_PARTS,
    STAT_STATES
};
static const tn_stat stats[] = {
    [STAT_GRAPHS] = {"graphs", "graphs ordered, nested ones too"},
    [STAT_MOVED] = {"moved", "ops that changed their position"},
    [STAT_GIVEN] = {"given-peak", "min-peak: live bytes of the order given, aliases counted in"},
    [STAT_PEAK] = {"peak", "min-peak: live bytes of the best order found"},
    [STAT_BOUND] = {"bound", "min-peak: no order has fewer"},
    [STAT_PROVEN] = {"proven", "min-peak: 1 when the best order found is proven optimal"},
    [STAT_PARTS] = {"parts", "min-peak: parts ordered by themselves"},
    [STAT_STATES] = {"states", "min-peak: states of the search"},
    {0}};

typedef struct edge {
    const tn_op *from, *to;
} edge;

/* Edges between ops of one graph, gathered over all graphs in one walk. */
typedef struct edges {
    tn_arena *arena;
    const tn_steps *steps;
    const tn_op **open; /* by depth: the op whose bodies are being walked */
    TN_VEC(edge) list;
    uint32_t n_demanded;           /* the first of them: what orders have to follow */
    const tn_op *barrier;          /* the last one */
    TN_VEC(const tn_op *) effects; /* ops with effects since then */
} edges;

static void add_edge(edges *e, const tn_op *from, const tn_op *to) {
    tn_vec_push(e->arena, &e->list, (edge){from, to});
}

static void depend(edges *e, const tn_value *v, const tn_op *reader, uint32_t depth) {
    if (v != NULL && v->kind == TN_VALUE_RESULT) {
        add_edge(e, v->def, v->graph->depth < depth ? e->open[v->graph->depth] : reader);
    }
}

/* Orders two ops, or the ops around them in one graph, as they stand in the order given. An op and
 * one inside it, or in two bodies of one op, need no edge. */
static void keep_relation(edges *e, const tn_op *a, const tn_op *b) {
    while (a != NULL && b != NULL && a->graph != b->graph) {
        bool up = a->graph->depth >= b->graph->depth;
        b = a->graph->depth <= b->graph->depth ? b->graph->owner : b;
        a = up ? a->graph->owner : a;
    }
    if (a == NULL || b == NULL || a == b || e->steps->begin[a->id] == TN_NO_STEP ||
        e->steps->begin[b->id] == TN_NO_STEP) {
        return;
    }
    bool before = e->steps->begin[a->id] < e->steps->begin[b->id];
    add_edge(e, before ? a : b, before ? b : a);
}

/* An op that writes over its operand by definition comes after those that came before it in the
 * order given and read the old bytes, and before those that read the new ones. */
static void keep_overwrites(edges *e, const tn_op *op) {
    for (uint32_t k = 0; k < op->n_operands; k++) {
        const tn_value *v = op->operands[k].value;
        if (v != NULL && tn_op_overwrites(op, k, NULL)) {
            for (const tn_use *u = v->first_use; u != NULL; u = u->next) {
                keep_relation(e, op, u->op);
            }
        }
    }
}

/* The same for a body that gives back a value of a graph around it, which is no use. */
static void keep_output(edges *e, const tn_value *v, const tn_op *op) {
    for (const tn_use *u = v->first_use; u != NULL; u = u->next) {
        if (tn_op_overwrites(u->op, u->index, NULL)) {
            keep_relation(e, op, u->op);
        }
    }
}

/* A derivative names what it reads, which is what was computed before it in the order given: the
 * ops that make it stay before, and those that write over it on their side. */
static void keep_derivative(void *user, const tn_value *v, const tn_op *op) {
    edges *e = user;
    if (v->kind == TN_VALUE_RESULT) {
        keep_relation(e, v->def, op);
    }
    keep_output(e, v, op);
}

static void keep_effects(edges *e, const tn_op *op) {
    if ((op->info->traits & (TN_T_SIDE_EFFECT | TN_T_BARRIER)) == 0) {
        return;
    }
    if (e->barrier != NULL) {
        keep_relation(e, e->barrier, op);
    }
    if ((op->info->traits & TN_T_BARRIER) == 0) {
        tn_vec_push(e->arena, &e->effects, op);
        return;
    }
    for (uint32_t i = 0; i < e->effects.len; i++) {
        keep_relation(e, e->effects.data[i], op);
    }
    e->effects.len = 0;
    e->barrier = op;
}

static void gather(edges *e) {
    for (uint32_t s = 0; s < e->steps->n; s++) {
        const tn_op *op = e->steps->at[s].op;
        uint32_t depth = op->graph->depth;
        if (e->steps->at[s].is_end) {
            for (uint32_t i = 0; i < op->n_regions; i++) {
                for (uint32_t k = 0; k < op->regions[i]->n_outputs; k++) {
                    const tn_value *v = op->regions[i]->outputs[k];
                    if (v->graph != op->regions[i]) {
                        depend(e, v, op, depth + 1);
                        keep_output(e, v, op);
                    }
                }
            }
            continue;
        }
        e->open[depth] = op;
        for (uint32_t k = 0; k < op->n_operands; k++) {
            depend(e, op->operands[k].value, op, depth);
        }
        keep_overwrites(e, op);
        keep_effects(e, op);
    }
}

/* Per graph: its ops by id (the order of their creation, which is the file's) and their edges with
 * local numbers. */
typedef struct scheduler {
    tn_pass_ctx *c;
    uint32_t *local;                 /* by op id */
    uint32_t *first_op, *first_edge; /* by graph id, one more at the end */
    uint32_t *first_kept;            /* by graph id */
    tn_op **ops;
    uint32_t (*pairs)[2];
} scheduler;

static uint32_t *starts(tn_arena *arena, uint32_t *count, uint32_t n) {
    uint32_t *at = TN_ARRAY(arena, uint32_t, n + 1u);
    for (uint32_t i = 0; i < n; i++) {
        at[i + 1] = at[i] + count[i];
        count[i] = at[i];
    }
    return at;
}

static void split_by_graph(scheduler *s, const edges *e) {
    const tn_module *m = s->c->module;
    uint32_t *n_ops = TN_ARRAY(s->c->scratch, uint32_t, m->n_graphs);
    uint32_t *n_edges = TN_ARRAY(s->c->scratch, uint32_t, m->n_graphs);
    for (uint32_t i = 0; i < m->n_ops; i++) {
        n_ops[m->ops[i]->graph->id] += e->steps->begin[i] != TN_NO_STEP;
    }
    for (uint32_t i = 0; i < e->list.len; i++) {
        n_edges[e->list.data[i].to->graph->id]++;
    }
    s->first_op = starts(s->c->scratch, n_ops, m->n_graphs);
    s->first_edge = starts(s->c->scratch, n_edges, m->n_graphs);
    s->ops = TN_ARRAY(s->c->scratch, tn_op *, m->n_ops);
    s->local = TN_ARRAY(s->c->scratch, uint32_t, m->n_ops);
    s->pairs = tn_arena_array(s->c->scratch, e->list.len, sizeof *s->pairs);
    for (uint32_t i = 0; i < m->n_ops; i++) {
        uint32_t g = m->ops[i]->graph->id;
        if (e->steps->begin[i] != TN_NO_STEP) {
            s->local[i] = n_ops[g] - s->first_op[g];
            s->ops[n_ops[g]++] = m->ops[i];
        }
    }
    s->first_kept = TN_ARRAY(s->c->scratch, uint32_t, m->n_graphs);
    memcpy(s->first_kept, s->first_edge, m->n_graphs * sizeof *s->first_kept);
    for (uint32_t i = 0; i < e->list.len; i++) {
        s->first_kept[e->list.data[i].to->graph->id] += i < e->n_demanded;
        uint32_t *pair = s->pairs[n_edges[e->list.data[i].to->graph->id]++];
        pair[0] = s->local[e->list.data[i].from->id];
        pair[1] = s->local[e->list.data[i].to->id];
    }
}

static tn_status order_graph(scheduler *s, const tn_graph *g, bool longest, tn_arena *scratch) {
    uint32_t n = s->first_op[g->id + 1] - s->first_op[g->id], stuck;
    uint32_t *order = TN_ARRAY(scratch, uint32_t, n);
    tn_op **ops = s->ops + s->first_op[g->id];
    tn_dag dag = tn_dag_make(scratch, n, (const uint32_t(*)[2])(s->pairs + s->first_edge[g->id]),
                             s->first_edge[g->id + 1] - s->first_edge[g->id]);
    bool ok = longest ? tn_order_longest_path(&dag, scratch, order, &stuck)
                      : tn_order_kahn(&dag, scratch, order, &stuck);
    if (!ok) {
        return tn_error(s->c->ctx, &ops[stuck]->loc, "depends on its own result");
    }
    tn_op *at = g->first;
    for (uint32_t i = 0; i < n; i++) {
        if (ops[order[i]] == at) {
            at = at->next;
        } else {
            tn_op_move_before(ops[order[i]], at);
            s->c->stats[STAT_MOVED]++;
        }
    }
    return TN_OK;
}

static tn_status reorder(tn_pass_ctx *c, const edges *e, bool longest) {
    scheduler s = {.c = c};
    split_by_graph(&s, e);
    for (uint32_t i = 0; i < c->module->n_graphs; i++) {
        tn_arena *scratch = tn_arena_new(c->ctx);
        tn_status status = order_graph(&s, c->module->graphs[i], longest, scratch);
        tn_arena_drop(scratch);
        if (status != TN_OK) {
            return status;
        }
    }
    return TN_OK;
}

/* The first edge that the order given runs against, or NULL. */
static const edge *find_wrong(const edges *e) {
    for (uint32_t i = 0; i < e->list.len; i++) {
        const edge *x = &e->list.data[i];
        if (e->steps->end[x->from->id] >= e->steps->begin[x->to->id]) {
            return x;
        }
    }
    return NULL;
}

/* State is updated where it lies if its readers come first: those that do stay there. Bytes that
 * another order saves, as it lets go of a gradient earlier, it would need again for a second state.
 */
static void keep_update(edges *e, const tn_binding *b) {
    const tn_op *last = b->value->kind == TN_VALUE_RESULT ? b->value->def : NULL;
    for (const tn_use *u = b->state->first_use; u != NULL && last != NULL; u = u->next) {
        uint32_t at = e->steps->begin[u->op->id];
        if (at != TN_NO_STEP && at > e->steps->begin[last->id]) {
            return;
        }
    }
    for (const tn_use *u = b->state->first_use; u != NULL && last != NULL; u = u->next) {
        keep_relation(e, u->op, last);
    }
}

/* The order given is kept, once it is one. */
static tn_status keep_order(tn_pass_ctx *c, const edges *e) {
    const edge *wrong = find_wrong(e);
    if (wrong != NULL) {
        return tn_error(c->ctx, &wrong->to->loc,
                        "comes before '%s' (%s), whose result it reads; schedule{order=kahn} "
                        "would sort the graph",
                        wrong->from->name, wrong->from->type);
    }
    return TN_OK;
}

static edges find_edges(tn_pass_ctx *c) {
    uint32_t depth = 0;
    for (uint32_t i = 0; i < c->module->n_graphs; i++) {
        depth = c->module->graphs[i]->depth > depth ? c->module->graphs[i]->depth : depth;
    }
    edges e = {.arena = c->scratch,
               .steps = tn_get_steps(c->analyses),
               .open = TN_ARRAY(c->scratch, const tn_op *, depth + 1u)};
    gather(&e);
    tn_derivative_reads(c->module, e.steps, c->scratch, keep_derivative, &e);
    e.n_demanded = e.list.len;
    bool valid = c->module->n_bindings > 0 && find_wrong(&e) == NULL;
    for (uint32_t i = 0; i < c->module->n_bindings && valid; i++) {
        keep_update(&e, &c->module->bindings[i]);
    }
    return e;
}

static tn_status run(tn_pass_ctx *c) {
    edges e = find_edges(c);
    c->stats[STAT_GRAPHS] = c->module->n_graphs;
    if (tn_pass_is(c, OPT_ORDER, "file")) {
        return keep_order(c, &e);
    }
    /* The last reader in one order is not the last in another. */
    c->order->searched = false;
    tn_alias_take_back(c->module, true);
    tn_plan_drop(*c->plan);
    *c->plan = NULL;
    if (tn_pass_is(c, OPT_ORDER, "min-peak")) {
        return find_wrong(&e) != NULL ? reorder(c, &e, false) : TN_OK;
    }
    return reorder(c, &e, tn_pass_is(c, OPT_ORDER, "longest-path"));
}

static void intend(const tn_pass_ctx *c, tn_intent *intent) {
    bool search = tn_pass_is(c, OPT_ORDER, "min-peak");
    intent->searches |= search && c->module->concurrency.kind == TN_SERIAL;
    intent->reorders |= !search && !tn_pass_is(c, OPT_ORDER, "file");
}

static void report(tn_pass_ctx *c, const tn_order_outcome *out) {
    c->order->searched = true;
    c->stats[STAT_MOVED] += out->moved;
    c->stats[STAT_GIVEN] = out->given;
    c->stats[STAT_PEAK] = out->peak;
    c->stats[STAT_BOUND] = out->bound;
    c->stats[STAT_PROVEN] = out->proven;
    c->stats[STAT_PARTS] = out->parts;
    c->stats[STAT_STATES] = out->expanded;
}

/* What one order would need where steps are to run side by side: a plan of it, for its figure. */
typedef struct serial_probe {
    tn_pass_ctx *c;
    tn_concurrency_ask asked;
} serial_probe;

static bool put_serial(void *user, uint32_t i, uint64_t least) {
    const serial_probe *probe = user;
    const tn_concurrency_ask serial = {.kind = TN_SERIAL};
    (void)least;
    tn_module_set_concurrency(probe->c->module, i == 0 ? &probe->asked : &serial);
    return true;
}

static void settle_serial(void *user, uint32_t best, uint64_t least) {
    const serial_probe *probe = user;
    (void)best;
    probe->c->order->serial = least != TN_NO_ARENA ? least : 0;
}

static tn_candidates propose_serial(tn_pass_ctx *c) {
    serial_probe *probe = TN_NEW(c->scratch, serial_probe);
    *probe = (serial_probe){c, c->module->concurrency};
    return (tn_candidates){
        .n = 2, .probe = true, .user = probe, .put = put_serial, .settle = settle_serial};
}

static tn_candidates propose(tn_pass_ctx *c, tn_analyses *preview, const tn_intent *intent,
                             const tn_candidates *first) {
    if (first != NULL) {
        return tn_order_more(first, preview, intent);
    }
    if (c->module->concurrency.kind != TN_SERIAL) {
        return propose_serial(c);
    }
    bool file = tn_pass_is(c, OPT_ORDER, "file");
    edges e = find_edges(c);
    scheduler s = {.c = c};
    split_by_graph(&s, &e);
    tn_order_graphs *graphs = TN_NEW(c->scratch, tn_order_graphs);
    *graphs = (tn_order_graphs){s.local,      s.first_op, s.first_edge,
                                s.first_kept, s.ops,      (const uint32_t(*)[2])s.pairs};
    return tn_order_candidates(c, graphs, preview, intent, file ? NULL : report);
}

static bool proposes(const tn_pass_ctx *c) {
    if (c->module->concurrency.kind == TN_SERIAL && tn_pass_is(c, OPT_ORDER, "min-peak")) {
        return true;
    }
    if (c->brief) {
        return false; /* the others are probes, for the report alone */
    }
    return c->module->concurrency.kind != TN_SERIAL ||
           (tn_pass_is(c, OPT_ORDER, "file") && tn_orders_are_probed(c->module));
}

const tn_pass_info tn_pass_schedule = {
    .name = "schedule",
    .summary = "orders the ops of every graph, or proves the given order valid",
    .sets = TN_PROP_ORDERED,
    .breaks = TN_PROP_PLANNED,
    .options = options,
    .stats = stats,
    .run = run,
    .intend = intend,
    .propose = propose,
    .proposes = proposes,
    .previews = TN_DECIDES_PINS | TN_DECIDES_VIEWS,
};
