/* tenure.h: what is said of models and plans, and what makes a model fit. */
#include <string.h>

#include "ir/base/diag.h"
#include "lib/api/api_t.h"
#include "lib/dims/open_dims.h"
#include "lib/fit/fit.h"

typedef struct explain_args {
    tn_module *module;   /* or */
    const tn_plan *plan; /* one that is there */
    const tenure_options *options;
    tn_names tensors;
    tenure_buffer *made;
} explain_args;

/* How the plan is to be made is no question any more. */
static tn_status demand_nothing(tn_ctx *ctx, const tn_request *r, tn_arena *arena) {
    tn_pairs given = tn_request_settled(r, arena);
    return given.len == 0
               ? TN_OK
               : tn_usage(ctx, NULL,
                          "%s%s: the plan is made already; explain its model with other options",
                          given.data[0].key[1] != '\0' ? "--" : "-", given.data[0].key);
}

static tn_status explain(tn_ctx *ctx, void *arg) {
    explain_args *a = arg;
    tn_arena *arena = tn_arena_new(ctx);
    const tn_request request = tn_options_request(a->options, arena);
    const tn_explain_args args = a->options != NULL ? a->options->explain : tn_explain_defaults();
    a->made = tn_api_buffer_new(ctx);
    tn_status status =
        a->plan != NULL ? demand_nothing(ctx, &request, arena) : tn_api_settle(a->module);
    if (status == TN_OK) {
        status = tn_explain_check(&args, ctx);
    }
    if (status == TN_OK) {
        status =
            a->plan != NULL
                ? tn_explain_plan(arena, a->plan, &args, a->tensors, &a->made->text)
                : tn_explain_model(arena, a->module, &request, &args, a->tensors, &a->made->text);
    }
    if (status != TN_OK) {
        tn_arena_drop(a->made->arena);
    }
    tn_arena_drop(arena);
    return status;
}

tenure_status tenure_explain(const tenure_model *model, const tenure_options *options,
                             const char *const *tensors, size_t n_tensors, tenure_buffer **out) {
    explain_args a = {api_module(model), NULL, options, {tensors, (uint32_t)n_tensors, 0}, NULL};
    if (out != NULL) {
        *out = NULL;
    }
    if (model == NULL || out == NULL || (tensors == NULL && n_tensors > 0)) {
        return tn_api_null(model != NULL ? a.module->ctx : NULL, "tenure_explain",
                           out == NULL ? "out" : "tensors");
    }
    return tn_api_put(a.module->ctx, explain, &a, &a.made, out);
}

