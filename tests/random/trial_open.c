#include "tests/random/trial_open.h"

#include <string.h>

#include "ir/build.h"
#include "ir/check/check.h"
#include "ir/plan/forms.h"
#include "ir/plan/plan_digest.h"
#include "ir/plan/plan_extents.h"
#include "ir/substitute.h"
#include "ir/text/text.h"
#include "lib/open/open_plan.h"
#include "passes/core/manager.h"
#include "tests/random/oracle.h"
#include "tests/random/rng.h"
#include "tests/random/shadow.h"

enum {
    N_BINDINGS = 10,
    MOST_BYTES = 1 << 12, /* of all pools of a plan that is run */
    CUT_ONE_OF = 2,       /* plans: one loses an edge */
};

typedef struct opened {
    tn_ctx *ctx;
    const trial *t;
    tn_arena *arena;
    trial_totals *totals;
    rng random;
    const char *wrong;
} opened;

/* ---- modules ---- */

static void run_passes(opened *o, tn_module *m, const char *passes) {
    tn_pipeline p;
    tn_plan *none = NULL;
    if (tn_pipeline_parse(o->arena, "case", passes, &p) != TN_OK ||
        tn_run_pipeline(o->ctx, m, &p, &o->t->v->controls, &none, NULL) != TN_OK) {
        o->wrong = "passes fail";
    }
}

typedef struct first_two {
    const char *names[2];
    uint32_t n;
} first_two;

static void take_name(void *user, const char *name) {
    first_two *f = user;
    if (f->n < 2) {
        f->names[f->n++] = name;
    }
}

/* In one of three trials the second symbol follows from the first. */
static void relate(const opened *o, tn_module *m) {
    first_two f = {{NULL}, 0};
    tn_dims_each_symbol(m->dims, take_name, &f);
    if (f.n == 2 && o->t->seed % 3 == 0) {
        tn_dim first = tn_dim_sym(m->dims, f.names[0]), k = tn_dim_const(m->dims, 2);
        tn_dims_relate(m->dims, f.names[1],
                       o->t->seed % 2 == 0 ? tn_dim_add(m->dims, first, k)
                                           : tn_dim_mul(m->dims, first, k));
        tn_module_substitute(m);
    }
}

typedef struct opening {
    const opened *o;
    tn_module *m;
} opening;

static void open_symbol(void *user, const char *name) {
    static const int64_t ranges[][2] = {{1, INT64_MAX}, {1, 64}, {2, INT64_MAX}, {4, 33}};
    opening *w = user;
    if (tn_dims_related(w->m->dims, name)) {
        return;
    }
    rng r = {w->o->t->seed + strlen(name)};
    const int64_t *range = ranges[rng_below(&r, 4)];
    tn_dims_open(w->m->dims, (tn_dim_range){name, range[0], range[1], range[0]});
}

/* With its types and all symbols open. */
static tn_module *read_open(opened *o) {
    tn_module *m = tn_module_parse(o->ctx, "case.tir", o->t->text, strlen(o->t->text));
    if (m == NULL) {
        o->wrong = "the text does not read back";
        return NULL;
    }
    relate(o, m);
    tn_dims_each_symbol(m->dims, open_symbol, &(opening){o, m});
    run_passes(o, m, "infer-shapes");
    tn_open_prune(m, NULL);
    return m;
}

/* With numbers in place of symbols before anything is inferred. */
static tn_module *read_bound(opened *o, const tn_plan *p, const int64_t *dims) {
    tn_module *m = tn_module_parse(o->ctx, "case.tir", o->t->text, strlen(o->t->text));
    relate(o, m);
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        tn_dims_bind(m->dims, p->ranges[i].name, dims[i]);
    }
    tn_module_substitute(m);
    run_passes(o, m, "infer-shapes,pin");
    return m;
}

/* With open dimensions it is refused. */
static void leave_out_clones(tn_pipeline *p) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->len; i++) {
        if (strcmp(p->items[i].pass->name, "recompute") != 0) {
            p->items[n++] = p->items[i];
        }
    }
    p->len = n;
}

/* ---- planning ---- */

