#include "lib/planner_t.h"

#include <string.h>

#include "ir/plan/forms.h"
#include "lib/based_on.h"
#include "lib/open/open_capacity.h"
#include "lib/open/open_plan.h"
#include "lib/planner_demand.h"
#include "passes/order/order_memory.h"
#include "passes/reuse/make_plan.h"

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

/* Logs and hooks are of the first plan. */
static tn_status make_open(void *user, tn_module *module, const tn_plan_worth *worth,
                           tn_plan **plan) {
    tn_making *w = user;
    tn_run_settings silent = tn_run_settings_default();
    silent.brief = true;
    silent.worth = worth;
    return tn_making_run(w, module, worth == NULL ? w->settings : &silent, plan);
}

static tn_status judge_open(void *user, tn_module *module, tn_plan *plan) {
    tn_making *w = user;
    tn_order_facts facts = {0};
    tn_plan *none = NULL;
    tn_run_settings settings = tn_run_settings_default();
    settings.is_judgement = true;
    settings.orders = &facts;
    tn_status status = tn_making_run(w, module, &settings, &none);
    tn_plan_state_orders(plan, &facts);
    return status;
}

static tn_status finish_open(void *user, tn_module *module, tn_plan **plan) {
    return tn_making_finish(user, module, plan);
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
    return tn_planner_silently(m->ctx, infer, &(inferring){r, m}, warnings);
}

static uint32_t misfits_open(void *user, tn_module *module) {
    const tn_making *w = user;
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
static tn_status plan_open(tn_making *w, tn_module *module, tn_plan **plan) {
    tn_making_begin(w, module);
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
        tn_making w = {r, arena, &pipeline, settings, based_on, NULL, NULL, false, NULL, {0}};
        w.orders = tn_order_memory_new(arena);
        uint32_t n;
        (void)tn_dims_ranges(module->dims, &n);
        warn_apart(r, module);
        warn_slack(r, module);
        status = (n > 0 ? plan_open : tn_plan_forms)(&w, module, plan);
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
