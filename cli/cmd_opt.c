/* `tenure opt`: any pipeline over a model, the module out in text form. */
#include "cli/run.h"
#include "frontends/core/frontend.h"
#include "ir/base/file.h"
#include "ir/plan/forms.h"
#include "ir/text/text.h"

typedef struct opt_args {
    const char *output;
    bool print_plan;
} opt_args;

static const tn_setting table[] = {
    {.name = "output",
     .letter = 'o',
     .arg = "FILE",
     .set = tn_set_text,
     .offset = offsetof(opt_args, output),
     .type = TN_SETTING_FILE,
     .help = "where the module goes; - is standard output"},
    {.name = "print-plan",
     .set = tn_set_flag,
     .offset = offsetof(opt_args, print_plan),
     .help = "print the plan in text form; the module is written only with -o"},
    {0}};

static tn_status write_results(tn_cli *cli, const opt_args *a, const tn_module *m,
                               const tn_plan *plan) {
    tn_status status = TN_OK;
    tn_sink text = tn_sink_make(cli->arena);
    if (a->print_plan && plan == NULL) {
        return tn_usage(cli->ctx, NULL, "--print-plan: the pipeline makes no plan");
    }
    if (!a->print_plan || a->output != NULL) {
        tn_module_print(m, &text);
        status = tn_file_write(cli->ctx, a->output != NULL ? a->output : "-", text.data, text.len);
    }
    if (status == TN_OK && a->print_plan) {
        tn_sink out = tn_sink_make(cli->arena);
        tn_plan_print(plan, &out);
        status = tn_cli_put(cli, &out);
    }
    return status;
}

tn_status tn_cmd_opt(tn_cli *cli) {
    tn_request *r = tn_request_new(cli->arena);
    tn_run_args run;
    opt_args a = {0};
    tn_run_args_init(&run, cli);
    tn_setting_group groups[TN_REQUEST_GROUPS + 2] = {{"output", table, &a, NULL}};
    tn_request_groups(r, groups + 1);
    groups[TN_REQUEST_GROUPS + 1] = tn_run_args_group(&run);
    tn_texts rest = {0};
    tn_status status;
    if (!tn_cli_parse(cli, groups, TN_REQUEST_GROUPS + 2, 1, 1, &rest, &status)) {
        return status;
    }
    if (r->passes == NULL && r->optimize == NULL) {
        r->passes = ""; /* unlike `plan`, nothing runs that was not asked for */
    }
    tn_plan *plan;
    tn_module *m = tn_cli_load_and_run(cli, r, &run, rest.data[0], &plan, &status);
    if (m != NULL && status == TN_OK) {
        status = write_results(cli, &a, m, plan);
    }
    return status;
}
