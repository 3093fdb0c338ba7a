#include "lib/advice/trials.h"

#include <string.h>

#include "ir/build.h"
#include "ir/ops/flops.h"
#include "ir/plan/plan_extents.h"
#include "ir/plan/plan_names.h"
#include "lib/tile/tile_plan.h"
#include "passes/order/order_memory.h"
#include "passes/plan/layout_memory.h"

/* What a search costs, in plans. In a graph with parts the one for what to compute once more looks
 * at ops by the thousand, most of which are alike. */
enum { PLANS_OF_SEARCH = 100, PLANS_AMONG_PARTS = 10000 };
/* Nodes of 200 buffers that searches for packings share: some seconds. */
enum { ALL_SEARCHES = 2000000 };

/* ---- what a plan comes to ---- */

static const char *step_text(tn_arena *arena, const tn_plan *p, uint32_t step) {
    tn_sink text = tn_sink_make(arena);
    tn_put_step(&text, p, step);
    return text.data;
}

tn_outcome tn_outcome_of(tn_arena *arena, const tn_plan *p) {
    tn_outcome o = {.ram = p->report.ram,
                    .constants = p->report.const_bytes,
                    .bound = p->report.bound,
                    .cost = p->report.cost,
                    .unplanned = p->report.n_open + p->report.n_data,
                    .operations = p->report.recompute.operations,
                    .model_operations = p->report.recompute.model_operations,
                    .stretches = tn_tile_stretches_of(p, arena),
                    .n_steps = p->n_steps};
    for (uint32_t i = 0; i < p->n_pools; i++) {
        uint64_t size = p->pools[i].kind == TN_POOL_ARENA ? p->pools[i].size : 0;
        o.first = o.arena == 0 ? size : o.first;
        o.arena += size;
    }
    for (uint32_t s = 0; s < p->n_steps; s++) {
        if (p->steps[s].clone_of != TN_NO_ID) {
            tn_vec_push(arena, &o.clones, step_text(arena, p, p->steps[s].clone_of));
        }
    }
    return o;
}

/* ---- planning ---- */

/* The plan, with open dimensions, at the extents of the plan that there is: it may have been made
 * for others. NULL where it does not hold for them. */
static tn_plan *at_same_extents(const tn_trials *t, const tn_plan *p) {
    int64_t *dims = TN_ARRAY(t->arena, int64_t, p->n_ranges);
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        uint32_t k = tn_plan_range_named(t->plan, p->ranges[i].name);
        dims[i] = k != TN_NO_ID ? t->plan->ranges[k].point : p->ranges[i].point;
    }
    return tn_plan_for(p, dims);
}

typedef struct attempt {
    const tn_trials *t;
    const tn_request *r;
    const tn_module *source;
    tn_edit_fn *edit; /* or NULL */
    void *user;
    tn_outcome *out;
} attempt;

static tn_status plan_copy(tn_ctx *ctx, void *arg) {
    const attempt *a = arg;
    tn_module *m = tn_module_clone(a->source);
    tn_plan *plan = NULL;
    tn_run_settings settings = tn_run_settings_default();
    settings.brief = true;
    (void)ctx;
    tn_status status = a->edit == NULL || a->edit(m, a->user) ? TN_OK : TN_ERROR;
    if (status == TN_OK) {
        status = tn_planner_run(a->r, m, &settings, &plan);
    }
    bool open = plan != NULL && plan->n_ranges > 0 && a->t->plan != NULL;
    tn_plan *same = open ? at_same_extents(a->t, plan) : NULL;
    if (plan != NULL && (plan->n_ranges == 0 || same != NULL)) {
        *a->out = tn_outcome_of(a->t->arena, same != NULL ? same : plan);
        a->out->graph_operations = tn_flops_count(tn_graph_flops(m->main));
        if (a->t->look != NULL && status == TN_OK) {
            status = a->t->look(a->t->look_user, plan, a->out);
        }
        tn_plan_drop(same);
    } else if (status == TN_OK) {
        status = TN_ERROR;
    }
    tn_plan_drop(plan);
    tn_module_drop(m);
    return status;
}

static uint64_t plans_of(const tn_request *r) {
    bool clones = r->recompute != NULL || r->recompute_budget != NULL;
    bool parts = r->tile != NULL || r->tile_flops != NULL;
    bool known = r->tile != NULL && strchr(r->tile, ':') != NULL;
    return clones && parts ? PLANS_AMONG_PARTS : clones || (parts && !known) ? PLANS_OF_SEARCH : 1;
}

static bool may_try(tn_trials *t, const tn_request *r) {
    uint64_t cost = t->n_steps * plans_of(r);
    if (!t->counts) {
        return true;
    }
    if (cost > t->left) {
        t->left_out++;
        return false;
    }
    t->left -= cost;
    return true;
}

static bool try_plan(tn_trials *t, attempt *a) {
    if (!may_try(t, a->r)) {
        return false;
    }
    tn_status status = tn_guard_run(t->ctx, plan_copy, a);
    if (tn_status_ends_all(status)) {
        tn_reraise(t->ctx, status);
    }
    return status == TN_OK;
}

/* ---- settings ---- */

/* The request with the settings on top. False when they make no difference or do not go together
 * with what was asked for. */
