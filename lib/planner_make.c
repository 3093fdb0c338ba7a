/* One run of a pipeline that makes a plan: before it, and what becomes of the plan. */
#include <string.h>

#include "ir/check/check.h"
#include "ir/mutate.h"
#include "ir/plan/plan_digest.h"
#include "ir/text/text.h"
#include "lib/demand_places.h"
#include "lib/op_facts.h"
#include "lib/planner_t.h"
#include "lib/tile/tile_plan.h"
#include "lib/version.h"
#include "passes/core/model_controls.h"
#include "passes/core/rules.h"
#include "passes/fuse/group.h"
#include "passes/tile/rewrite.h"

static const char *own(tn_plan *p, const char *text) {
    return tn_arena_strndup(p->arena, text, strlen(text));
}

static void stamp_facts(tn_plan *p, const tn_module *m) {
    uint32_t n = m->op_set != NULL ? m->op_set->digests.len : 0;
    const char **facts = TN_ARRAY(p->arena, const char *, n);
    for (uint32_t i = 0; i < n; i++) {
        facts[i] = own(p, m->op_set->digests.data[i]);
    }
    p->facts = facts;
    p->n_facts = n;
}

tn_plan_dim *tn_planner_dims(tn_arena *arena, const tn_request *r, const tn_module *m,
                             uint32_t *n) {
    tn_plan_dim *dims = TN_ARRAY(arena, tn_plan_dim, r->dims.len);
    *n = 0;
    for (uint32_t i = 0; i < r->dims.len; i++) {
        const tn_dim_binding *d = &r->dims.data[i];
        int64_t extent = d->value;
        bool number = !d->open && (!d->optional || tn_dims_bound(m->dims, d->name, &extent));
        if (d->is != NULL) {
            number = tn_dims_related(m->dims, d->name) &&
                     tn_dim_is_const(m->dims, tn_dim_sym(m->dims, d->name), &extent);
        }
        if (number) {
            const char *name = tn_arena_strndup(arena, d->name, strlen(d->name));
            dims[(*n)++] = (tn_plan_dim){name, extent};
        }
    }
    return dims;
}

/* Where the plan comes from. No path and no time: equal requests give equal bytes. */
static void stamp(tn_plan *p, const tn_request *r, const tn_module *m,
                  const tn_pipeline *pipeline) {
    tn_sink text = tn_sink_make(p->arena);
    tn_pipeline_print(pipeline, &text);
    p->pipeline = text.data;
    p->model = own(p, m->name);
    p->digest = TN_KEEP(SOURCE, tn_plan_digest(m, p->arena), "");
    p->version = own(p, tn_version_text());
    tn_pairs given = tn_request_settled(r, r->arena);
    tn_pair *options = TN_ARRAY(p->arena, tn_pair, given.len);
    for (uint32_t i = 0; i < given.len; i++) {
        const char *key = given.data[i].key;
        if (strcmp(key, "op-facts") != 0 && strcmp(key, "based-on") != 0) {
            options[p->n_options++] =
                (tn_pair){own(p, given.data[i].key), own(p, given.data[i].value)};
        }
    }
    p->options = options;
    stamp_facts(p, m);
    p->dims = tn_planner_dims(p->arena, r, m, &p->n_dims);
}

/* A plan the checker refuses is our mistake: it is dropped, and a reproducer is written if the
 * settings ask for one. */
static tn_status refuse(tn_plan **plan, const tn_run_settings *settings, tn_arena *arena,
                        const tn_sink *before, const tn_pipeline *p) {
    tn_error_of((*plan)->ctx, TN_INTERNAL, NULL,
                "internal error: the checker refuses the plan; nothing is written");
    if (before->data != NULL) {
        tn_reproducer_send(settings, arena, before->data, before->len, "makes a wrong plan", p, 0);
    }
    tn_plan_drop(*plan);
    *plan = NULL;
    return TN_INTERNAL;
}

void tn_making_begin(tn_making *w, tn_module *module) {
    tn_module_take_out_clones(module);
    tn_module_take_groups_apart(module);
    tn_module_untile(module);
    tn_controls controls = tn_request_controls(w->r);
    tn_controls_warn(&controls, module);
    tn_op_facts_warn(module);
    if (w->settings != NULL && w->settings->reproducer.fn != NULL) {
        w->before = tn_sink_make(w->arena);
        tn_module_print(module, &w->before);
    }
}

tn_status tn_making_run(const tn_making *w, tn_module *module, const tn_run_settings *settings,
                        tn_plan **plan) {
    tn_controls controls = tn_request_controls(w->r);
    controls.brief = controls.brief || w->brief;
    controls.places.based_on = w->based_on;
    controls.apart = w->apart;
    controls.fuse_memory = w->fuse_memory;
    controls.orders = controls.orders != NULL ? controls.orders : w->orders;
    tn_status status = tn_run_pipeline(module->ctx, module, w->pipeline, &controls, plan, settings);
    if (status != TN_OK && status != TN_NOFIT) {
        tn_plan_drop(*plan);
        *plan = NULL;
    }
    return status;
}

tn_status tn_making_finish(tn_making *w, tn_module *module, tn_plan **plan) {
    tn_controls controls = tn_request_controls(w->r);
    if ((*plan)->report.n_backward_ops == 0 && (*plan)->report.n_backward_values == 0) {
        tn_controls_warn_forward(&controls, module);
    }
    stamp(*plan, w->r, module, w->pipeline);
    return tn_tile_check(w->r, module) == TN_OK && tn_plan_check(*plan, module) == TN_OK &&
                   tn_demand_places(w->r, *plan, module->file) == TN_OK
               ? TN_OK
               : refuse(plan, w->settings, w->arena, &w->before, w->pipeline);
}

tn_status tn_planner_silently(tn_ctx *ctx, tn_status (*fn)(tn_ctx *ctx, void *arg), void *arg,
                              uint32_t *warnings) {
    tn_diag_handler on_diag = ctx->on_diag;
    uint32_t n_errors = ctx->n_errors, n_warnings = ctx->n_warnings;
    ctx->on_diag = NULL;
    tn_status status = tn_guard_run(ctx, fn, arg);
    ctx->on_diag = on_diag;
    *warnings = ctx->n_warnings - n_warnings;
    ctx->n_errors = n_errors;
    ctx->n_warnings = n_warnings;
    if (tn_status_ends_all(status)) {
        tn_raise(ctx, status);
    }
    return status;
}
