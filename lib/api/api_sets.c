/* tenure.h: plans of files, of several programs and variants too. */
#include <string.h>

#include "frontends/core/frontend.h"
#include "ir/base/quote.h"
#include "ir/build.h"
#include "lib/api/api_t.h"
#include "lib/sets/pick.h"
#include "lib/sets/sets.h"

typedef struct set_args {
    const char *const *texts;
    size_t n;
    const tenure_options *options;
    tn_module *module;
    tn_plan *plan;
    bool returned; /* and not raised: then both are there */
} set_args;

/* --largest becomes --dim, which the plan records. */
static tn_status settle_largest(tn_request *r, const char *path) {
    int64_t extent = 0;
    tn_status status = r->largest != NULL ? tn_set_largest(r, path, &extent) : TN_OK;
    if (status != TN_OK || r->largest == NULL) {
        return status;
    }
    tn_sink text = tn_sink_make(r->arena);
    tn_put_name(&text, r->largest, "=:,");
    tn_putf(&text, "=%lld", (long long)extent);
    return tn_request_set(r, "dim", text.data, "--largest");
}

/* One model in one variant: it is planned in place. */
static tn_status make_one(tn_arena *arena, tn_request *r, const char *path,
                          const tn_run_settings *settings, set_args *a) {
    tn_status status = settle_largest(r, path);
    if (status != TN_OK) {
        return status;
    }
    tn_load_options options = tn_request_load_options(r);
    a->module = tn_load_file(tn_arena_ctx(arena), path, &options);
    return a->module != NULL ? tn_planner_run(r, a->module, settings, &a->plan) : TN_ERROR;
}

static tn_status make_set(tn_arena *arena, const tn_request *r, const tn_run_settings *settings,
                          set_args *a) {
    uint32_t n = (uint32_t)a->n;
    if (r->largest != NULL) {
        return tn_usage(tn_arena_ctx(arena), NULL,
                        "--largest=%s is for one model in one variant; plan each by itself",
                        r->largest);
    }
    tn_module **modules;
    tn_set_model *models = TN_ARRAY(arena, tn_set_model, n);
    tn_status status = tn_set_models(arena, a->texts, n, models);
    if (status == TN_OK) {
        status = tn_set_make(arena, r, models, n, settings, &a->plan, &modules);
    }
    for (uint32_t i = 0; a->plan != NULL && i + 1 < tn_plan_count(a->plan); i++) {
        modules[i]->next = modules[i + 1];
    }
    a->module = a->plan != NULL ? modules[0] : NULL;
    return status;
}

/* What only several models, or programs, have. */
static tn_status demand_several(tn_ctx *ctx, const tn_request *r, const set_args *a) {
    if (a->n > 1 && !r->shared_arena) {
        return tn_usage(ctx, NULL,
                        "unexpected argument '%s'; several models are planned with "
                        "--shared-arena, as programs that never run at once",
                        a->texts[1]);
    }
    if (a->n == 1 && r->links.len + r->states.len > 0) {
        return tn_usage(ctx, NULL, "--%s=%s ties programs, and there is one model",
                        r->links.len > 0 ? "link" : "state",
                        r->links.len > 0 ? r->links.data[0] : r->states.data[0]);
    }
    return TN_OK;
}

static tn_status plan_files(tn_ctx *ctx, void *arg) {
    set_args *a = arg;
    tn_arena *arena = tn_arena_new(ctx);
    tn_request r = tn_options_request(a->options, arena);
    tn_run_args plain;
    tn_run run;
    tn_run_args_init(&plain);
    tn_status status = demand_several(ctx, &r, a);
    if (status == TN_OK) {
        status = tn_run_begin(&run, a->options != NULL ? &a->options->run : &plain, arena);
    }
    if (status == TN_OK) {
        tn_keep_best_begin(ctx, &run.settings);
        status = tn_set_wanted(&r, (uint32_t)a->n)
                     ? make_set(arena, &r, &run.settings, a)
                     : make_one(arena, &r, tn_set_path(a->texts[0]), &run.settings, a);
        status = tn_keep_best_end(ctx, a->plan, status);
        tn_run_end(&run, arena);
    }
    tn_arena_drop(arena);
    if (a->plan == NULL && status != TN_OK) {
        tn_module_drop(a->module);
        a->module = NULL;
    }
    a->returned = true;
    return status;
}

tenure_status tenure_plan_files(tenure_context *ctx, const char *const *models, size_t n,
                                const tenure_options *options, tenure_model **model,
                                tenure_plan **plan) {
    set_args a = {.texts = models, .n = n, .options = options};
    if (model != NULL) {
        *model = NULL;
    }
    if (plan != NULL) {
        *plan = NULL;
    }
    if (ctx == NULL || models == NULL || n == 0 || model == NULL || plan == NULL) {
        return tn_api_null(api_ctx(ctx), "tenure_plan_files",
                           models == NULL || n == 0 ? "models"
                           : model == NULL          ? "model"
                                                    : "plan");
    }
    tn_status status = tn_guard_run(api_ctx(ctx), plan_files, &a);
    *model = a.returned ? (tenure_model *)a.module : NULL;
    *plan = a.returned ? (tenure_plan *)a.plan : NULL;
    return (tenure_status)status;
}

typedef struct pick_args {
    const tn_plan *plan;
    size_t program;
    const char *const *names;
    const int64_t *extents;
    size_t n;
    uint32_t variant;
} pick_args;

static tn_status pick(tn_ctx *ctx, void *arg) {
    pick_args *a = arg;
    tn_plan *plan = (tn_plan *)(uintptr_t)a->plan;
    tn_plan_program alone = {a->plan->model, &plan, 1};
    uint32_t n = a->plan->set != NULL ? a->plan->set->n_programs : 1;
    if (a->program >= n) {
        return tn_usage(ctx, NULL, "the plan has %u programs, there is no number %zu", n,
                        a->program);
    }
    tn_arena *arena = tn_arena_new(ctx);
    tn_plan_dim *wanted = TN_ARRAY(arena, tn_plan_dim, a->n);
    for (size_t i = 0; i < a->n; i++) {
        wanted[i] = (tn_plan_dim){a->names[i], a->extents[i]};
    }
    tn_status status =
        tn_set_pick(a->plan->set != NULL ? &a->plan->set->programs[a->program] : &alone, wanted,
                    a->n, &a->variant);
    tn_arena_drop(arena);
    return status;
}

tenure_status tenure_plan_pick(const tenure_plan *plan, size_t program, const char *const *names,
                               const int64_t *extents, size_t n, size_t *variant) {
    pick_args a = {api_plan(plan), program, names, extents, n, TN_NO_ID};
    if (plan == NULL || variant == NULL || (n > 0 && (names == NULL || extents == NULL))) {
        return tn_api_null(plan != NULL ? a.plan->ctx : NULL, "tenure_plan_pick",
                           variant == NULL ? "variant"
                           : names == NULL ? "names"
                                           : "extents");
    }
    tn_status status = tn_guard_run(a.plan->ctx, pick, &a);
    *variant = status == TN_OK ? a.variant : 0;
    return (tenure_status)status;
}
