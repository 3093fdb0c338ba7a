/* The plan: drops the aliases that do not pay (passes/alias/choose.h), lays every alias class
 * out and writes down who lies where from when to when. */
#include <string.h>

#include "ir/ops/flops.h"
#include "passes/alias/untie.h"
#include "passes/core/model_controls.h"
#include "passes/core/pass.h"
#include "passes/plan/capacity.h"
#include "passes/plan/layout_memory.h"
#include "passes/plan/overlap_layout.h"
#include "passes/plan/places.h"
#include "passes/plan/plan_build.h"
#include "passes/plan/workspace_ways.h"

enum { OPT_LEVEL, OPT_MEMORY, OPT_EFFORT, OPT_ALGO, OPT_OVERLAP };
static const tn_opt options[] = {
    [OPT_LEVEL] = {"level", TN_OPT_ENUM, "1", "none|0|1",
                   "no reuse; same element type and shape; or as much as possible"},
    [OPT_MEMORY] = {"memory", TN_OPT_ENUM, "offsets", "offsets|slots",
                    "offsets in one arena, or shared objects"},
    [OPT_EFFORT] = {"effort", TN_OPT_INT, "1", NULL,
                    "0 one fit, 1 fast fits, 2 and search, 3 long search"},
    [OPT_ALGO] = {"algo", TN_OPT_TEXT, "", NULL,
                  "one packing algorithm instead of the best of all"},
    [OPT_OVERLAP] = {"overlap", TN_OPT_ENUM, "none", "none|rows|rows-buffered|elements|pixels",
                     "the order in which kernels work, so that results may begin inside dying "
                     "operands"},
    {0}};

enum { STAT_STORAGES, STAT_BYTES };
static const tn_stat stats[] = {[STAT_STORAGES] = {"storages", "storages placed, all pools"},
                                [STAT_BYTES] = {"arena-bytes", "size of the arena"},
                                {0}};

typedef struct planning {
    tn_pass_ctx *c;
    tn_controls want;
    tn_layout_ask ask;
    tn_alias_choice choice;
    bool inside;            /* results may begin inside operands: pairs of such are looked for */
    tn_work_order order;    /* of kernels whose facts state none */
    tn_overlap_pairs pairs; /* found for the aliases of the choice */
} planning;

/* Slots and lower levels know no parts of buffers: who asks for both has not said what is wanted.
 */
static tn_status refuse_whole(const planning *p) {
    tn_loc loc = tn_loc_file(p->c->module->file);
    return tn_usage(p->c->ctx, &loc,
                    "reuse: overlap=%s lays results into parts of operands, and %s: leave it out, "
                    "or plan with %s",
                    tn_pass_text(p->c, OPT_OVERLAP),
                    p->ask.slots ? "slots are shared whole"
                                 : "storages are shared whole below level 1",
                    p->ask.slots ? "--memory=offsets" : "--level=1");
}

/* Whether results may begin inside dying operands. Distances are known for numbers alone. */
static tn_status read_order(planning *p) {
    tn_pass_ctx *c = p->c;
    uint32_t n_open;
    (void)tn_work_order_find(tn_pass_text(c, OPT_OVERLAP), &p->order);
    (void)tn_dims_ranges(c->module->dims, &n_open);
    /* Facts may state an order op by op; which operand dies is known in one order of steps alone.
     */
    bool by_facts = c->module->op_set != NULL && p->ask.precedence == NULL;
    bool asked = p->order != TN_ORDER_NONE;
    bool whole = p->ask.level != TN_LEVEL_1 || p->ask.slots;
    if (asked && whole) {
        return refuse_whole(p);
    }
    p->inside = (asked || by_facts) && !whole && n_open == 0;
    if (p->inside && p->ask.precedence != NULL) {
        tn_loc loc = tn_loc_file(c->module->file);
        return tn_usage(c->ctx, &loc,
                        "reuse: overlap=%s lays results into operands that die by one order, and "
                        "steps are to run side by side: leave it out, or plan with "
                        "--concurrency=serial",
                        tn_pass_text(c, OPT_OVERLAP));
    }
    return TN_OK;
}

static void find_pairs(planning *p, tn_arena *arena) {
    tn_pass_ctx *c = p->c;
    p->pairs = (tn_overlap_pairs){0};
    if (p->inside) {
        p->pairs = tn_find_overlap_pairs(c->module, tn_get_storages(c->analyses),
                                         tn_get_liveness(c->analyses), p->choice.layout.in_arena,
                                         p->order, arena);
    }
}