static tn_status run_pipeline(opened *o, tn_module *m, const tn_run_settings *settings,
                              tn_plan **plan) {
    tn_pipeline written, pipeline;
    tn_status status = tn_pipeline_parse(o->arena, "case", o->t->v->pipeline, &written);
    if (status == TN_OK) {
        leave_out_clones(&written);
        status = tn_pipeline_complete(o->arena, &written, &pipeline);
    }
    return status == TN_OK
               ? tn_run_pipeline(o->ctx, m, &pipeline, &o->t->v->controls, plan, settings)
               : status;
}

static tn_status make(void *user, tn_module *m, const tn_plan_worth *worth, tn_plan **plan) {
    tn_run_settings settings = tn_run_settings_default();
    settings.brief = worth != NULL;
    settings.worth = worth;
    return run_pipeline(user, m, &settings, plan);
}

static tn_status judge(void *user, tn_module *m, tn_plan *plan) {
    tn_run_settings settings = tn_run_settings_default();
    tn_plan *none = NULL;
    (void)plan;
    settings.is_judgement = true;
    return run_pipeline(user, m, &settings, &none);
}

static tn_status finish(void *user, tn_module *m, tn_plan **plan) {
    const opened *o = user;
    (*plan)->model = tn_arena_strndup((*plan)->arena, m->name, strlen(m->name));
    (*plan)->version = "";
    (*plan)->digest = tn_plan_digest(m, (*plan)->arena);
    (*plan)->pipeline = o->t->v->pipeline;
    return tn_plan_check(*plan, m);
}

static uint32_t misfits(void *user, tn_module *m) {
    opened *o = user;
    tn_diag_handler handler = o->ctx->on_diag;
    uint32_t before = o->ctx->n_warnings;
    o->ctx->on_diag = NULL;
    run_passes(o, m, "infer-shapes");
    o->ctx->on_diag = handler;
    return o->ctx->n_warnings - before;
}

/* Slots have one size each; a plan that needs none is no mistake. */
static void demand_refusal(opened *o, tn_module *m) {
    tn_plan *plan = NULL;
    tn_diag_handler handler = o->ctx->on_diag;
    o->ctx->on_diag = NULL;
    tn_status status = tn_open_plan(m, (tn_open_maker){make, judge, finish, misfits, o}, &plan);
    bool none = plan != NULL && plan->n_slots == 0;
    if (!none && (status != TN_USAGE || plan != NULL)) {
        o->wrong = "slots are planned with open dimensions";
    }
    o->ctx->on_diag = handler;
    tn_plan_drop(plan);
}

static tn_plan *make_plan(opened *o, tn_module *m) {
    tn_plan *plan = NULL;
    if (strstr(o->t->v->pipeline, "memory=slots") != NULL) {
        demand_refusal(o, m);
        return NULL;
    }
    if (tn_open_plan(m, (tn_open_maker){make, judge, finish, misfits, o}, &plan) != TN_OK ||
        plan == NULL) {
        o->wrong = "no plan with open dimensions";
    }
    return plan;
}

/* ---- bindings ---- */

/* Small enough to be run; the smallest extents always are taken. */
static bool is_small(opened *o, const tn_plan *plan, const int64_t *dims) {
    tn_arena *scratch = tn_arena_new(o->ctx);
    tn_resolved at;
    uint64_t sum = 0;
    bool known = tn_plan_try(plan, dims, scratch, &at);
    for (uint32_t i = 0; i < plan->n_pools && known; i++) {
        sum += at.pool_size[i];
    }
    tn_arena_drop(scratch);
    return known && sum <= MOST_BYTES;
}

/* All at their smallest, all at 2, and so on; later by chance. Halved until they are small. */
static void draw_extents(opened *o, const tn_plan *plan, uint32_t binding, int64_t *dims) {
    static const int64_t extents[] = {1, 2, 3, 5, 8, 13, 33, 64, 127, 500};
    for (uint32_t i = 0; i < plan->n_ranges; i++) {
        uint32_t at = binding < 4 ? binding : rng_below(&o->random, N_BINDINGS);
        dims[i] = extents[at];
    }
    for (bool again = true; again;) {
        again = false;
        bool smallest = true;
        for (uint32_t i = 0; i < plan->n_ranges; i++) {
            const tn_plan_range *r = &plan->ranges[i];
            dims[i] = dims[i] < r->min ? r->min : dims[i] > r->max ? r->max : dims[i];
            smallest = smallest && dims[i] == r->min;
        }
        if (!smallest && !is_small(o, plan, dims)) {
            for (uint32_t i = 0; i < plan->n_ranges; i++) {
                dims[i] /= 2;
            }
            again = true;
        }
    }
}

