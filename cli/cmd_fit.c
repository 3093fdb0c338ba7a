/* `tenure fit`: finds what makes a model fit a budget, and writes the plan. */
#include <string.h>

#include "cli/cli.h"
#include "cli/out_files.h"

static bool ends_with(const char *path, const char *end) {
    size_t n = strlen(path), k = strlen(end);
    return n > k && strcmp(path + n - k, end) == 0;
}

static tenure_status add_file(tn_out_files *files, const char *path, tenure_status status,
                              tenure_buffer *text) {
    if (status == TENURE_OK &&
        tn_out_write(files, path, tenure_buffer_data(text), tenure_buffer_size(text)) != 0) {
        status = files->status;
    }
    tenure_buffer_free(text);
    return status;
}

/* --report */
static tenure_status add_report(const tn_cli *c, const tenure_fit *fit, tn_out_files *files) {
    const char *path = tenure_options_value(c->options, "report");
    tenure_buffer *text = NULL;
    if (path == NULL) {
        return TENURE_OK;
    }
    const char *form = ends_with(path, ".json")   ? "json"
                       : ends_with(path, ".html") ? "html"
                                                  : "text";
    tenure_status status = tenure_fit_report(fit, form, &text);
    return add_file(files, path, status, text);
}

/* --save-project */
static tenure_status add_project(const tn_cli *c, const tenure_fit *fit, tn_out_files *files) {
    const char *path = tenure_options_value(c->options, "save-project");
    tenure_buffer *text = NULL;
    if (path == NULL) {
        return TENURE_OK;
    }
    tenure_status status = tenure_options_print(tenure_fit_options(fit), c->args[0], &text);
    return add_file(files, path, status, text);
}

/* Artefacts of a plan that fits, or is the best so far; a report in any case. */
static tenure_status write_all(const tn_cli *c, tenure_status made, const tenure_fit *fit,
                               const tenure_plan *plan, const tenure_model *model) {
    tn_out_files files = {0};
    tenure_status status = add_report(c, fit, &files);
    if (status == TENURE_OK && made != TENURE_NOFIT) {
        status = tn_out_emit(&files, tenure_fit_options(fit), plan, model);
    }
    if (status == TENURE_OK && made != TENURE_NOFIT) {
        status = add_project(c, fit, &files);
    }
    if (status == TENURE_OK) {
        status = tn_out_commit(&files);
    }
    tn_out_drop(&files);
    return status;
}

/* To standard output where no artefact may go there. */
static tenure_status put_report(const tn_cli *c, const tenure_fit *fit) {
    tenure_buffer *text = NULL;
    tenure_status status = tenure_fit_report(fit, "text", &text);
    bool alone = tenure_options_value(c->options, "emit") == NULL &&
                 tenure_options_value(c->options, "output") == NULL;
    if (alone) {
        return tn_cli_put(status, text);
    }
    tn_cli_report(text);
    return status;
}

tenure_status tn_cmd_fit(tn_cli *c) {
    tenure_plan *plan = NULL;
    tenure_fit *fit = NULL;
    tenure_status status = tn_cli_spare_inputs(c);
    status = status == TENURE_OK ? tenure_options_check(c->options, c->args[0]) : status;
    if (status != TENURE_OK) {
        return status;
    }
    tenure_model *model = tenure_load_file(c->ctx, c->args[0], c->options);
    if (model == NULL) {
        return tenure_last_status(c->ctx);
    }
    status = tenure_fit_make(model, c->options, &plan, &fit);
    if (fit != NULL) {
        tenure_status written = write_all(c, status, fit, plan, model);
        status = written != TENURE_OK ? written : status;
        if (written == TENURE_OK && !tn_cli_flag(c, "quiet")) {
            tenure_status put = put_report(c, fit);
            status = put != TENURE_OK ? put : status;
        }
    }
    tenure_fit_free(fit);
    return status;
}
