#include "lib/planner_t.h"

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
#include "lib/fuse_plan.h"
#include "lib/op_facts.h"
#include "lib/open/open_capacity.h"
#include "lib/open/open_plan.h"
#include "lib/planner_demand.h"
#include "lib/tile/tile_plan.h"
#include "lib/version.h"
#include "passes/core/model_controls.h"
#include "passes/core/registry.h"
#include "passes/core/rules.h"
#include "passes/fuse/group.h"
#include "passes/plan/workspace_ways.h"
#include "passes/reuse/make_plan.h"
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
    const tn_map *apart;                /* values that no group keeps; NULL: any may be kept */
    struct tn_fuse_memory *fuse_memory; /* NULL: there are no groups */
    bool brief;                         /* searches look at fewer forms */
    tn_sink before;                     /* the module, where a reproducer may be wanted */
} making;

static void begin(making *w, tn_module *module) {
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

static tn_status run(const making *w, tn_module *module, const tn_run_settings *settings,
                     tn_plan **plan) {
    tn_controls controls = tn_request_controls(w->r);
    controls.brief = controls.brief || w->brief;
    controls.places.based_on = w->based_on;
    controls.apart = w->apart;
    controls.fuse_memory = w->fuse_memory;
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
    return tn_tile_check(w->r, module) == TN_OK && tn_plan_check(*plan, module) == TN_OK &&
                   tn_demand_places(w->r, *plan, module->file) == TN_OK
               ? TN_OK
               : refuse(plan, w->settings, w->arena, &w->before, w->pipeline);
}

/* The item of the pipeline that makes groups of tenure's own; NULL: none does. */
static tn_pipeline_item *find_fuse(const tn_pipeline *p) {
    const tn_pass_info *pass = tn_pass_find(NULL, "fuse");
    for (uint32_t i = 0; i < p->len; i++) {
        if (p->items[i].pass == pass && strcmp(p->items[i].values[0], "none") != 0) {
            return &p->items[i];
        }
    }
    return NULL;
}

/* The pipeline, in which no group is made. */
static tn_pipeline without_groups(tn_arena *arena, const tn_pipeline *p) {
    tn_pipeline out = *p;
    out.items = tn_arena_regrow(arena, p->items, p->len, p->len, sizeof *p->items);
    for (tn_pipeline_item *item; (item = find_fuse(&out)) != NULL;) {
        *item = tn_pipeline_default(arena, item->pass);
    }
    return out;
}

/* Without diagnostics, which are on again whatever happens inside; *warnings: how many there would
 * have been. */
static tn_status silently(tn_ctx *ctx, tn_status (*fn)(tn_ctx *ctx, void *arg), void *arg,
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

typedef struct making_again {
    making *w;
    tn_module *m;
    tn_plan **plan;
    const tn_run_settings *settings;
    bool repeats;
} making_again;

static tn_status make_once(tn_ctx *ctx, void *arg) {
    const making_again *a = arg;
    (void)ctx;
    if (a->repeats) { /* what there is to say of the module was said */
        tn_module_take_out_clones(a->m);
        tn_module_take_groups_apart(a->m);
    } else {
        begin(a->w, a->m);
    }
    return run(a->w, a->m, a->settings, a->plan);
}

static tn_status make_fused(void *user, tn_module *m, tn_fuse_form form, tn_plan **plan) {
    making w = *(making *)user;
    tn_ctx *ctx = m->ctx;
    tn_pipeline other = form.groups ? *w.pipeline : without_groups(w.arena, w.pipeline);
    tn_run_settings silent = tn_run_settings_default();
    silent.brief = form.figures;
    if (!form.figures &&
        w.settings != NULL) { /* what is said of the plan is of the one that stays */
        silent.refusals = w.settings->refusals;
        silent.orders = w.settings->orders;
    }
    if (silent.refusals != NULL && form.again) {
        silent.refusals->list.len = 0;
    }
    making_again a = {&w, m, plan, form.again ? &silent : w.settings, form.again};
    w.pipeline = &other;
    w.apart = form.apart;
    w.fuse_memory = form.memory;
    if (!form.again) {
        tn_status status = make_once(ctx, &a);
        ((making *)user)->before = w.before;
        return status;
    }
    uint32_t warnings;
    return silently(ctx, make_once, &a, &warnings);
}

/* By --overlap, or by the order in which kernels' facts say that a kernel works. */
static bool overlaps(const making *w, const tn_module *m) {
    const tn_pass_info *reuse = tn_pass_find(NULL, "reuse");
    bool any = m->op_set != NULL && m->op_set->n_facts > 0;
    for (uint32_t i = 0; i < w->pipeline->len && !any; i++) {
        for (uint32_t k = 0;
             w->pipeline->items[i].pass == reuse && k < tn_opt_count(reuse->options); k++) {
            any = any || (strcmp(reuse->options[k].name, "overlap") == 0 &&
                          strcmp(w->pipeline->items[i].values[k], "none") != 0);
        }
    }
    return any;
}

typedef struct trying {
    making *w;
    tn_module *m;
    const tn_pipeline *pipeline;
    tn_plan *plan;
    bool quick; /* searches look at fewer forms */
} trying;

static tn_status try_once(tn_ctx *ctx, void *arg) {
    trying *t = arg;
    making w = *t->w;
    tn_run_settings silent = tn_run_settings_default();
    (void)ctx;
    silent.brief = true;
    w.brief = t->quick;
    w.pipeline = t->pipeline;
    return run(&w, t->m, &silent, &t->plan);
}

static uint64_t try_stretches(void *user, tn_module *m, const char *stretches, bool quick) {
    making *w = user;
    tn_pipeline p = tn_tile_pipeline(w->arena, w->pipeline, stretches, quick);
    trying t = {w, m, &p, NULL, quick};
    uint32_t warnings;
    tn_status status = silently(m->ctx, try_once, &t, &warnings);
    bool made = t.plan != NULL && (status == TN_OK || status == TN_NOFIT);
    uint64_t bytes = made ? tn_plan_arena_bytes(t.plan) : UINT64_MAX;
    tn_plan_drop(t.plan);
    return bytes;
}

/* The module as the pass `tile` will find it. */
static tn_status run_before(tn_ctx *ctx, void *arg) {
    trying *t = arg;
    tn_run_settings silent = tn_run_settings_default();
    tn_pipeline before = *t->w->pipeline;
    (void)ctx;
    before.len = (uint32_t)(tn_tile_item(t->w->pipeline) - t->w->pipeline->items);
    making w = *t->w;
    w.pipeline = &before;
    return run(&w, t->m, &silent, &t->plan);
}

/* Whether there is nothing that takes longer than a quick plan. */
static bool plans_quickly(const making *w) {
    const tn_pass_info *recompute = tn_pass_find(NULL, "recompute");
    tn_sink quick = tn_sink_make(w->arena), full = tn_sink_make(w->arena);
    tn_pipeline p = tn_tile_pipeline(w->arena, w->pipeline, "", true);
    bool searches = false;
    for (uint32_t i = 0; i < p.len; i++) {
        searches = searches || p.items[i].pass == recompute;
    }
    tn_pipeline_print(&p, &quick);
    tn_pipeline_print(w->pipeline, &full);
    return !searches && strcmp(quick.data, full.data) == 0;
}

/* Looks for stretches that are worth it; *pipeline names them then. */
static tn_status find_stretches(making *w, const tn_module *module, tn_pipeline *pipeline) {
    const tn_pipeline_item *item = tn_tile_item(w->pipeline);
    tn_module *m = tn_module_clone(module);
    trying t = {w, m, NULL, NULL, true};
    uint32_t warnings;
    const tn_tile_wish wish = {item->values[1], item->values[2], w->r->controls.io_in_arena};
    const char *stretches = "";
    const tn_tile_maker maker = {try_stretches, w, plans_quickly(w)};
    tn_status status = silently(m->ctx, run_before, &t, &warnings);
    status = status != TN_OK ? TN_OK /* the run says why */
                             : tn_tile_plan(m, w->arena, &wish, maker, &stretches);
    tn_plan_drop(t.plan);
    tn_module_drop(m);
    *pipeline = tn_tile_pipeline(w->arena, w->pipeline, stretches, false);
    return status;
}

/* Whether passes before `fuse` add to the module: then a plan of it cannot be taken back. */
static bool grows(const making *w) {
    const tn_pass_info *infer = tn_pass_find(NULL, "infer-shapes");
    bool any = false;
    for (const tn_pipeline_item *i = w->pipeline->items; i < find_fuse(w->pipeline); i++) {
        any = any || i->pass != infer;
    }
    return any;
}

static tn_status plan_bound(making *w, tn_module *module, tn_plan **plan) {
    tn_status status = TN_OK;
    if (tn_tile_item(w->pipeline) != NULL) {
        tn_pipeline *tiled = TN_NEW(w->arena, tn_pipeline);
        status = find_stretches(w, module, tiled);
        w->pipeline = tiled;
    }
    if (status != TN_OK) {
        return status;
    }
    if (find_fuse(w->pipeline) != NULL) {
        const tn_fuse_maker maker = {make_fused, w, grows(w), overlaps(w, module)};
        status = tn_fuse_plan(module, maker, plan);
    } else {
        begin(w, module);
        status = run(w, module, w->settings, plan);
    }
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

tn_status tn_planner_text(const tn_request *r, tn_module *module, const char *text) {
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
    return tn_planner_text(i->r, i->m, "infer-shapes");
}

tn_status tn_planner_infer(const tn_request *r, tn_module *m, uint32_t *warnings) {
    return silently(m->ctx, infer, &(inferring){r, m}, warnings);
}

static uint32_t misfits_open(void *user, tn_module *module) {
    const making *w = user;
    uint32_t warnings;
    return tn_planner_infer(w->r, module, &warnings) == TN_OK ? warnings : UINT32_MAX;
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
                        "dimension '%s' is planned from %lld on: below that a tensor would have a "
                        "negative extent",
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
    tn_status status = tn_planner_text(w->r, module, "infer-shapes");
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
        making w = {r, arena, &pipeline, settings, based_on, NULL, NULL, false, {0}};
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
