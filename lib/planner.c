#include "lib/planner.h"

#include <string.h>

#include "ir/base/diag.h"
#include "ir/check/check.h"
#include "ir/mutate.h"
#include "ir/ops/op_set.h"
#include "ir/plan/forms.h"
#include "ir/plan/plan_clones.h"
#include "ir/plan/plan_digest.h"
#include "ir/text/text.h"
#include "lib/based_on.h"
#include "lib/demand_places.h"
#include "lib/op_facts.h"
#include "lib/open/open_capacity.h"
#include "lib/open/open_plan.h"
#include "lib/planner_demand.h"
#include "lib/version.h"
#include "passes/core/model_controls.h"
#include "passes/core/rules.h"
#include "passes/fuse/group.h"
#include "passes/plan/workspace_ways.h"
#include "passes/reuse/make_plan.h"

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

/* The dimensions that were set to numbers, *n of them. */
static tn_plan_dim *bound_dims(tn_arena *arena, const tn_request *r, const tn_module *m,
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
    p->dims = bound_dims(p->arena, r, m, &p->n_dims);
}

static tn_status check_capacity(const tn_plan *p, const char *file) {
    tn_loc loc = tn_loc_file(file);
    if (p->n_ranges > 0) { /* there is one arena */
        return tn_open_keeps_capacity(p, &loc, p->pools[0].capacity);
    }
    for (uint32_t i = 0; i < p->n_pools; i++) {
        const tn_pool *pool = &p->pools[i];
        if (pool->capacity != 0 && pool->size > pool->capacity) {
            return tn_error_of(p->ctx, TN_NOFIT, &loc,
                               "pool '%s' needs %llu bytes, more than its capacity of %llu",
                               pool->name, (unsigned long long)pool->size,
                               (unsigned long long)pool->capacity);
        }
    }
    return TN_OK;
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

/* One planning: what it is to be made with. */
typedef struct making {
    const tn_request *r;
    tn_arena *arena;
    const tn_pipeline *pipeline;
    const tn_run_settings *settings;
    const tn_plan *based_on;
    tn_sink before; /* the module, where a reproducer may be wanted */
} making;

static void begin(making *w, tn_module *module) {
    tn_module_take_out_clones(module);
    tn_module_take_groups_apart(module);
    tn_controls controls = tn_request_controls(w->r);
    tn_controls_warn(&controls, module);
    tn_op_facts_warn(module);
    if (w->settings != NULL && w->settings->reproducer.fn != NULL) {
        w->before = tn_sink_make(w->arena);
        tn_module_print(module, &w->before);
    }
}

static tn_status run(const making *w, tn_module *module, const tn_run_settings *settings,
                     tn_plan **plan) {
    tn_controls controls = tn_request_controls(w->r);
    controls.places.based_on = w->based_on;
    tn_status status = tn_run_pipeline(module->ctx, module, w->pipeline, &controls, plan, settings);
    if (status != TN_OK && status != TN_NOFIT) {
        tn_plan_drop(*plan);
        *plan = NULL;
    }
    return status;
}

static tn_status finish(making *w, tn_module *module, tn_plan **plan) {
    tn_controls controls = tn_request_controls(w->r);
    if ((*plan)->report.n_backward_ops == 0 && (*plan)->report.n_backward_values == 0) {
        tn_controls_warn_forward(&controls, module);
    }
    stamp(*plan, w->r, module, w->pipeline);
    return tn_plan_check(*plan, module) == TN_OK &&
                   tn_demand_places(w->r, *plan, module->file) == TN_OK
               ? TN_OK
               : refuse(plan, w->settings, w->arena, &w->before, w->pipeline);
}

static tn_status plan_bound(making *w, tn_module *module, tn_plan **plan) {
    begin(w, module);
    tn_status status = run(w, module, w->settings, plan);
    tn_status checked = *plan != NULL ? finish(w, module, plan) : TN_OK;
    return checked != TN_OK ? checked : status;
}

/* Logs and hooks are of the first plan. */
static tn_status make_open(void *user, tn_module *module, const tn_plan_worth *worth,
                           tn_plan **plan) {
    making *w = user;
    tn_run_settings silent = tn_run_settings_default();
    silent.brief = true;
    silent.worth = worth;
    return run(w, module, worth == NULL ? w->settings : &silent, plan);
}

static tn_status judge_open(void *user, tn_module *module, tn_plan *plan) {
    making *w = user;
    tn_order_facts facts = {0};
    tn_plan *none = NULL;
    tn_run_settings settings = tn_run_settings_default();
    settings.is_judgement = true;
    settings.orders = &facts;
    tn_status status = run(w, module, &settings, &none);
    tn_plan_state_orders(plan, &facts);
    return status;
}

static tn_status finish_open(void *user, tn_module *module, tn_plan **plan) {
    return finish(user, module, plan);
}

static tn_status run_text(const tn_request *r, tn_module *module, const char *text) {
    tn_pipeline p;
    tn_controls controls = tn_request_controls(r);
    tn_plan *none = NULL;
    tn_status status = tn_pipeline_parse(r->arena, "types", text, &p);
    return status == TN_OK ? tn_run_pipeline(module->ctx, module, &p, &controls, &none, NULL)
                           : status;
}

typedef struct inferring {
    const tn_request *r;
    tn_module *m;
} inferring;

static tn_status infer(tn_ctx *ctx, void *arg) {
    inferring *i = arg;
    (void)ctx;
    return run_text(i->r, i->m, "infer-shapes");
}

/* *warnings: how many there would have been. Diagnostics are on again whatever happens inside. */
static tn_status infer_silently(const tn_request *r, tn_module *m, uint32_t *warnings) {
    tn_ctx *ctx = m->ctx;
    tn_diag_handler on_diag = ctx->on_diag;
    uint32_t n_errors = ctx->n_errors, n_warnings = ctx->n_warnings;
    ctx->on_diag = NULL;
    tn_status status = tn_guard_run(ctx, infer, &(inferring){r, m});
    ctx->on_diag = on_diag;
    *warnings = ctx->n_warnings - n_warnings;
    ctx->n_errors = n_errors;
    ctx->n_warnings = n_warnings;
    if (tn_status_ends_all(status)) {
        tn_raise(ctx, status);
    }
    return status;
}

static uint32_t misfits_open(void *user, tn_module *module) {
    const making *w = user;
    uint32_t warnings;
    return infer_silently(w->r, module, &warnings) == TN_OK ? warnings : UINT32_MAX;
}

/* Ranges begin where every tensor has a size; says so of those that were asked for. */
static void raise_ranges(const tn_request *r, tn_module *m) {
    uint32_t n;
    const tn_dim_range *open = tn_dims_ranges(m->dims, &n);
    const tn_dim_range *asked = tn_arena_regrow(r->arena, open, n, n, sizeof *open);
    tn_open_raise(m);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; open[i].min > asked[i].min && k < r->dims.len; k++) {
            const tn_dim_binding *d = &r->dims.data[k];
            if (d->open && d->value < open[i].min && strcmp(open[i].name, d->name) == 0) {
                tn_loc loc = tn_loc_file(m->file);
                tn_warn(m->ctx, &loc,
                        "dimension '%s' is planned from %lld on, as below that a tensor would have "
                        "an extent below 0",
                        d->name, (long long)open[i].min);
            }
        }
    }
}

