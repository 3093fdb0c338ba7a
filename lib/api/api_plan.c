/* tenure.h: plans. */
#include <string.h>

#include "frontends/core/bind.h"
#include "frontends/core/frontend.h"
#include "ir/build.h"
#include "ir/plan/forms.h"
#include "lib/api/api_t.h"

typedef struct make_args {
    tn_module *module;
    const tenure_options *options;
    bool in_place;
    tn_plan *plan;
} make_args;

/* The plan is handed over on a return only: a raise drops it with the arenas made inside. */
static tn_status make(tn_ctx *ctx, void *arg) {
    make_args *a = arg;
    tn_arena *arena = tn_arena_new(ctx);
    tn_plan *plan = NULL;
    tn_request request = tn_options_request(a->options, arena);
    tn_run_args plain;
    tn_run run;
    tn_run_args_init(&plain);
    tn_module *module = NULL;
    tn_status status = tn_api_settle(a->module);
    if (status == TN_OK) {
        status = tn_bind_agrees(a->module, request.dims.data, request.dims.len);
    }
    if (status == TN_OK) {
        status = tn_run_begin(&run, a->options != NULL ? &a->options->run : &plain, arena);
    }
    if (status == TN_OK) {
        module = a->in_place ? a->module : tn_module_clone(a->module);
        if (request.open) { /* what is not bound stays open, however the model was loaded */
            tn_bind_open(module, &(tn_load_options){.open_all = true});
        }
        tn_keep_best_begin(ctx, &run.settings);
        status = tn_planner_run(&request, module, &run.settings, &plan);
        status = tn_keep_best_end(ctx, plan, status);
        tn_run_end(&run, arena);
    }
    if (status == TN_OK && plan == NULL && !a->in_place) {
        status = tn_no_plan(ctx);
    }
    if (!a->in_place) {
        tn_module_drop(module);
    }
    tn_arena_drop(arena);
    a->plan = plan;
    return status;
}

static tenure_status run_make(make_args *a, const char *where, tenure_plan **plan) {
    if (plan != NULL) {
        *plan = NULL;
    }
    if (a->module == NULL || plan == NULL) {
        return tn_api_null(a->module != NULL ? a->module->ctx : NULL, where,
                           a->module == NULL ? "model" : "plan");
    }
    tn_status status = tn_guard_run(a->module->ctx, make, a);
    *plan = (tenure_plan *)a->plan;
    return (tenure_status)status;
}

tenure_status tenure_plan_make(const tenure_model *model, const tenure_options *options,
                               tenure_plan **plan) {
    make_args a = {.module = api_module(model), .options = options};
    return run_make(&a, "tenure_plan_make", plan);
}

tenure_status tenure_plan_in_place(tenure_model *model, const tenure_options *options,
                                   tenure_plan **plan) {
    make_args a = {.module = api_module(model), .options = options, .in_place = true};
    return run_make(&a, "tenure_plan_in_place", plan);
}

typedef struct read_args {
    const char *name;
    const void *data;
    size_t size;
    tn_plan *plan;
} read_args;

static tn_status read_plan(tn_ctx *ctx, void *arg) {
    read_args *a = arg;
    a->plan = tn_plan_from_json(ctx, a->name, a->data, a->size);
    return a->plan != NULL ? TN_OK : TN_ERROR;
}

tenure_status tenure_plan_read(tenure_context *ctx, const char *name, const void *data, size_t size,
                               tenure_plan **plan) {
    read_args a = {name, data, size, NULL};
    if (plan != NULL) {
        *plan = NULL;
    }
    if (ctx == NULL || name == NULL || data == NULL || plan == NULL) {
        return tn_api_null(api_ctx(ctx), "tenure_plan_read",
                           name == NULL   ? "name"
                           : data == NULL ? "data"
                                          : "plan");
    }
    tn_status status = tn_guard_run(api_ctx(ctx), read_plan, &a);
    *plan = status == TN_OK ? (tenure_plan *)a.plan : NULL;
    return (tenure_status)status;
}

tn_plan *tn_api_read_plan(tn_arena *arena, const char *path) {
    tn_bytes bytes;
    return tn_file_map(arena, path, &bytes) == TN_OK
               ? tn_plan_from_json(tn_arena_ctx(arena), path, bytes.data, bytes.size)
               : NULL;
}

static tn_status read_plan_file(tn_ctx *ctx, void *arg) {
    read_args *a = arg;
    tn_arena *arena = tn_arena_new(ctx);
    a->plan = tn_api_read_plan(arena, a->name);
    tn_arena_drop(arena);
    return a->plan != NULL ? TN_OK : TN_ERROR;
}

tenure_status tenure_plan_read_file(tenure_context *ctx, const char *path, tenure_plan **plan) {
    read_args a = {.name = path};
    if (plan != NULL) {
        *plan = NULL;
    }
    if (ctx == NULL || path == NULL || plan == NULL) {
        return tn_api_null(api_ctx(ctx), "tenure_plan_read_file", path == NULL ? "path" : "plan");
    }
    tn_status status = tn_guard_run(api_ctx(ctx), read_plan_file, &a);
    *plan = status == TN_OK ? (tenure_plan *)a.plan : NULL;
    return (tenure_status)status;
}

void tenure_plan_free(tenure_plan *plan) {
    tn_plan_drop(api_plan(plan));
}

/* The arena pool: the first of its kind; of a set the one for all. */
static const tn_pool *arena_pool(const tn_plan *p) {
    for (uint32_t i = 0; i < p->n_pools; i++) {
        if (p->pools[i].kind == TN_POOL_ARENA) {
            return p->set != NULL ? &p->set->pools[i] : &p->pools[i];
        }
    }
    return NULL;
}

uint64_t tenure_plan_arena_size(const tenure_plan *plan) {
    const tn_pool *pool = plan != NULL ? arena_pool(api_plan(plan)) : NULL;
    return pool != NULL ? pool->size : 0;
}

uint64_t tenure_plan_lower_bound(const tenure_plan *plan) {
    const tn_pool *pool = plan != NULL ? arena_pool(api_plan(plan)) : NULL;
    return pool != NULL ? pool->bound : 0;
}