/* ---- proofs ---- */

/* What shapes come to when they are inferred of numbers. */
static void check_sizes(opened *o, const tn_plan *p, const tn_module *m) {
    for (uint32_t i = 0; i < p->n_values && o->wrong == NULL; i++) {
        const tn_plan_value *v = &p->values[i];
        int64_t bytes;
        bool known = tn_type_point_bytes(m->dims, m->values[v->module_value]->type, &bytes);
        if (v->storage != TN_NO_ID && (!known || (uint64_t)bytes != v->bytes)) {
            o->wrong = tn_arena_printf(o->arena, "'%s' has %llu bytes in the plan, %lld when bound",
                                       v->name, (unsigned long long)v->bytes,
                                       known ? (long long)bytes : -1);
        }
    }
}

static void check_with_checker(opened *o, const tn_plan *chosen, const tn_plan *numbers) {
    tn_module *m = read_open(o);
    tn_open_adopt(m, chosen);
    tn_open_adopt(m, numbers);
    run_passes(o, m, "infer-shapes,pin");
    tn_open_prune(m, NULL);
    if (o->wrong == NULL && tn_plan_check(numbers, m) != TN_OK) {
        o->wrong = "the checker refuses the plan at these extents";
    }
    tn_module_drop(m);
}

static const char *run_shadows(opened *o, const tn_plan *p, const tn_module *m) {
    uint64_t seed = rng_next(&o->random);
    const char *wrong = shadow_run(p, m, SHADOW_PLANNED, seed, o->arena, &o->totals->bytes);
    return wrong != NULL ? wrong
                         : shadow_run(p, m, SHADOW_LOOSE, seed, o->arena, &o->totals->bytes);
}

static void check_at(opened *o, const tn_plan *plan, const int64_t *dims) {
    const tn_plan *chosen = tn_plan_smallest(plan, dims);
    tn_plan *numbers = chosen != NULL ? tn_plan_for(chosen, dims) : NULL;
    if (numbers == NULL) {
        o->wrong = "no variant for these extents";
        return;
    }
    tn_module *m = read_bound(o, plan, dims);
    check_sizes(o, numbers, m);
    check_with_checker(o, chosen, numbers);
    if (o->wrong == NULL) {
        o->wrong = oracle_check(numbers, m, o->arena);
    }
    if (o->wrong == NULL) {
        o->wrong = run_shadows(o, numbers, m);
    }
    o->totals->plans++;
    o->totals->values += numbers->n_values;
    tn_module_drop(m);
    tn_plan_drop(numbers);
}

static void check_json(opened *o, const tn_plan *p) {
    tn_sink one = tn_sink_make(o->arena), two = tn_sink_make(o->arena);
    tn_plan_to_json(p, &one);
    tn_plan *back = tn_plan_from_json(o->ctx, "case.json", one.data, one.len);
    if (back != NULL) {
        tn_plan_to_json(back, &two);
    }
    if (back == NULL || one.len != two.len || memcmp(one.data, two.data, one.len) != 0) {
        o->wrong = "JSON reads back to another plan";
    }
    tn_plan_drop(back);
}

/* ---- plans that lack an edge ---- */

static bool is_above(const tn_plan *p, uint32_t high, uint32_t low) {
    tn_ids above = p->storages[high].above;
    for (uint32_t i = 0; i < above.len; i++) {
        if (above.data[i] == low || is_above(p, above.data[i], low)) {
            return true;
        }
    }
    return false;
}

/* Below level 1 the relation also keeps apart what is never alive together. */
static bool meet(const tn_plan *p, uint32_t low, uint32_t high) {
    const tn_storage *a = &p->storages[low], *b = &p->storages[high];
    bool always = a->pinned || b->pinned || p->pools[a->pool].kind != TN_POOL_ARENA;
    return always || (a->first <= b->last && b->first <= a->last);
}