static bool apply(tn_trials *t, const tn_change *c, tn_request *r) {
    tn_pipeline p;
    *r = *t->r;
    r->arena = t->arena;
    r->controls.capacity = 0;
    r->controls.brief = !t->exact;
    if (t->shares_searches && t->layouts == NULL) {
        t->layouts = tn_layout_memory_new(t->arena);
        tn_layout_memory_limit(t->layouts, ALL_SEARCHES);
        t->orders = tn_order_memory_new(t->arena);
    }
    r->controls.layouts = t->layouts;
    r->controls.orders = t->orders;
    r->strict = false;
    if (c == NULL) {
        return true;
    }
    if (c->settings[0].key != NULL &&
        strcmp(c->settings[0].key, "concurrency") == 0) { /* in place of queues, too */
        r->controls.concurrency = TN_SERIAL;
        r->controls.n_queues = 0;
        r->queue.len = 0;
    }
    for (size_t i = 0; i < TN_CHANGED_SETTINGS && c->settings[i].key != NULL; i++) {
        if (tn_request_set(r, c->settings[i].key, c->settings[i].value, NULL) != TN_OK) {
            return false;
        }
    }
    tn_sink text = tn_sink_make(t->arena);
    if (tn_request_pipeline(r, t->arena, &p) != TN_OK) {
        return false;
    }
    tn_pipeline_print(&p, &text);
    return c->keeps_pipeline || strcmp(text.data, t->pipeline) != 0;
}

/* The settings as on a command line, in `arena`. */
static const char *change_text(tn_arena *arena, const tn_change *c) {
    tn_sink text = tn_sink_make(arena);
    for (size_t i = 0; i < TN_CHANGED_SETTINGS && c->settings[i].key != NULL; i++) {
        const tn_pair *s = &c->settings[i];
        const char *space = i > 0 ? " " : "";
        if (strcmp(s->key, "O") == 0) {
            tn_putf(&text, "%s-O%s", space, s->value);
        } else if (strcmp(s->value, "true") == 0) {
            tn_putf(&text, "%s--%s", space, s->key);
        } else if (strcmp(s->value, "false") == 0) {
            tn_putf(&text, "%s--no-%s", space, s->key);
        } else {
            tn_putf(&text, "%s--%s=%s", space, s->key, s->value);
        }
    }
    return text.data;
}

const tn_tried *tn_try_change(tn_trials *t, const tn_change *c) {
    tn_request r;
    tn_tried now = {.what = change_text(t->arena, c)};
    for (uint32_t i = 0; i < t->tried.len; i++) {
        if (strcmp(t->tried.data[i].what, now.what) == 0) {
            return t->tried.data[i].made ? &t->tried.data[i] : NULL;
        }
    }
    if (!apply(t, c, &r)) {
        return NULL;
    }
    attempt a = {.t = t, .r = &r, .source = t->source, .out = &now.outcome};
    now.made = try_plan(t, &a);
    tn_vec_push(t->arena, &t->tried, now);
    return now.made ? &t->tried.data[t->tried.len - 1] : NULL;
}

bool tn_try_edit(tn_trials *t, const tn_change *c, tn_edit_fn *edit, void *user, tn_outcome *out) {
    const tn_module *typed = tn_trials_typed(t);
    tn_request r;
    if (typed == NULL || !apply(t, c, &r)) {
        return false;
    }
    attempt a = {t, &r, typed, edit, user, out};
    return try_plan(t, &a);
}

/* ---- types ---- */

static tn_status infer(tn_ctx *ctx, void *arg) {
    tn_module *m = arg;
    tn_arena *scratch = tn_arena_new(ctx);
    tn_controls controls = tn_controls_default();
    tn_plan *none = NULL;
    tn_pipeline p;
    tn_status status = tn_pipeline_parse(scratch, "advice", "infer-shapes", &p);
    if (status == TN_OK) {
        status = tn_run_pipeline(ctx, m, &p, &controls, &none, NULL);
    }
    tn_arena_drop(scratch);
    return status;
}

const tn_module *tn_trials_typed(tn_trials *t) {
    if (t->typed == NULL) {
        tn_module *m = tn_module_clone(t->source);
        tn_status status = tn_guard_run(t->ctx, infer, m);
        if (tn_status_ends_all(status)) {
            tn_reraise(t->ctx, status);
        }
        t->typed = status == TN_OK ? m : NULL;
    }
    return t->typed;
}

/* ---- the boundary ---- */

void tn_trials_run(tn_trials *t, tn_status (*fn)(tn_ctx *ctx, void *arg), void *arg) {
    tn_ctx *ctx = t->ctx;
    tn_diag_handler on_diag = ctx->on_diag;
    uint32_t n_errors = ctx->n_errors, n_warnings = ctx->n_warnings;
    ctx->on_diag = NULL;
    tn_status status = tn_guard_run(ctx, fn, arg);
    ctx->on_diag = on_diag;
    ctx->n_errors = n_errors;
    ctx->n_warnings = n_warnings;
    if (status != TN_OK) {
        tn_raise(ctx, status);
    }
    tn_module_drop((tn_module *)t->typed);
    t->typed = NULL;
}
