/* tenure.h: models. */
#include "frontends/core/frontend.h"
#include "ir/build.h"
#include "lib/api/api_t.h"

typedef struct load_args {
    const char *name;
    const tn_bytes *bytes; /* NULL: a file */
    const tenure_options *options;
    tn_module *module;
} load_args;

static tn_status load(tn_ctx *ctx, void *arg) {
    load_args *a = arg;
    tn_arena *arena = tn_arena_new(ctx);
    tn_request request = tn_options_request(a->options, arena);
    if (tn_request_demand_one(&request) != TN_OK) {
        tn_arena_drop(arena);
        return TN_USAGE;
    }
    tn_load_options options = tn_request_load_options(&request);
    a->module = a->bytes != NULL ? tn_load_bytes(ctx, a->name, *a->bytes, &options)
                                 : tn_load_file(ctx, a->name, &options);
    tn_arena_drop(arena);
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
