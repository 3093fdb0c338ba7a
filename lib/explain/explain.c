#include "lib/explain/explain.h"

#include "ir/base/quote.h"
#include "ir/build.h"
#include "lib/explain/explain_t.h"
#include "passes/core/select.h"

enum { ADVICE_STEPS = 100000 };

static const tn_setting table[] = {
    {.name = "json",
     .set = tn_set_flag,
     .offset = offsetof(tn_explain_args, json),
     .help = "print facts as JSON, one object a line"},
    {.name = "peak-limit",
     .arg = "N",
     .set = tn_set_int,
     .offset = offsetof(tn_explain_args, limit),
     .help =
         "how many of the tensors alive at the peak to look at, the largest first (default 10)"},
    {.name = "changes",
     .set = tn_set_flag,
     .offset = offsetof(tn_explain_args, changes),
     .help = "plan again with other options to say what they would change (default)"},
    {.name = "advice",
     .set = tn_set_flag,
     .offset = offsetof(tn_explain_args, advice),
     .help = "say what would make the arena smaller that only you can do: other options, kernels, "
             "constants, layouts, each planned (default)"},
    {.name = "advice-steps",
     .arg = "N",
     .set = tn_set_int,
     .offset = offsetof(tn_explain_args, advice_steps),
     .help = "plans for advice have at most so many steps in all; what is left out for this is "
             "counted (default 100000: at most some seconds)"},
    {0}};

tn_explain_args tn_explain_defaults(void) {
    return (tn_explain_args){
        .changes = true, .advice = true, .limit = 10, .advice_steps = ADVICE_STEPS};
}

tn_setting_group tn_explain_group(tn_explain_args *a) {
    return (tn_setting_group){"output", table, a, NULL};
}

tn_status tn_explain_check(const tn_explain_args *a, tn_ctx *ctx) {
    if (a->limit < 0 || a->limit > UINT32_MAX) {
        return tn_usage(ctx, NULL, "--peak-limit must be 0 or more, not '%lld'",
                        (long long)a->limit);
    }
    return a->advice_steps >= 0
               ? TN_OK
               : tn_usage(ctx, NULL, "--advice-steps must be 0 or more, not '%lld'",
                          (long long)a->advice_steps);
}

static bool choose(void *user, uint32_t i) {
    bool *chosen = user;
    chosen[i] = true;
    return true;
}

/* By plan value, or NULL when no tensor is named. */
static tn_status choose_tensors(tn_arena *arena, const tn_plan *p, const char *file,
                                tn_names tensors, bool **chosen) {
    tn_texts names = {0};
    for (uint32_t i = 0; i < tensors.len; i++) {
        const char *name = tn_name_unquote(arena, tensors.data[i]);
        if (name == NULL) {
            return tn_usage(p->ctx, NULL, "tensor %s: the quotation marks are wrong",
                            tensors.data[i]);
        }
        tn_vec_push(arena, &names, name);
    }
    *chosen = names.len > 0 ? TN_ARRAY(arena, bool, p->n_values) : NULL;
    tn_named from = tn_named_new(arena, p->n_values, choose, *chosen);
    for (uint32_t i = 0; i < p->n_values; i++) {
        tn_named_set(&from, i, p->values[i].graph, p->values[i].name);
    }
    return tn_select_named(p->ctx, file, &from, (tn_names){names.data, names.len, 0}, "tensor");
}

/* What does not fit wants an explanation most. Gives the capacity of the arena; without one, or
 * with several arenas, 0. */
static uint64_t lift_capacity(tn_request *r, tn_arena *arena) {
    uint64_t capacity = r->controls.capacity;
    uint32_t n = r->pools.len, arenas = 0;
    tn_pool_wish *pools = TN_ARRAY(arena, tn_pool_wish, n), *one = NULL;
    for (uint32_t i = 0; i < n; i++) {
        pools[i] = r->pools.data[i];
        one = pools[i].kind == TN_POOL_ARENA ? &pools[i] : one;
        arenas += pools[i].kind == TN_POOL_ARENA;
    }
    if (arenas == 1) {
        capacity = capacity != 0 ? capacity : one->capacity;
        one->capacity = 0;
        r->pools.data = pools;
        r->pools.cap = n;
    }
    r->controls.capacity = 0;
    return capacity;
}

