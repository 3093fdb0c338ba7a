/* tenure.h: what is said of models and plans, and packing. */
#include <string.h>

#include "ir/base/diag.h"
#include "lib/api/api_t.h"
#include "lib/dims/open_dims.h"

typedef struct explain_args {
    tn_module *module;
    const tenure_options *options;
    tn_names tensors;
    tenure_buffer *made;
} explain_args;

static tn_status explain(tn_ctx *ctx, void *arg) {
    explain_args *a = arg;
    tn_arena *arena = tn_arena_new(ctx);
    const tn_request request = tn_options_request(a->options, arena);
    const tn_explain_args args = a->options != NULL ? a->options->explain : tn_explain_defaults();
    a->made = tn_api_buffer_new(ctx);
    tn_status status = tn_api_settle(a->module);
    if (status == TN_OK) {
        status = tn_explain_check(&args, ctx);
    }
    if (status == TN_OK) {
        status = tn_explain_model(arena, a->module, &request, &args, a->tensors, &a->made->text);
    }
    if (status != TN_OK) {
        tn_arena_drop(a->made->arena);
    }
    tn_arena_drop(arena);
    return status;
}

tenure_status tenure_explain(const tenure_model *model, const tenure_options *options,
                             const char *const *tensors, size_t n_tensors, tenure_buffer **out) {
    explain_args a = {api_module(model), options, {tensors, (uint32_t)n_tensors, 0}, NULL};
    if (out != NULL) {
        *out = NULL;
    }
    if (model == NULL || out == NULL || (tensors == NULL && n_tensors > 0)) {
        return tn_api_null(model != NULL ? a.module->ctx : NULL, "tenure_explain",
                           out == NULL ? "out" : "tensors");
    }
    return tn_api_put(a.module->ctx, explain, &a, &a.made, out);
}

typedef struct diff_args {
    const tn_plan *before, *after;
    const tenure_options *options;
    bool differ;
    tenure_buffer *made;
} diff_args;

static tn_status diff(tn_ctx *ctx, void *arg) {
    diff_args *a = arg;
    const tn_diff_args args = a->options != NULL ? a->options->diff : tn_diff_defaults();
    tn_status status = tn_diff_check(&args, ctx);
    if (status == TN_OK) {
        a->made = tn_api_buffer_new(ctx);
        a->differ = tn_diff_plans(a->before, a->after, &args, &a->made->text);
    }
    return status;
}

tenure_status tenure_plan_diff(const tenure_plan *before, const tenure_plan *after,
                               const tenure_options *options, int *differ, tenure_buffer **out) {
    diff_args a = {.before = api_plan(before), .after = api_plan(after), .options = options};
    if (out != NULL) {
        *out = NULL;
    }
    if (before == NULL || after == NULL || out == NULL) {
        return tn_api_null(before != NULL ? a.before->ctx : NULL, "tenure_plan_diff",
                           after == NULL ? "after" : "out");
    }
    tenure_status status = tn_api_put(a.before->ctx, diff, &a, &a.made, out);
    if (differ != NULL) {
        *differ = status == TENURE_OK && a.differ;
    }
    return status;
}

typedef struct dims_args {
    const char *name;
    tn_bytes bytes;
    tenure_buffer *made;
} dims_args;

static tn_status dims(tn_ctx *ctx, void *arg) {
    dims_args *a = arg;
    tn_arena *arena = tn_arena_new(ctx);
    tn_status status = a->bytes.data == NULL ? tn_file_map(arena, a->name, &a->bytes) : TN_OK;
    a->made = tn_api_buffer_new(ctx);
    if (status == TN_OK) {
        status = tn_dims_print(arena, a->name, a->bytes, &a->made->text);
    }
    if (status != TN_OK) {
        tn_arena_drop(a->made->arena);
    }
    tn_arena_drop(arena);
    return status;
}

tenure_status tenure_dims(tenure_context *ctx, const char *name, const void *data, size_t size,
                          tenure_buffer **out) {
    dims_args a = {name, {data, size}, NULL};
    if (out != NULL) {
        *out = NULL;
    }
    if (ctx == NULL || name == NULL || out == NULL) {
        return tn_api_null(api_ctx(ctx), "tenure_dims", name == NULL ? "name" : "out");
    }
    return tn_api_put(api_ctx(ctx), dims, &a, &a.made, out);
}

const char *tenure_nearest(const char *word, const char *const *candidates, size_t count) {
    return word != NULL && candidates != NULL ? tn_nearest(word, candidates, count) : NULL;
}
