/* tenure.h: plans held against models. */
#include <string.h>

#include "frontends/core/frontend.h"
#include "ir/base/quote.h"
#include "ir/build.h"
#include "ir/plan/forms.h"
#include "ir/plan/plan_extents.h"
#include "lib/api/api_t.h"
#include "lib/open/open_points.h"
#include "lib/sets/sets.h"

typedef struct check_args {
    const tn_plan *plan;
    tn_module *module;
    const tenure_options *options;
    const char *model_path, *plan_path; /* tenure_check_files */
    const char *const *models;          /* n_models of them, the first is model_path */
    size_t n_models;
    tenure_buffer *report;
} check_args;

/* Extents at which a plan with open dimensions is to be looked at. */
typedef struct asked_extents {
    TN_VEC(const char *) names;
    TN_VEC(int64_t) extents;
    const char *plan; /* its name, for messages */
} asked_extents;

static bool gives_extent(tn_arena *arena, const tn_pair *given, const char **name,
                         int64_t *extent) {
    const char *number;
    return strcmp(given->key, "dim") == 0 &&
           tn_pair_split(arena, given->value, "=:", true, name, &number) &&
           tn_text_to_int(number, extent);
}

/* Whether the option gives an extent of a dimension that the plan leaves open. */
static bool takes_extent(tn_arena *arena, const tn_plan *plan, const tn_pair *given,
                         asked_extents *at) {
    const char *name;
    int64_t extent;
    if (tn_shares_pools(plan) || !gives_extent(arena, given, &name, &extent)) {
        return false;
    }
    bool taken = tn_plan_range_named(plan, name) != TN_NO_ID;
    for (uint32_t i = 0; i < plan->n_relations; i++) {
        taken = taken || strcmp(plan->relations[i].name, name) == 0;
    }
    if (taken) {
        tn_vec_push(arena, &at->names, name);
        tn_vec_push(arena, &at->extents, extent);
    }
    return taken;
}

/* Of several programs no single extents are looked at. */
static tn_status demand_all_extents(tn_arena *arena, const tn_plan *plan, const tn_pair *given) {
    const char *name;
    int64_t extent;
    if (!tn_shares_pools(plan) || !gives_extent(arena, given, &name, &extent)) {
        return TN_OK;
    }
    for (uint32_t i = 0; i < plan->set->n_programs; i++) {
        const tn_plan_program *program = &plan->set->programs[i];
        size_t len = strlen(program->name);
        if (strncmp(name, program->name, len) == 0 && name[len] == '/' &&
            tn_plan_range_named(program->variants[0], name + len + 1) != TN_NO_ID) {
            return tn_usage(plan->ctx, NULL,
                            "--dim=%s: a plan of several programs is proved for all extents of "
                            "'%s', which is open, not for a single one",
                            given->value, name);
        }
    }
    return TN_OK;
}

/* What the caller asks for and what the plan was made with, in a request of its own: the caller's
 * options stay as they are. */
static tn_status ask(tn_request *r, const tenure_options *options, const tn_plan *plan,
                     const char *name, asked_extents *at) {
    const tn_request asked = tn_options_request(options, r->arena);
    tn_pairs given = tn_request_settled(&asked, r->arena);
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < given.len && status == TN_OK; i++) {
        status = demand_all_extents(r->arena, plan, &given.data[i]);
        if (status == TN_OK && !takes_extent(r->arena, plan, &given.data[i], at)) {
            status = tn_request_set(r, given.data[i].key, given.data[i].value, NULL);
        }
    }
    at->plan = name;
    if (status == TN_OK && at->names.len == 0) {
        status = tn_planner_demand(r, plan, name);
    }
    return status == TN_OK ? tn_planner_adopt(r, plan) : status;
}

/* Of a plan with open dimensions, what is run for these extents. */
static tn_status check_at(tn_request *r, tn_module *module, const tn_plan *plan,
                          const asked_extents *at) {
    int64_t *dims = TN_ARRAY(r->arena, int64_t, plan->n_ranges);
    tn_status status = tn_plan_extents(plan, at->names.data, at->extents.data, at->names.len, dims);
    if (status != TN_OK) {
        return status;
    }
    const tn_plan *variant = tn_plan_smallest(plan, dims);
    tn_plan *numbers = tn_plan_for(variant != NULL ? variant : plan, dims);
    if (numbers == NULL) {
        return TN_ERROR;
    }
    tn_open_adopt(module, variant);
    status = tn_planner_check(r, module, numbers);
    if (status == TN_OK) {
        tn_plan there = *numbers;
        there.n_ranges = 0; /* at these extents alone */
        status = tn_planner_demand(r, &there, at->plan);
    }
    tn_plan_drop(numbers);
    return status;
}

