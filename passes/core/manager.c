#include "passes/core/manager.h"

#include <string.h>

#include "passes/core/candidates.h"
#include "passes/core/registry.h"
#include "passes/core/side_by_side.h"

typedef struct run {
    tn_arena *arena; /* lives as long as the run */
    tn_pipeline pipeline;
    tn_hooks hooks;
    tn_pass_ctx c;
    tn_order_facts order;
    tn_clone_facts clones;
    struct tn_layout_memory *layouts;
} run;

/* One pass behind a boundary of its own, so that hooks see how it ended. */
typedef struct guarded {
    tn_pass_ctx *c;
    const tn_pass_info *pass;
    bool returned;
} guarded;

static tn_status call_pass(tn_ctx *ctx, void *arg) {
    guarded *g = arg;
    tn_progress(ctx, g->pass->name);
    tn_status status = g->pass->run(g->c);
    if (status == TN_OK && g->pass->propose != NULL) {
        tn_try_candidates(g->c);
    }
    g->returned = true;
    return status;
}

static tn_status run_pass(run *r, uint32_t index) {
    const tn_pipeline_item *item = &r->pipeline.items[index];
    tn_pass_ctx *c = &r->c;
    tn_run_at at = {.ctx = c->ctx,
                    .module = c->module,
                    .plan = *c->plan,
                    .pipeline = &r->pipeline,
                    .index = index,
                    .pass = item->pass,
                    .arena = r->arena};
    c->stats = TN_ARRAY(r->arena, uint64_t, tn_pass_n_stats(item->pass));
    c->refused = TN_ARRAY(r->arena, uint64_t, TN_REASON_COUNT);
    c->opt_values = item->values;
    c->pass = item->pass;
    c->index = index;
    at.stats = c->stats;
    at.refused = c->refused;
    if (!tn_hooks_before(&r->hooks, &at)) {
        return TN_OK;
    }
    c->scratch = tn_arena_new(c->ctx);
    guarded g = {.c = c, .pass = item->pass};
    at.status = tn_guard_run(c->ctx, call_pass, &g);
    at.raised = !g.returned;
    at.plan = g.returned ? *c->plan : NULL;
    tn_arena_drop(c->scratch);
    tn_status status = tn_hooks_after(&r->hooks, &at);
    if (at.raised) {
        tn_reraise(c->ctx, status);
    }
    return status;
}

tn_status tn_run_pipeline(tn_ctx *ctx, tn_module *module, const tn_pipeline *p,
                          const tn_controls *controls, tn_plan **plan,
                          const tn_run_settings *settings) {
    const tn_run_settings none = tn_run_settings_default();
    run r = {.arena = tn_arena_new(ctx)};
    tn_status status = tn_pipeline_complete(r.arena, p, &r.pipeline);
    if (status != TN_OK) {
        tn_arena_drop(r.arena);
        return status;
    }
    settings = settings != NULL ? settings : &none;
    tn_hooks_make(r.arena, settings, &r.hooks);
    r.c = (tn_pass_ctx){.ctx = ctx,
                        .module = module,
                        .analyses = tn_analyses_new(module),
                        .controls = controls,
                        .pipeline = &r.pipeline,
                        .order = &r.order,
                        .clones = &r.clones,
                        .kept = r.arena,
                        .layouts = &r.layouts,
                        .plan = plan,
                        .brief = settings->brief,
                        .worth = settings->worth,
                        .most = UINT64_MAX,
                        .refusals = settings->refusals,
                        .log = settings->log};
    status = tn_concurrency_apply(module, controls, r.arena);
    for (uint32_t i = 0; i < r.pipeline.len && status == TN_OK; i++) {
        if (settings->is_judgement && (r.pipeline.items[i].pass->sets & TN_PROP_PLANNED)) {
            break;
        }
        status = run_pass(&r, i);
    }
    if (settings->orders != NULL) {
        *settings->orders = r.order;
    }
    tn_concurrency_end(module);
    tn_hooks_end(&r.hooks, ctx);
    tn_analyses_drop(r.c.analyses);
    tn_arena_drop(r.arena);
    return status;
}