/* Extents that are in the range, and that no run can have. */
static void warn_assumed(const tn_request *r, tn_module *m) {
    enum { MAX_SAID = 3 };
    uint32_t n, said = 0;
    const tn_dim_assumed *all = tn_dims_all_assumed(m->dims, &n);
    for (uint32_t i = 0; i < n; i++) {
        int64_t number;
        const tn_dim_assumed *a = &all[i];
        if (tn_dim_is_const(m->dims, a->extent, &number) || tn_dim_by_data(m->dims, a->extent) ||
            said++ >= MAX_SAID) {
            continue;
        }
        tn_sink text = tn_sink_make(r->arena);
        tn_dim_print(m->dims, a->extent, &text);
        tn_warn(m->ctx, a->loc,
                "broadcasts an extent of %lld with one of %s: the plan is right for all extents, "
                "but the model runs only where that is 1 or %lld",
                (long long)a->number, text.data, (long long)a->number);
    }
    if (said > MAX_SAID) {
        tn_loc loc = tn_loc_file(m->file);
        tn_note(m->ctx, &loc, "%u more extents have to be what they are broadcast with",
                said - MAX_SAID);
    }
}

/* Points are chosen by the sizes of tensors, so types come first. */
static tn_status plan_open(making *w, tn_module *module, tn_plan **plan) {
    begin(w, module);
    tn_status status = run_text(w->r, module, "infer-shapes");
    if (status != TN_OK) {
        return status;
    }
    warn_assumed(w->r, module);
    raise_ranges(w->r, module);
    tn_open_prune(module, NULL);
    return tn_open_plan(module,
                        (tn_open_maker){make_open, judge_open, finish_open, misfits_open, w}, plan);
}