tenure_status tenure_plan_explain(const tenure_plan *plan, const tenure_options *options,
                                  const char *const *tensors, size_t n_tensors,
                                  tenure_buffer **out) {
    explain_args a = {NULL, api_plan(plan), options, {tensors, (uint32_t)n_tensors, 0}, NULL};
    if (out != NULL) {
        *out = NULL;
    }
    if (plan == NULL || out == NULL || (tensors == NULL && n_tensors > 0)) {
        return tn_api_null(plan != NULL ? a.plan->ctx : NULL, "tenure_plan_explain",
                           out == NULL ? "out" : "tensors");
    }
    return tn_api_put(a.plan->ctx, explain, &a, &a.made, out);
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

/* ---- what makes a model fit ---- */

typedef struct fit_args {
    tn_module *module;
    const tenure_options *options;
    tn_plan *plan;
    tn_fit *fit;
    const char *form;
    tenure_buffer *made;
} fit_args;

static tn_fit *api_fit(const tenure_fit *fit) {
    return (tn_fit *)fit;
}

static tn_status make_fit(tn_ctx *ctx, void *arg) {
    fit_args *a = arg;
    tn_plan *plan = NULL;
    tn_fit *fit = NULL;
    tn_status status = tn_fit_check(&a->options->fit, a->options->request, ctx);
    if (status == TN_OK) {
        status = tn_api_settle(a->module);
    }
    if (status == TN_OK) {
        status = tn_fit_model(a->module, a->options, &plan, &fit);
    }
    a->plan = plan; /* on a return only: a raise drops them */
    a->fit = fit;
    return status;
}

tenure_status tenure_fit_make(const tenure_model *model, const tenure_options *options,
                              tenure_plan **plan, tenure_fit **fit) {
    fit_args a = {.module = api_module(model), .options = options};
    if (plan != NULL) {
        *plan = NULL;
    }
    if (fit != NULL) {
        *fit = NULL;
    }
    if (model == NULL || options == NULL || plan == NULL || fit == NULL) {
        return tn_api_null(model != NULL ? a.module->ctx : NULL, "tenure_fit_make",
                           options == NULL ? "options"
                           : plan == NULL  ? "plan"
                                           : "fit");
    }
    tn_status status = tn_guard_run(a.module->ctx, make_fit, &a);
    *plan = (tenure_plan *)a.plan;
    *fit = (tenure_fit *)a.fit;
    return (tenure_status)status;
}

static tn_status report_fit(tn_ctx *ctx, void *arg) {
    fit_args *a = arg;
    static const struct {
        const char *name;
        void (*print)(const tn_fit *f, tn_sink *out);
    } forms[] = {{"text", tn_fit_print}, {"json", tn_fit_print_json}, {"html", tn_fit_print_html}};
    a->made = tn_api_buffer_new(ctx);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (strcmp(forms[i].name, a->form) == 0) {
            forms[i].print(a->fit, &a->made->text);
            return TN_OK;
        }
    }
    tn_arena_drop(a->made->arena);
    return tn_usage(ctx, NULL, "tenure_fit_report: the form is text, json or html, not '%s'",
                    a->form);
}

tenure_status tenure_fit_report(const tenure_fit *fit, const char *form, tenure_buffer **out) {
    fit_args a = {.fit = api_fit(fit), .form = form};
    if (out != NULL) {
        *out = NULL;
    }
    if (fit == NULL || form == NULL || out == NULL) {
        return tn_api_null(fit != NULL ? tn_arena_ctx(a.fit->arena) : NULL, "tenure_fit_report",
                           form == NULL ? "form" : "out");
    }
    return tn_api_put(tn_arena_ctx(a.fit->arena), report_fit, &a, &a.made, out);
}

tenure_options *tenure_fit_options(const tenure_fit *fit) {
    return fit != NULL ? api_fit(fit)->options : NULL;
}

const char *tenure_fit_command(const tenure_fit *fit) {
    return fit != NULL ? api_fit(fit)->command : NULL;
}

size_t tenure_fit_count(const tenure_fit *fit) {
    return fit != NULL ? api_fit(fit)->rungs.len : 0;
}

int tenure_fit_rung(const tenure_fit *fit, size_t index, tenure_rung *out) {
    if (fit == NULL || index >= api_fit(fit)->rungs.len) {
        return 0;
    }
    const tn_rung *r = &api_fit(fit)->rungs.data[index];
    bool made = r->end != TN_RUNG_NONE;
    tenure_rung full = {.struct_size = sizeof full,
                        .measure = index > 0 ? tn_measure_names[r->in] : "none",
                        .options = r->options,
                        .asks = r->asks,
                        .ram = made ? r->need : 0,
                        .flash = made ? r->flash : 0,
                        .arena = r->outcome.arena,
                        .stack = r->outcome.stack,
                        .operations = r->outcome.operations,
                        .model_operations = r->outcome.model_operations,
                        .made = made,
                        .fits = made && r->fits,
                        .part = r->end == TN_RUNG_KEPT || r->end == TN_RUNG_CHOSEN,
                        .chosen = r->end == TN_RUNG_CHOSEN};
    return TN_API_FILL(out, full);
}

void tenure_fit_free(tenure_fit *fit) {
    tn_fit_drop(api_fit(fit));
}