/* All plans of a set, or what is run for the extents asked for. */
static tn_status check_modules(tn_request *r, const tn_module *first, const tn_plan *plan,
                               const asked_extents *at) {
    if (plan->set != NULL && at->names.len == 0) {
        return tn_set_check_modules(r, plan, first);
    }
    tn_module *clone = tn_module_clone(first);
    tn_status status =
        at->names.len > 0 ? check_at(r, clone, plan, at) : tn_planner_check(r, clone, plan);
    tn_module_drop(clone);
    return status;
}

static tn_status check(tn_ctx *ctx, void *arg) {
    const check_args *a = arg;
    asked_extents at = {0};
    tn_arena *arena = tn_arena_new(ctx);
    tn_request *r = tn_request_new(arena);
    tn_status status = tn_api_settle(a->module);
    if (status == TN_OK) {
        status = ask(r, a->options, a->plan, "plan", &at);
    }
    if (status == TN_OK) {
        status = check_modules(r, a->module, a->plan, &at);
    }
    tn_arena_drop(arena);
    return status;
}

/* The model is handed over where it is wanted and the plan is right. */
static tn_status check_loaded(tn_request *r, const char *path, const tn_plan *plan,
                              const asked_extents *at, tn_module **out) {
    if (tn_request_demand_one(r) != TN_OK) {
        return TN_USAGE;
    }
    tn_load_options options = tn_request_load_options(r);
    tn_module *m = tn_load_file(plan->ctx, path, &options);
    tn_status status = m == NULL                                 ? TN_ERROR
                       : plan->set == NULL && at->names.len == 0 ? tn_planner_check(r, m, plan)
                                                                 : check_modules(r, m, plan, at);
    if (status == TN_OK && out != NULL) {
        *out = m;
    } else {
        tn_module_drop(m);
    }
    return status;
}

static tn_plan *read_annotated(tn_arena *arena, const char *path) {
    tn_ctx *ctx = tn_arena_ctx(arena);
    tn_bytes bytes, text;
    if (strcmp(path, "-") == 0) {
        tn_error(ctx, NULL,
                 "a plan in the metadata of a model is read from a file, not from standard input");
        return NULL;
    }
    if (tn_file_map(arena, path, &bytes) != TN_OK ||
        !tn_load_note(ctx, path, bytes, TN_PLAN_NOTE, &text)) {
        return NULL;
    }
    const char *name = tn_arena_printf(arena, "%s: %s", path, TN_PLAN_NOTE);
    return tn_plan_from_json(ctx, name, text.data, text.size);
}

/* What says how a plan is made. */
static bool asks_for_passes(const tenure_options *options) {
    const tn_request *r = options != NULL ? options->request : NULL;
    return r != NULL && (r->optimize != NULL || r->passes != NULL || r->schedule != NULL ||
                         r->views != NULL || r->inplace != NULL || r->memory != NULL ||
                         r->level != NULL || r->algo != NULL || r->overlap != NULL);
}

static tn_status load_planned(tn_ctx *ctx, void *arg) {
    check_args *a = arg;
    asked_extents at = {0};
    if (asks_for_passes(a->options)) {
        return tn_usage(ctx, NULL,
                        "a plan that is read from a model is made already; options of the pipeline "
                        "cannot change it");
    }
    tn_arena *arena = tn_arena_new(ctx);
    tn_request *r = tn_request_new(arena);
    tn_plan *plan = read_annotated(arena, a->model_path);
    tn_status status = plan != NULL ? ask(r, a->options, plan, a->model_path, &at) : TN_ERROR;
    if (status == TN_OK) {
        status = check_loaded(r, a->model_path, plan, &at, &a->module);
    }
    if (status != TN_OK) {
        tn_plan_drop(plan);
    }
    a->plan = status == TN_OK ? plan : NULL;
    tn_arena_drop(arena);
    return status;
}