/* Several arenas are laid out later (passes/plan/places.c). */
static tn_status overlap(planning *p) {
    tn_status status = read_order(p);
    if (status != TN_OK || tn_places_differ(&p->want)) {
        return status;
    }
    find_pairs(p, p->choice.arena);
    return tn_overlap_layout(p->c->ctx, &p->ask, &p->pairs, NULL, p->choice.arena,
                             &p->choice.layout);
}

/* What was found out about other orders before the aliases were decided. Sharing gradients changes
 * nothing: they could lie where they do without. Views of parts may have been given up for good
 * reason: then nothing is claimed.
 */
static void state_orders(const tn_order_facts *facts, tn_plan *plan) {
    tn_plan_report *r = &plan->report;
    if (facts->bound <= r->bound) {
        r->order_bound = facts->bound;
    }
    if (facts->other < plan->pools[0].size && facts->other >= r->order_bound) {
        r->other_order = facts->other;
    }
}

/* What clones are in the module, and what the search for them found. */
static void state_clones(const tn_pass_ctx *c, tn_plan *plan) {
    const tn_clone_facts *facts = c->clones;
    tn_plan_recompute *r = &plan->report.recompute;
    tn_plan_point *curve = TN_ARRAY(plan->arena, tn_plan_point, facts->n_curve);
    double flops = 0;
    TN_FOR_OPS(op, c->module->main) {
        r->n_clones += op->clone_of != NULL;
        flops += op->clone_of != NULL ? tn_op_flops(op) : 0;
    }
    if (!facts->asked && r->n_clones == 0) {
        return;
    }
    for (uint32_t i = 0; i < facts->n_curve; i++) {
        curve[i] = facts->curve[i];
    }
    r->operations = tn_flops_count(flops);
    r->model_operations = tn_flops_count(tn_graph_flops(c->module->main));
    r->without = facts->without;
    r->curve = curve;
    r->n_curve = facts->n_curve;
}

static tn_status build_rest(tn_build *b, tn_sink *log) {
    tn_build_values(b);
    tn_status status = tn_build_ranges(b);
    if (status != TN_OK) {
        return status;
    }
    tn_build_open(b);
    tn_build_bindings(b);
    tn_build_steps(b);
    status = tn_build_before(b);
    if (status == TN_OK) {
        status = tn_build_places(b);
    }
    if (status != TN_OK || b->trial) {
        return status;
    }
    tn_build_kept(b);
    tn_build_overlaps(b);
    tn_build_hazards(b, log);
    tn_build_queues(b);
    tn_build_report(b);
    return TN_OK;
}

/* TN_NOFIT without a word where a `trial` does not fit. */
static tn_status build(planning *p, bool trial, tn_plan **made) {
    tn_pass_ctx *c = p->c;
    tn_plan *plan = tn_plan_new(c->ctx);
    tn_build b = {.ctx = c->ctx,
                  .m = c->module,
                  .scratch = c->scratch,
                  .want = p->want,
                  .live = tn_get_liveness(c->analyses),
                  .order = tn_get_precedence(c->analyses),
                  .classes = tn_get_storages(c->analyses),
                  .layout = &p->choice.layout,
                  .ask = &p->ask,
                  .trial = trial,
                  .equal_types = p->ask.level != TN_LEVEL_1,
                  .p = plan};
    plan->concurrency = c->module->concurrency.kind;
    plan->n_queues = c->module->concurrency.n_queues;
    plan->model = tn_arena_strndup(plan->arena, c->module->name, strlen(c->module->name));
    tn_build_storages(&b);
    if (!c->figures && tn_places_differ(&p->want)) {
        find_pairs(p, c->scratch);
    }
    if (p->pairs.n > 0 && (tn_places_differ(&p->want) || p->want.places.based_on != NULL)) {
        b.pairs = &p->pairs;
    }
    if (!c->figures) {
        if (p->ask.level == TN_LEVEL_1 && p->ask.precedence == NULL &&
            !tn_places_differ(&p->want)) { /* the other levels let nobody into such holes */
            tn_workspaces_improve(&b);
        }
        tn_status status = build_rest(&b, trial ? NULL : c->log);
        if (status != TN_OK) {
            tn_plan_drop(plan);
            return status;
        }
    }
    plan->report.level0 = b.layout->level0;
    plan->report.serial = c->order->serial;
    if (p->pairs.n == 0 && !p->want.channels_last && p->want.layout_of.len == 0 &&
        b.layout == &p->choice.layout) { /* of which bounds of other orders know nothing */
        state_orders(c->order, plan);
    }
    state_clones(c, plan);
    plan->report.saved_by_sharing = p->choice.saved_by_sharing;
    *made = plan;
    return TN_OK;
}

