/* The plan: drops the aliases that do not pay (passes/alias/choose.h), lays every alias class
 * out and writes down who lies where from when to when. */
#include "ir/ops/op_set.h"
#include "passes/core/model_controls.h"
#include "passes/plan/capacity.h"
#include "passes/plan/layout_memory.h"
#include "passes/plan/overlap_layout.h"
#include "passes/plan/places.h"
#include "passes/plan/workspace_ways.h"
#include "passes/reuse/untie_arenas.h"

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

/* Slots and lower levels know no parts of buffers: who asks for both has not said what is wanted.
 */
static tn_status refuse_whole(const tn_planning *p) {
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
static tn_status read_order(tn_planning *p) {
    tn_pass_ctx *c = p->c;
    uint32_t n_open;
    (void)tn_work_order_find(tn_pass_text(c, OPT_OVERLAP), &p->order);
    (void)tn_dims_ranges(c->module->dims, &n_open);
    /* Facts may state an order op by op; which operand dies is known in one order of steps alone.
     */
    const tn_op_set *set = c->module->op_set;
    bool by_facts = set != NULL && set->n_facts > 0 && p->ask.precedence == NULL;
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

/* Several arenas are laid out later (passes/plan/places.c). */
static tn_status overlap(tn_planning *p) {
    tn_status status = read_order(p);
    if (status != TN_OK || tn_places_differ(&p->want)) {
        return status;
    }
    tn_planning_find_pairs(p, p->choice.arena);
    return tn_overlap_layout(p->c->ctx, &p->ask, &p->pairs, NULL, p->choice.arena,
                             &p->choice.layout);
}

/* Keeps the plan, unless it is too large for one arena. */
static tn_status finish(tn_planning *p, tn_plan *plan) {
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

static uint32_t effort_of(const tn_pass_ctx *c, uint32_t asked) {
    uint32_t most = c->care == TN_CARE_ALIVE ? 0 : c->care == TN_CARE_QUICK ? 1 : asked;
    return asked < most ? asked : most;
}

static tn_status run(tn_pass_ctx *c) {
    tn_planning p = {.c = c};
    tn_workspaces_reset(c->module);
    const char *algo = tn_pass_text(c, OPT_ALGO);
    uint32_t n_open;
    (void)tn_dims_ranges(c->module->dims, &n_open);
    int64_t effort = tn_pass_int(c, OPT_EFFORT);
    tn_status status = tn_controls_complete(c->controls, c->module, c->scratch, &p.want);
    if (*c->layouts == NULL) {
        *c->layouts = c->controls->layouts;
        *c->layouts = *c->layouts != NULL ? *c->layouts : tn_layout_memory_new(c->kept);
    }
    if (effort < 0 || effort > 3) {
        return tn_usage(c->ctx, NULL, "reuse: effort %lld is not in 0..3", (long long)effort);
    }
    p.ask = (tn_layout_ask){.level = tn_pass_is(c, OPT_LEVEL, "none") ? TN_LEVEL_NONE
                                     : tn_pass_is(c, OPT_LEVEL, "0")  ? TN_LEVEL_0
                                                                      : TN_LEVEL_1,
                            .slots = tn_pass_is(c, OPT_MEMORY, "slots"),
                            .effort = effort_of(c, (uint32_t)effort),
                            .algorithm = algo[0] != '\0' ? algo : NULL,
                            .align = p.want.align,
                            .io_in_arena = p.want.io_in_arena,
                            .open = n_open > 0,
                            .brief = c->controls->brief || c->care != TN_CARE_FULL,
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
        status = tn_untie_arenas(&p);
    }
    tn_plan *plan = NULL;
    if (status == TN_OK) {
        status = tn_make_plan(&p, false, &plan);
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