static void mark_interrupted(tn_plan *p) {
    p->report.interrupted = true;
    for (uint32_t i = 0; p->set != NULL && i < p->set->n_programs; i++) {
        const tn_plan_program *program = &p->set->programs[i];
        for (uint32_t k = 0; k < program->n_variants; k++) {
            program->variants[k]->report.interrupted = true;
        }
    }
}

void tn_keep_best_begin(tn_ctx *ctx, const tn_run_settings *settings) {
    ctx->patience = settings->keep_best ? 1 : 0;
}

tn_status tn_keep_best_end(tn_ctx *ctx, tn_plan *plan, tn_status status) {
    bool wanted = ctx->patience > 0 && tn_cut_short(ctx);
    ctx->patience = 0;
    if (!wanted || (status != TN_OK && status != TN_NOFIT)) {
        return status;
    }
    atomic_store(&ctx->cancelled, 0);
    if (plan == NULL) {
        return status;
    }
    mark_interrupted(plan);
    tn_warn(ctx, NULL,
            "interrupted: the plan is the best one found until then, and another run may make "
            "another one");
    return status == TN_OK ? TN_INTERRUPTED : status;
}

tn_status tn_no_plan(tn_ctx *ctx) {
    return tn_usage(ctx, NULL, "the pipeline makes no plan; it lacks the pass 'reuse'");
}

static void warn_slack(const tn_request *r, const tn_module *m) {
    tn_loc loc = tn_loc_file(m->file);
    if (r->based_slack != NULL && r->based_on == NULL) {
        tn_warn(m->ctx, &loc, "based-on-slack=%s changes nothing without based-on", r->based_slack);
    }
}

/* Says why no result will begin inside an operand, although that is asked for. */
static void warn_apart(const tn_request *r, const tn_module *m) {
    uint32_t n_open;
    const tn_dim_range *open = tn_dims_ranges(m->dims, &n_open);
    tn_loc loc = tn_loc_file(m->file);
    if (r->overlap != NULL && strcmp(r->overlap, "none") != 0 && n_open > 0) {
        tn_warn(m->ctx, &loc,
                "overlap=%s changes nothing: dimension '%s' is open, and distances between results "
                "and operands are known for numbers alone; bind it with --dim, to one extent or "
                "to a list of them",
                r->overlap, open[0].name);
    }
}

tn_status tn_planner_run(const tn_request *r, tn_module *module, const tn_run_settings *settings,
                         tn_plan **plan) {
    tn_arena *arena = tn_arena_new(module->ctx);
    tn_pipeline written, pipeline;
    tn_plan *based_on = NULL;
    *plan = NULL;
    tn_status status = tn_request_pipeline(r, arena, &written);
    if (status == TN_OK) {
        status = tn_pipeline_complete(arena, &written, &pipeline);
    }
    if (status == TN_OK) {
        status = tn_based_on_read(r, &based_on);
    }
    if (status == TN_OK) {
        making w = {r, arena, &pipeline, settings, based_on, {0}};
        uint32_t n;
        (void)tn_dims_ranges(module->dims, &n);
        warn_apart(r, module);
        warn_slack(r, module);
        status = (n > 0 ? plan_open : plan_bound)(&w, module, plan);
    }
    tn_plan_drop(based_on);
    tn_arena_drop(arena);
    if (status == TN_OK && *plan != NULL) {
        status = check_capacity(*plan, module->file);
    }
    return status == TN_OK && *plan != NULL && r->strict ? tn_demand_strict(*plan) : status;
}

/* Whether the request that made the plan had --partial: the last word counts. */
static bool allows_partial(const tn_plan *p) {
    bool allowed = false;
    for (uint32_t i = 0; i < p->n_options; i++) {
        if (strcmp(p->options[i].key, "partial") == 0) {
            allowed = strcmp(p->options[i].value, "true") == 0;
        }
    }
    return allowed;
}

