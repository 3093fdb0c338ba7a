/* `tenure plan`: loads a model, plans its memory, checks the plan and writes it. */
#include "cli/artefacts.h"
#include "ir/base/diag.h"
#include "ir/plan/forms.h"

typedef struct report_args {
    bool quiet;
} report_args;

static const tn_setting report_table[] = {{.name = "quiet",
                                           .letter = 'q',
                                           .set = tn_set_flag,
                                           .offset = offsetof(report_args, quiet),
                                           .help = "no report on standard error"},
                                          {0}};

static void put_report(tn_cli *cli, const tn_plan *plan) {
    tn_sink out = tn_sink_make(cli->arena);
    tn_plan_report_print(plan, &out);
    tn_cli_report(out.data, out.len);
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
    tn_module *m = tn_cli_load_and_run(cli, r, &run, rest.data[0], &plan, &status);
    if (m == NULL) {
        return status;
    }
    if (status == TN_OK && plan == NULL) {
        return tn_usage(cli->ctx, NULL, "the pipeline makes no plan; it lacks the pass 'reuse'");
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