/* Keeps the plan, unless it is too large for one arena. */
static tn_status finish(planning *p, tn_plan *plan) {
    tn_pass_ctx *c = p->c;
    c->stats[STAT_STORAGES] = plan->n_storages;
    c->stats[STAT_BYTES] = tn_plan_arena_bytes(plan);
    if (!c->figures && p->want.capacity != 0 && plan->pools[0].size > p->want.capacity) {
        tn_loc loc = tn_loc_file(c->module->file);
        tn_status status =
            tn_capacity_refuse(plan, &p->choice.layout, &p->ask, &p->pairs, &loc, c->scratch);
        tn_plan_drop(plan);
        return status;
    }
    tn_plan_drop(*c->plan);
    *c->plan = plan;
    return TN_OK;
}

/* ---- aliases for several arenas ---- */

/* A set of edges, and where values lie with it; NULL where they do not fit. */
typedef struct tried_edges {
    const bool *keep;
    tn_value_pools at;
} tried_edges;

enum { UNTIE_ROUNDS = 3 };

typedef struct untying {
    planning *p;
    tried_edges tried[2 * UNTIE_ROUNDS + 3];
    uint32_t n_tried;
    const bool *best; /* set of edges */
    uint64_t cost;    /* of it; UINT64_MAX: it does not fit */
    tn_value_pools at;
} untying;

static tn_value_pools pools_of_values(const planning *p, const tn_plan *plan) {
    tn_arena *scratch = p->c->scratch;
    uint32_t *pool = TN_ARRAY(scratch, uint32_t, p->c->module->n_values);
    bool *dear = TN_ARRAY(scratch, bool, p->c->module->n_values);
    memset(pool, 0xff, p->c->module->n_values * sizeof *pool);
    for (uint32_t i = 0; i < plan->n_values; i++) {
        const tn_plan_value *v = &plan->values[i];
        if (v->storage == TN_NO_ID) {
            continue;
        }
        uint32_t at = plan->storages[v->storage].pool;
        pool[v->module_value] = at;
        for (uint32_t k = 0; k < plan->n_pools; k++) {
            const tn_pool *own = &plan->pools[at], *other = &plan->pools[k];
            dear[v->module_value] |= other->kind == own->kind && other->cost < own->cost;
        }
    }
    return (tn_value_pools){pool, dear};
}

/* Plans with a set of edges, which stays if it costs the least. `at` is where values lie then; its
 * members are NULL where they do not fit. */
static tn_status try_edges(untying *u, const bool *keep, tn_value_pools *at) {
    planning *p = u->p;
    const tn_alias_choice first = p->choice;
    tn_layout_ask quick = p->ask; /* pools are laid out by themselves */
    tn_plan *plan = NULL;
    quick.effort = 0;
    for (uint32_t i = 0; i < u->n_tried; i++) {
        if (memcmp(u->tried[i].keep, keep, first.edges.n * sizeof *keep) == 0) {
            *at = u->tried[i].at;
            return TN_OK;
        }
    }
    *at = (tn_value_pools){NULL, NULL};
    tn_status status = tn_choose_edges(p->c, &quick, &first, keep, &p->choice);
    if (status == TN_OK) {
        status = build(p, true, &plan);
    }
    if (status == TN_OK) {
        *at = pools_of_values(p, plan);
    }
    if (status == TN_OK && plan->report.cost < u->cost) {
        u->best = keep;
        u->cost = plan->report.cost;
        u->at = *at;
    }
    u->tried[u->n_tried++] = (tried_edges){keep, *at};
    tn_plan_drop(plan);
    tn_arena_drop(p->choice.arena);
    p->choice = first;
    return status == TN_NOFIT ? TN_OK : status;
}

/* Takes edges of storages in dear pools away, and puts those back that end up in one pool. */
static tn_status try_untied(untying *u, bool all) {
    const planning *p = u->p;
    tn_value_pools at;
    const bool *keep = tn_edges_untied(&p->choice, u->best, all ? NULL : &u->at, p->c->scratch);
    tn_status status = try_edges(u, keep, &at);
    if (status == TN_OK && at.pool != NULL) {
        keep = tn_edges_joined(&p->choice, keep, &at, p->c->scratch);
        status = try_edges(u, keep, &at);
    }
    return status;
}

static void refuse_untied(planning *p, const bool *before) {
    const tn_alias_edges *e = &p->choice.edges;
    for (uint32_t i = 0; i < e->n; i++) {
        if (before[i] && !p->choice.keep[i]) {
            tn_refuse_edge(p->c, tn_get_liveness(p->c->analyses), &e->at[i], TN_REASON_POOL);
        }
    }
}

/* Whether some value does not lie in the cheapest pool of its kind. */
static bool lies_dear(const planning *p, const tn_value_pools *at) {
    for (uint32_t i = 0; i < p->c->module->n_values; i++) {
        if (at->dear[i]) {
            return true;
        }
    }
    return false;
}