void tn_plan_warn(const tn_plan *plan, const char *file) {
    tn_arena *arena = tn_arena_new(plan->ctx);
    tn_sink text = tn_sink_make(arena);
    tn_loc loc = tn_loc_file(file);
    if (!tn_plan_is_whole(plan)) {
        tn_plan_put_left_out(plan, &text);
        tn_warn(plan->ctx, &loc, "%s", text.data);
    }
    tn_arena_drop(arena);
}

tn_status tn_plan_may_leave(const tn_plan *plan, const char *file) {
    if (!plan->partial || allows_partial(plan)) {
        tn_plan_warn(plan, file);
        return TN_OK;
    }
    tn_arena *arena = tn_arena_new(plan->ctx);
    tn_sink text = tn_sink_make(arena);
    tn_loc loc = tn_loc_file(file);
    tn_plan_put_left_out(plan, &text);
    tn_put(&text, "; ");
    tn_plan_put_ways_out(plan, "plan what can be planned with --partial", &text);
    tn_error(plan->ctx, &loc, "%s", text.data);
    tn_arena_drop(arena);
    return TN_ERROR;
}

const tn_backend *tn_planner_backend(tn_arena *arena, const char *name) {
    const tn_backend *b = tn_backend_find(tn_arena_ctx(arena), name);
    if (b != NULL) {
        return b;
    }
    uint32_t n;
    const tn_backend *const *all = tn_backend_all(tn_arena_ctx(arena), &n);
    const char **names = TN_ARRAY(arena, const char *, n);
    for (uint32_t i = 0; i < n; i++) {
        names[i] = all[i]->name;
    }
    const char *near = tn_nearest(name, names, n);
    tn_error(tn_arena_ctx(arena), NULL, "unknown backend '%s'%s", name,
             tn_did_you_mean(arena, near));
    return NULL;
}

/* Of several ways to do the work of an op the plan may have chosen any. */
static void adopt_workspaces(tn_arena *arena, tn_module *m, const tn_plan *plan) {
    tn_map bytes = tn_map_make(arena); /* by graph and name */
    for (uint32_t i = 0; m->op_set != NULL && i < plan->n_values; i++) {
        const tn_plan_value *v = &plan->values[i];
        if (v->role == TN_ROLE_WORKSPACE) {
            uint64_t graph = tn_str_id(tn_intern(m->ctx, v->graph));
            tn_map_put(&bytes, graph << 32 | tn_str_id(tn_intern(m->ctx, v->name)), v->bytes);
        }
    }
    for (uint32_t i = 0; i < m->n_values && bytes.len > 0; i++) {
        tn_value *w = m->values[i];
        uint64_t key = (uint64_t)tn_str_id(w->graph->path) << 32 | tn_str_id(w->name), found;
        if ((w->flags & TN_VF_WORKSPACE) && tn_map_get(&bytes, key, &found)) {
            tn_workspace_choose(w, found);
        }
    }
}

/* The first variant is for whatever the model leaves open, so that there is one for any extents. */
static tn_status check_ranges(const tn_module *m, const tn_plan *p) {
    uint32_t n;
    const tn_dim_range *open = tn_dims_ranges(m->dims, &n);
    tn_loc loc = tn_loc_file(m->file);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = tn_plan_range_named(p, open[i].name);
        if (k != TN_NO_ID && (p->ranges[k].min > open[i].min || p->ranges[k].max < open[i].max)) {
            return tn_error(m->ctx, &loc,
                            "the first variant of the plan is not for every extent of '%s'",
                            open[i].name);
        }
    }
    return TN_OK;
}

/* Extents that the model cannot run with, as a tensor would have an extent below 0. The module's
 * types are inferred. */
static tn_status check_runs(tn_module *inferred, const tn_plan *p) {
    uint32_t n;
    tn_loc loc = tn_loc_file(inferred->file);
    tn_open_adopt(inferred, p);
    tn_open_raise(inferred);
    const tn_dim_range *open = tn_dims_ranges(inferred->dims, &n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = tn_plan_range_named(p, open[i].name);
        if (k != TN_NO_ID && p->ranges[k].min < open[i].min) {
            return tn_error(
                inferred->ctx, &loc,
                "the plan is for '%s' from %lld on, but the model runs from %lld on only",
                open[i].name, (long long)p->ranges[k].min, (long long)open[i].min);
        }
    }
    return TN_OK;
}