/* What a plan says of itself; `w` may be NULL where there is no module. */
static void explain_plan(tn_explain *x, const tn_explain_args *a, const bool *chosen,
                         const tn_place_wishes *w) {
    const tn_plan *plan = x->p;
    tn_explain_pools_make(x, w);
    tn_vec_push(x->arena, &x->facts,
                (tn_fact){.kind = TN_FACT_PLAN,
                          .bytes = tn_plan_arena_bytes(plan),
                          .bound = plan->report.bound});
    if (chosen != NULL) {
        tn_explain_chosen(x, chosen);
    } else {
        tn_explain_steps(x);
    }
    tn_explain_peak(x, (uint32_t)a->limit, chosen);
    if (chosen == NULL) {
        tn_explain_each_pool(x, (uint32_t)a->limit);
    }
}

static void explain(tn_explain *x, const tn_explain_args *a, const bool *chosen,
                    const tn_request *r, const tn_module *source) {
    const tn_plan *plan = x->p;
    explain_plan(x, a, chosen, &(tn_place_wishes){.fixes = r->fixes.data, .n_fixes = r->fixes.len});
    tn_trials t = {.arena = x->arena,
                   .ctx = plan->ctx,
                   .r = r,
                   .source = source,
                   .plan = plan,
                   .pipeline = plan->pipeline,
                   .n_steps = plan->n_steps};
    if (chosen == NULL && a->changes) {
        tn_explain_changes(x, &t);
    }
    if (chosen == NULL && a->advice) {
        tn_explain_advice(x, &t, (uint64_t)a->advice_steps);
    }
}

tn_status tn_explain_model(tn_arena *arena, const tn_module *source, const tn_request *r,
                           const tn_explain_args *a, tn_names tensors, tn_sink *out) {
    tn_request asked = *r;
    tn_module *m = tn_module_clone(source);
    bool *chosen = NULL;
    tn_plan *plan = NULL;
    tn_refusals refusals = {.arena = arena};
    tn_run_settings settings = tn_run_settings_default();
    settings.refusals = &refusals;
    uint64_t capacity = lift_capacity(&asked, arena);
    tn_status status = tn_planner_run(&asked, m, &settings, &plan); /* may add workspace */
    if (status == TN_OK && plan == NULL) {
        status = tn_no_plan(m->ctx);
    }
    if (status == TN_OK) {
        status = choose_tensors(arena, plan, m->file, tensors, &chosen);
    }
    if (status == TN_OK) {
        tn_explain x = {.arena = arena,
                        .m = m,
                        .p = plan,
                        .refusals = &refusals,
                        .capacity = capacity,
                        .now = tn_outcome_of(arena, plan)};
        explain(&x, a, chosen, &asked, source);
        (a->json ? tn_explain_print_json : tn_explain_print)(&x, out);
    }
    tn_plan_drop(plan);
    tn_module_drop(m);
    return status;
}

static tn_status explain_variant(tn_arena *arena, const tn_plan *p, const tn_explain_args *a,
                                 tn_names tensors, tn_sink *out) {
    tn_refusals none = {.arena = arena};
    bool *chosen = NULL;
    tn_status status = choose_tensors(arena, p, NULL, tensors, &chosen);
    if (status == TN_OK) {
        tn_explain x = {.arena = arena, .p = p, .refusals = &none};
        explain_plan(&x, a, chosen, NULL);
        (a->json ? tn_explain_print_json : tn_explain_print)(&x, out);
    }
    return status;
}

tn_status tn_explain_plan(tn_arena *arena, const tn_plan *p, const tn_explain_args *a,
                          tn_names tensors, tn_sink *out) {
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < tn_plan_count(p) && status == TN_OK; i++) {
        status = explain_variant(arena, tn_plan_at(p, i), a, tensors, out);
    }
    return status;
}
