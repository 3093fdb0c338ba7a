/* tenure.h: measures that make a model fit a budget. */
#include <string.h>

#include "ir/base/diag.h"
#include "lib/api/api_t.h"
#include "lib/fit/fit.h"
#include "lib/request/project_args.h"

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

static tn_status make(tn_ctx *ctx, void *arg) {
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
    tn_status status = tn_guard_run(a.module->ctx, make, &a);
    *plan = (tenure_plan *)a.plan;
    *fit = (tenure_fit *)a.fit;
    return (tenure_status)status;
}

static tn_status report(tn_ctx *ctx, void *arg) {
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
    return tn_api_put(tn_arena_ctx(a.fit->arena), report, &a, &a.made, out);
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
