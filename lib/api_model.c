/* tenure.h: models. */
#include "frontends/core/frontend.h"
#include "ir/build.h"
#include "ir/text/text.h"
#include "lib/api_t.h"

typedef struct load_args {
    const char *name;
    const tn_bytes *bytes; /* NULL: a file */
    const tenure_options *options;
    tn_module *module;
} load_args;

static tn_status load(tn_ctx *ctx, void *arg) {
    load_args *a = arg;
    tn_load_options options = {0};
    if (a->options != NULL) {
        options = tn_request_load_options(a->options->request);
    }
    a->module = a->bytes != NULL ? tn_load_bytes(ctx, a->name, *a->bytes, &options)
                                 : tn_load_file(ctx, a->name, &options);
    return a->module != NULL ? TN_OK : TN_ERROR;
}

static tenure_model *run_load(tenure_context *ctx, load_args *a) {
    return tn_guard_run(api_ctx(ctx), load, a) == TN_OK ? (tenure_model *)a->module : NULL;
}

tenure_model *tenure_load_file(tenure_context *ctx, const char *path,
                               const tenure_options *options) {
    load_args a = {.name = path, .options = options};
    if (ctx == NULL || path == NULL) {
        (void)tn_api_null(api_ctx(ctx), "tenure_load_file", "path");
        return NULL;
    }
    return run_load(ctx, &a);
}

tenure_model *tenure_load_memory(tenure_context *ctx, const char *name, const void *data,
                                 size_t size, const tenure_options *options) {
    tn_bytes bytes = {data, size};
    if (ctx == NULL || name == NULL || data == NULL) {
        (void)tn_api_null(api_ctx(ctx), "tenure_load_memory", name == NULL ? "name" : "data");
        return NULL;
    }
    load_args a = {.name = name, .bytes = &bytes, .options = options};
    return run_load(ctx, &a);
}

void tenure_model_free(tenure_model *model) {
    if (model != NULL) {
        tn_module_drop(api_module(model));
    }
}

typedef struct run_args {
    tn_module *module;
    const char *pipeline;
} run_args;

static tn_status run(tn_ctx *ctx, void *arg) {
    const run_args *a = arg;
    tn_arena *arena = tn_arena_new(ctx);
    tn_pipeline p;
    tn_controls controls = tn_controls_default();
    tn_plan *plan = NULL;
    tn_status status = tn_pipeline_parse(arena, "pipeline", a->pipeline, &p);
    if (status == TN_OK) {
        status = tn_run_pipeline(ctx, a->module, &p, &controls, &plan, NULL);
    }
    tn_plan_drop(plan);
    tn_arena_drop(arena);
    return status;
}

tenure_status tenure_model_run(tenure_model *model, const char *pipeline) {
    run_args a = {api_module(model), pipeline};
    if (model == NULL || pipeline == NULL) {
        return tn_api_null(model != NULL ? a.module->ctx : NULL, "tenure_model_run", "pipeline");
    }
    return (tenure_status)tn_guard_run(a.module->ctx, run, &a);
}

typedef struct print_args {
    const tn_module *module;
    tenure_buffer *out;
} print_args;

static tn_status print(tn_ctx *ctx, void *arg) {
    print_args *a = arg;
    a->out = tn_api_buffer_new(ctx);
    tn_module_print(a->module, &a->out->text);
    return TN_OK;
}

tenure_status tenure_model_print(const tenure_model *model, tenure_buffer **out) {
    print_args a = {.module = api_module(model)};
    if (out != NULL) {
        *out = NULL;
    }
    if (model == NULL || out == NULL) {
        return tn_api_null(model != NULL ? a.module->ctx : NULL, "tenure_model_print", "out");
    }
    return tn_api_put(a.module->ctx, print, &a, &a.out, out);
}
