#include "passes/reuse/make_plan.h"

#include <string.h>

#include "ir/ops/flops.h"
#include "passes/plan/places.h"
#include "passes/plan/plan_build.h"
#include "passes/plan/workspace_ways.h"

void tn_planning_find_pairs(tn_planning *p, tn_arena *arena) {
    tn_pass_ctx *c = p->c;
    p->pairs = (tn_overlap_pairs){0};
    if (p->inside) {
        p->pairs = tn_find_overlap_pairs(c->module, tn_get_storages(c->analyses),
                                         tn_get_liveness(c->analyses), p->choice.layout.in_arena,
                                         p->order, arena);
    }
}

/* What was found out about other orders before the aliases were decided. Sharing gradients changes
 * nothing: they could lie where they do without. Views of parts may have been given up for good
 * reason: then nothing is claimed.
 */
void tn_plan_state_orders(tn_plan *plan, const tn_order_facts *facts) {
    tn_plan_report *r = &plan->report;
    r->serial = facts->serial;
    if (!plan->has_orders) {
        return;
    }
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
    tn_build_by_data(b);
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

tn_status tn_make_plan(tn_planning *p, bool trial, tn_plan **made) {
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
                  .worth = c->worth,
                  .p = plan};
    plan->concurrency = c->module->concurrency.kind;
    plan->n_queues = c->module->concurrency.n_queues;
    plan->model = tn_arena_strndup(plan->arena, c->module->name, strlen(c->module->name));
    tn_build_storages(&b);
    if (!c->figures && tn_places_differ(&p->want)) {
        tn_planning_find_pairs(p, c->scratch);
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
    plan->has_orders = p->pairs.n == 0 && !p->want.channels_last && p->want.layout_of.len == 0 &&
                       b.layout == &p->choice.layout;
    tn_plan_state_orders(plan, c->order);
    state_clones(c, plan);
    plan->report.saved_by_sharing = p->choice.saved_by_sharing;
    *made = plan;
    return TN_OK;
}
