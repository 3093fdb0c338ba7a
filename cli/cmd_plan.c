/* `tenure plan`: loads a model, plans its memory, checks the plan and writes it. */
#include "cli/artefacts.h"
#include "ir/base/diag.h"
#include "ir/plan/forms.h"

typedef struct report_args {
    bool quiet, annotated;
} report_args;

static const tn_setting report_table[] = {
    {.name = "quiet",
     .letter = 'q',
     .set = tn_set_flag,
     .offset = offsetof(report_args, quiet),
     .help = "no report on standard error"},
    {.name = "from-annotations",
     .set = tn_set_flag,
     .offset = offsetof(report_args, annotated),
     .help = "make no plan: check the one in the model's metadata (--emit=onnx) and write that"},
    {0}};

static void put_report(tn_cli *cli, const tn_plan *plan) {
    tn_sink out = tn_sink_make(cli->arena);
    tn_plan_report_print(plan, &out);
    tn_cli_report(out.data, out.len);
}

/* What says how a plan is made. */
static bool asks_for_passes(const tn_request *r) {
    return r->optimize != NULL || r->passes != NULL || r->schedule != NULL || r->views != NULL ||
           r->inplace != NULL || r->memory != NULL || r->level != NULL || r->algo != NULL;
}

static tn_module *load_annotated(tn_cli *cli, tn_request *r, tn_run_args *run, const char *path,
                                 tn_plan **plan, tn_status *status) {
    *plan = NULL;
    *status = tn_run_args_finish(run, cli);
    if (*status == TN_OK && asks_for_passes(r)) {
        tn_error(cli->ctx, NULL,
                 "--from-annotations: the plan is made already; options of the pipeline cannot "
                 "change it");
        *status = TN_USAGE;
    }
    if (*status != TN_OK) {
        return NULL;
    }
    *plan = tn_cli_read_annotated(cli, path);
    *status = *plan != NULL ? TN_OK : TN_ERROR;
    return *plan != NULL ? tn_cli_load_and_check(cli, r, path, *plan, path, status) : NULL;
}

tn_status tn_cmd_plan(tn_cli *cli) {
    enum { N = TN_REQUEST_GROUPS + 3 };
    tn_request *r = tn_request_new(cli->arena);
    tn_run_args run;
    tn_artefacts artefacts = {0};
    report_args report = {0};
    tn_run_args_init(&run, cli);
    tn_setting_group groups[N] = {tn_artefacts_group(&artefacts)};
    tn_request_groups(r, groups + 1);
    groups[N - 2] = tn_run_args_group(&run);
    groups[N - 1] = (tn_setting_group){"report", report_table, &report, NULL};
    tn_texts rest = {0};
    tn_status status;
    if (!tn_cli_parse(cli, groups, N, 1, 1, &rest, &status)) {
        return status;
    }
    status = tn_artefacts_resolve(&artefacts, cli, rest.data[0]);
    if (status != TN_OK) {
        return status;
    }
    r->controls.least_align = tn_artefacts_align(&artefacts);
    tn_plan *plan;
    tn_module *m = (report.annotated ? load_annotated : tn_cli_load_and_run)(
        cli, r, &run, rest.data[0], &plan, &status);
    if (m == NULL) {
        return status;
    }
    if (status == TN_OK && plan == NULL) {
        tn_error(cli->ctx, NULL, "the pipeline makes no plan; it lacks the pass 'reuse'");
        return TN_USAGE;
    }
    if (status == TN_OK && artefacts.list.len > 0) {
        status = tn_plan_may_leave(plan, rest.data[0]);
    } else if (status == TN_OK && report.quiet) {
        tn_plan_warn(plan, rest.data[0]);
    }
    if (status == TN_OK) {
        status = tn_artefacts_write(&artefacts, cli, plan, m);
    }
    if (plan != NULL && !report.quiet) {
        put_report(cli, plan);
    }
    return status;
}
