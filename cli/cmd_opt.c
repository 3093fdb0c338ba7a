/* `tenure opt`: any pipeline over a model, the module out as text or as an ONNX model. */
#include <string.h>

#include "cli/artefacts.h"
#include "ir/base/diag.h"
#include "ir/onnx/onnx_external.h"
#include "ir/onnx/onnx_write.h"
#include "ir/plan/forms.h"
#include "ir/text/text.h"

typedef struct opt_args {
    const char *output, *form;
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
    {.name = "emit",
     .arg = "FORM",
     .set = tn_set_choice,
     .offset = offsetof(opt_args, form),
     .choices = "tir|onnx",
     .help = "the form of the module: tir (text), or onnx, which is also that of an output whose "
             "name ends in .onnx"},
    {.name = "print-plan",
     .set = tn_set_flag,
     .offset = offsetof(opt_args, print_plan),
     .help = "print the plan in text form; the module is written only with -o"},
    {0}};

static bool is_onnx(const opt_args *a) {
    static const char end[] = ".onnx";
    size_t n = a->output != NULL ? strlen(a->output) : 0, k = sizeof end - 1;
    return a->form != NULL ? strcmp(a->form, "onnx") == 0
                           : n > k && strcmp(a->output + n - k, end) == 0;
}

static void put_text(void *user, tn_sink *out) {
    tn_module_print(user, out);
}

static void put_onnx(void *user, tn_sink *out) {
    const tn_module *m = user;
    tn_onnx_write(m, tn_onnx_order_make(out->arena, m, NULL), NULL, out);
}

static tn_status write_module(tn_cli *cli, const opt_args *a, tn_module *m) {
    const char *file = a->output != NULL ? a->output : "-";
    if (is_onnx(a) && tn_cli_folder(cli, file) != NULL) {
        tn_onnx_demand_external(m, tn_cli_folder(cli, file));
    }
    return tn_cli_write(cli, file, is_onnx(a) ? put_onnx : put_text, m);
}

static tn_status write_results(tn_cli *cli, const opt_args *a, tn_module *m, const tn_plan *plan) {
    tn_status status = TN_OK;
    if (a->print_plan && plan == NULL) {
        tn_error(cli->ctx, NULL, "--print-plan: the pipeline makes no plan");
        return TN_USAGE;
    }
    if (!a->print_plan || a->output != NULL) {
        status = write_module(cli, a, m);
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