tenure_model *tenure_load_planned(tenure_context *ctx, const char *path,
                                  const tenure_options *options, tenure_plan **plan) {
    check_args a = {.options = options};
    if (plan != NULL) {
        *plan = NULL;
    }
    if (ctx == NULL || path == NULL || plan == NULL) {
        (void)tn_api_null(api_ctx(ctx), "tenure_load_planned", path == NULL ? "path" : "plan");
        return NULL;
    }
    a.model_path = tn_set_path(path);
    if (tn_guard_run(api_ctx(ctx), load_planned, &a) != TN_OK) {
        return NULL;
    }
    *plan = (tenure_plan *)(uintptr_t)a.plan;
    return (tenure_model *)a.module;
}

static void put_right(tn_sink *out, const char *name, const tn_plan *plan) {
    uint32_t values = 0, storages = 0, steps = 0, n = tn_plan_count(plan);
    for (uint32_t i = 0; i < n; i++) {
        const tn_plan *p = tn_plan_at(plan, i);
        values += p->report.n_planned;
        storages += p->n_storages;
        steps += p->n_steps;
    }
    tn_putf(out, "%s: the plan is right: ", name);
    if (plan->set != NULL) {
        tn_putf(out, "%u programs, %u variants, ", plan->set->n_programs, n);
    }
    tn_putf(out, "%u values in %u storages, %u steps\n", values, storages, steps);
}

static tn_status check_files(tn_ctx *ctx, void *arg) {
    check_args *a = arg;
    asked_extents at = {0};
    tn_arena *arena = tn_arena_new(ctx);
    tn_request *r = tn_request_new(arena);
    const char *name = a->plan_path != NULL ? a->plan_path : a->model_path;
    tn_plan *plan =
        a->plan_path != NULL ? tn_api_read_plan(arena, name) : read_annotated(arena, name);
    tn_status status = plan != NULL ? ask(r, a->options, plan, name, &at) : TN_ERROR;
    if (status == TN_OK && plan->set != NULL && (at.names.len == 0 || tn_shares_pools(plan))) {
        status = tn_set_check_files(r, plan, a->models, (uint32_t)a->n_models);
    } else if (status == TN_OK && a->n_models > 1) {
        status =
            tn_usage(ctx, NULL, "'%s' is a plan of one model, %zu are given", name, a->n_models);
    } else if (status == TN_OK) {
        status = check_loaded(r, a->model_path, plan, &at, NULL);
    }
    if (status == TN_OK) {
        a->report = tn_api_buffer_new(ctx);
        put_right(&a->report->text, name, plan);
    }
    tn_plan_drop(plan);
    tn_arena_drop(arena);
    return status;
}

tenure_status tenure_check_models(tenure_context *ctx, const char *const *models, size_t n,
                                  const char *plan, const tenure_options *options,
                                  tenure_buffer **report) {
    check_args a = {.options = options, .plan_path = plan, .models = models, .n_models = n};
    if (report != NULL) {
        *report = NULL;
    }
    if (ctx == NULL || models == NULL || n == 0 || models[0] == NULL || report == NULL) {
        return tn_api_null(api_ctx(ctx), "tenure_check_models",
                           report == NULL ? "report" : "models");
    }
    a.model_path = tn_set_path(models[0]);
    return tn_api_put(api_ctx(ctx), check_files, &a, &a.report, report);
}

tenure_status tenure_check_files(tenure_context *ctx, const char *model, const char *plan,
                                 const tenure_options *options, tenure_buffer **report) {
    if (report != NULL) {
        *report = NULL;
    }
    if (ctx == NULL || model == NULL || report == NULL) {
        return tn_api_null(api_ctx(ctx), "tenure_check_files", model == NULL ? "model" : "report");
    }
    return tenure_check_models(ctx, &model, 1, plan, options, report);
}

tenure_status tenure_plan_check(const tenure_plan *plan, const tenure_model *model,
                                const tenure_options *options) {
    check_args a = {.plan = api_plan(plan), .module = api_module(model), .options = options};
    if (plan == NULL || model == NULL) {
        return tn_api_null(plan != NULL    ? a.plan->ctx
                           : model != NULL ? a.module->ctx
                                           : NULL,
                           "tenure_plan_check", plan == NULL ? "plan" : "model");
    }
    return (tenure_status)tn_guard_run(a.module->ctx, check, &a);
}
