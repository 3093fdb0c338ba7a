/* `tenure plan`: loads a model, plans its memory, checks the plan and writes it. */
#include "cli/cli.h"
#include "cli/out_files.h"

static tenure_status write_all(const tn_cli *c, const tenure_plan *plan,
                               const tenure_model *model) {
    tn_out_files files = {0};
    tenure_status status = tn_out_emit(&files, c->options, plan, model);
    if (status == TENURE_OK) {
        status = tn_out_commit(&files);
    }
    tn_out_drop(&files);
    return status;
}

/* The plan made, or with --from-annotations the one that is in the model. */
static tenure_model *load(const tn_cli *c, tenure_plan **plan, tenure_status *status) {
    tenure_model *model = NULL;
    if (tn_cli_flag(c, "from-annotations")) {
        model = tenure_load_planned(c->ctx, c->args[0], c->options, plan);
        *status = model != NULL ? TENURE_OK : tenure_last_status(c->ctx);
    } else {
        *status = tenure_plan_files(c->ctx, c->args, (size_t)c->n_args, c->options, &model, plan);
    }
    return model;
}

/* The report is the result where nothing else was asked for. */
static tenure_status put_report(const tn_cli *c, tenure_status status, const tenure_plan *plan) {
    tenure_buffer *report = NULL;
    tenure_status printed = tenure_plan_report(plan, &report);
    bool alone = tenure_options_value(c->options, "emit") == NULL &&
                 tenure_options_value(c->options, "output") == NULL;
    if (alone) {
        printed = tn_cli_put(printed, report);
    } else {
        tn_cli_report(report);
    }
    return status == TENURE_OK ? printed : status;
}

tenure_status tn_cmd_plan(tn_cli *c) {
    tenure_plan *plan = NULL;
    tenure_status status = TENURE_OK;
    for (int i = 0; i < c->n_args && status == TENURE_OK; i++) {
        status = tenure_options_check(c->options, c->args[i]);
    }
    if (status != TENURE_OK) {
        return status;
    }
    tenure_model *model = load(c, &plan, &status);
    if (model == NULL) {
        return status;
    }
    if (status == TENURE_OK && plan == NULL) {
        return tn_cli_error(TENURE_USAGE, NULL, "%s",
                            "the pipeline makes no plan; it lacks the pass 'reuse'");
    }
    bool kept = status == TENURE_INTERRUPTED && plan != NULL;
    if (status == TENURE_OK || kept) {
        tenure_status written = write_all(c, plan, model);
        status = written != TENURE_OK ? written : status;
    }
    if (plan != NULL && status != TENURE_NOMEM && (status != TENURE_INTERRUPTED || kept) &&
        !tn_cli_flag(c, "quiet")) {
        status = put_report(c, status, plan);
    }
    return status;
}