/* A variant is for some of the extents that the first one is for. */
static tn_status check_narrower(const tn_module *m, const tn_plan *p, const tn_plan *whole) {
    tn_loc loc = tn_loc_file(m->file);
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        const tn_plan_range *r = &p->ranges[i];
        uint32_t k = tn_plan_range_named(whole, r->name);
        if (k != TN_NO_ID && (r->min < whole->ranges[k].min || r->max > whole->ranges[k].max)) {
            return tn_error(m->ctx, &loc,
                            "a variant of the plan is for extents of '%s' that the first one is "
                            "not for",
                            r->name);
        }
    }
    return TN_OK;
}

/* Which extents no run can have is known once there are types. */
static tn_status check_first(const tn_request *r, const tn_module *m, const tn_plan *p) {
    if (p->n_ranges == 0) {
        return TN_OK;
    }
    uint32_t warnings;
    tn_module *inferred = tn_module_clone(m);
    tn_status status = infer_silently(r, inferred, &warnings);
    if (status == TN_OK) {
        tn_open_raise(inferred);
        status = check_ranges(inferred, p);
    }
    if (status == TN_OK) {
        status = check_runs(inferred, p);
    }
    tn_module_drop(inferred);
    return status;
}

/* Which extents a plan is for is told by what it says of them: variants are chosen by that. */
static tn_status demand_binding(const tn_request *r, const tn_module *m, const tn_plan *plan) {
    uint32_t n;
    const tn_plan_dim *dims = bound_dims(r->arena, r, m, &n);
    tn_loc loc = tn_loc_file(m->file);
    for (uint32_t i = 0; i < n || i < plan->n_dims; i++) {
        const tn_plan_dim *said = i < plan->n_dims ? &plan->dims[i] : NULL;
        const tn_plan_dim *is = i < n ? &dims[i] : NULL;
        if (said == NULL || is == NULL || strcmp(said->name, is->name) != 0 ||
            said->value != is->value) {
            const tn_plan_dim *one = said != NULL ? said : is;
            return tn_error(m->ctx, &loc,
                            "the plan %s '%s' to %lld, which is not what its options bind",
                            said != NULL ? "says it binds" : "does not say that it binds",
                            one->name, (long long)one->value);
        }
    }
    return TN_OK;
}

tn_status tn_planner_check(tn_request *r, tn_module *module, const tn_plan *plan) {
    const tn_plan_program *program = tn_plan_program_of(plan);
    bool first = program == NULL || program->variants[0] == plan;
    if (first && check_first(r, module, plan) != TN_OK) {
        return TN_ERROR;
    }
    uint32_t warnings; /* what holds for all extents is known of a variant for some, too */
    if (!first && (check_narrower(module, plan, program->variants[0]) != TN_OK ||
                   infer_silently(r, module, &warnings) != TN_OK)) {
        return TN_ERROR;
    }
    tn_open_adopt(module, plan);
    tn_module_take_out_clones(module);
    tn_module_take_groups_apart(module);
    uint32_t n_open; /* a name that no type has is none to `pin` */
    (void)tn_dims_ranges(module->dims, &n_open);
    bool open = n_open > 0;
    tn_status status = run_text(r, module, open ? "infer-shapes" : "infer-shapes,fuse");
    if (status == TN_OK) {
        tn_open_prune(module, first ? NULL : plan);
        status = open ? run_text(r, module, "fuse") : TN_OK;
    }
    if (status == TN_OK && !tn_plan_groups_adopt(plan, module)) {
        status = TN_ERROR;
    }
    if (status == TN_OK) {
        status = run_text(r, module, "workspace,pin");
    }
    if (status == TN_OK && !tn_plan_clones_adopt(plan, module)) {
        status = TN_ERROR;
    }
    if (status == TN_OK) {
        adopt_workspaces(r->arena, module, plan);
    }
    if (status == TN_OK) {
        status = tn_plan_check(plan, module);
    }
    if (status == TN_OK) {
        status = demand_binding(r, module, plan);
    }
    return status == TN_OK ? tn_demand_places(r, plan, module->file) : status;
}