/* Takes one edge out; false where there is none, a path stands for it, or nothing rests on it. */
static bool cut_edge(opened *o, const tn_plan *p) {
    uint32_t n = 0, high = 0, at = 0;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        for (uint32_t k = 0; k < p->storages[i].above.len; k++) {
            if (rng_below(&o->random, ++n) == 0) {
                high = i;
                at = k;
            }
        }
    }
    if (n == 0) {
        return false;
    }
    tn_ids *above = &p->storages[high].above;
    uint32_t *left = TN_ARRAY(p->arena, uint32_t, above->len), low = above->data[at], kept = 0;
    for (uint32_t k = 0; k < above->len; k++) {
        if (above->data[k] != low) {
            left[kept++] = above->data[k];
        }
    }
    *above = (tn_ids){left, kept};
    return meet(p, low, high) && !is_above(p, high, low);
}

/* Whether some run at some extents goes wrong; the checker is not asked. */
static bool is_seen(opened *o, const tn_plan *p) {
    int64_t *dims = TN_ARRAY(o->arena, int64_t, p->n_ranges);
    bool seen = false;
    for (uint32_t b = 0; b < N_BINDINGS && !seen; b++) {
        draw_extents(o, p, b, dims);
        tn_plan *numbers = tn_plan_for(p, dims);
        tn_module *m = read_bound(o, p, dims);
        seen = numbers != NULL && run_shadows(o, numbers, m) != NULL;
        tn_module_drop(m);
        tn_plan_drop(numbers);
    }
    return seen;
}

static void check_cut(opened *o, const tn_plan *p) {
    if (!cut_edge(o, p)) {
        return;
    }
    tn_module *m = read_open(o);
    tn_open_adopt(m, p);
    run_passes(o, m, "infer-shapes,pin");
    tn_diag_handler handler = o->ctx->on_diag;
    o->ctx->on_diag = NULL;
    bool passed = tn_plan_check(p, m) == TN_OK;
    o->ctx->on_diag = handler;
    o->totals->spoiled++;
    o->totals->spoiled_seen += is_seen(o, p);
    if (passed) {
        o->wrong = "the checker lets a plan pass that lacks an edge";
    }
    tn_module_drop(m);
}

/* ---- the whole ---- */

static void prove(opened *o, const tn_plan *plan) {
    int64_t *dims = TN_ARRAY(o->arena, int64_t, plan->n_ranges);
    const tn_plan_report *r = &plan->report;
    o->totals->shared += (uint64_t)r->n_inplace + r->n_views + r->n_updates + r->n_shared;
    check_json(o, plan);
    for (uint32_t b = 0; b < N_BINDINGS && o->wrong == NULL; b++) {
        draw_extents(o, plan, b, dims);
        check_at(o, plan, dims);
    }
    for (uint32_t i = 0; o->wrong != NULL && i < plan->n_ranges; i++) {
        o->wrong = tn_arena_printf(o->arena, "%s; %s=%lld", o->wrong, plan->ranges[i].name,
                                   (long long)dims[i]);
    }
    if (o->wrong == NULL && o->t->seed % CUT_ONE_OF == 0) {
        check_cut(o, tn_plan_at(plan, rng_below(&o->random, tn_plan_count(plan))));
    }
}

static tn_status run(tn_ctx *ctx, void *arg) {
    opened *o = arg;
    uint32_t n = 0;
    (void)ctx;
    tn_module *m = read_open(o);
    if (m != NULL) {
        (void)tn_dims_ranges(m->dims, &n);
        o->totals->graphs += m->n_graphs;
        o->totals->ops += m->n_ops;
    }
    tn_plan *plan = n > 0 && o->wrong == NULL ? make_plan(o, m) : NULL;
    if (plan != NULL) {
        prove(o, plan);
    }
    tn_plan_drop(plan);
    tn_module_drop(m);
    return TN_OK;
}

const char *trial_run_open(tn_ctx *ctx, const trial *t, const tn_sink *said, tn_arena *arena,
                           trial_totals *totals) {
    opened o = {ctx, t, arena, totals, {t->seed ^ 0x09e4}, NULL};
    size_t before = said->len;
    tn_status status = tn_guard_run(ctx, run, &o);
    if (status != TN_OK) {
        return o.wrong != NULL ? o.wrong : "raised";
    }
    return o.wrong == NULL && said->len > before ? "diagnostics about a valid module" : o.wrong;
}