/* Places that are given, and those of an earlier plan, are those of values with the aliases that
 * there are: these stay. */
static tn_status untie(planning *p) {
    const tn_alias_choice first = p->choice;
    untying u = {.p = p, .best = first.keep, .cost = UINT64_MAX};
    tn_value_pools at;
    if (p->c->figures || !tn_places_are_several(&p->want) || first.edges.n == 0 ||
        p->want.places.n_fixes + p->want.places.n_aligns > 0 || p->want.places.based_on != NULL) {
        return TN_OK;
    }
    tn_status status = try_edges(&u, first.keep, &at);
    if (status == TN_OK && (at.pool == NULL || lies_dear(p, &at))) {
        status = try_untied(&u, true);
    }
    uint64_t before = 0;
    for (uint32_t i = 0; i < UNTIE_ROUNDS && u.n_tried > 1 && u.at.pool != NULL &&
                         u.cost != before && status == TN_OK;
         i++) {
        before = u.cost;
        status = try_untied(&u, false);
    }
    if (status == TN_OK) {
        tn_layout_ask quick = p->ask;
        quick.effort = 0;
        status = tn_choose_edges(p->c, &quick, &first, u.best, &p->choice);
        tn_arena_drop(first.arena);
        refuse_untied(p, first.keep);
    }
    return status;
}

static uint32_t effort_of(const tn_pass_ctx *c, uint32_t asked) {
    uint32_t most = c->care == TN_CARE_ALIVE ? 0 : c->care == TN_CARE_QUICK ? 1 : asked;
    return asked < most ? asked : most;
}

static tn_status run(tn_pass_ctx *c) {
    planning p = {.c = c};
    tn_workspaces_reset(c->module);
    const char *algo = tn_pass_text(c, OPT_ALGO);
    int64_t effort = tn_pass_int(c, OPT_EFFORT);
    tn_status status = tn_controls_complete(c->controls, c->module, c->scratch, &p.want);
    if (*c->layouts == NULL) {
        *c->layouts = tn_layout_memory_new(c->kept);
    }
    if (effort < 0 || effort > 3) {
        return tn_error(c->ctx, NULL, "reuse: effort %lld is not in 0..3", (long long)effort),
               TN_USAGE;
    }
    p.ask = (tn_layout_ask){.level = tn_pass_is(c, OPT_LEVEL, "none") ? TN_LEVEL_NONE
                                     : tn_pass_is(c, OPT_LEVEL, "0")  ? TN_LEVEL_0
                                                                      : TN_LEVEL_1,
                            .slots = tn_pass_is(c, OPT_MEMORY, "slots"),
                            .effort = effort_of(c, (uint32_t)effort),
                            .algorithm = algo[0] != '\0' ? algo : NULL,
                            .align = p.want.align,
                            .io_in_arena = p.want.io_in_arena,
                            .memory = *c->layouts};
    const tn_precedence *order = tn_get_precedence(c->analyses);
    if (order->before != NULL) { /* packings are remembered by live ranges alone */
        p.ask.precedence = order;
        p.ask.live = tn_get_liveness(c->analyses);
        p.ask.memory = NULL;
    }
    if (status == TN_OK) {
        status = tn_places_settle(c->ctx, c->module, &p.want);
    }
    if (status == TN_OK) {
        status = tn_choose_aliases(c, &p.ask, &p.choice);
    }
    if (status == TN_OK) {
        status = tn_capacity_search(c->module, tn_get_storages(c->analyses),
                                    tn_get_liveness(c->analyses)->steps->n, &p.ask, p.want.capacity,
                                    p.choice.arena, &p.choice.layout);
    }
    if (status == TN_OK) {
        status = overlap(&p);
    }
    if (status == TN_OK) {
        status = untie(&p);
    }
    tn_plan *plan = NULL;
    if (status == TN_OK) {
        status = build(&p, false, &plan);
    }
    if (status == TN_OK) {
        status = finish(&p, plan);
    }
    tn_arena_drop(p.choice.arena);
    return status;
}

const tn_pass_info tn_pass_reuse = {
    .name = "reuse",
    .summary = "makes the plan: which bytes each value has, from which step to which",
    .needs = TN_PROP_TYPES | TN_PROP_ORDERED | TN_PROP_PINS,
    .sets = TN_PROP_PLANNED,
    .options = options,
    .stats = stats,
    .refusals = TN_REASON_BIT(GROW) | TN_REASON_BIT(POOL),
    .required = true,
    .decides = TN_DECIDES_PLACES,
    .run = run,
};
