/* `tenure opt`: any pipeline over a model, the module out as text or as an ONNX model. */
#include <string.h>
#include <tenure/ir.h>

#include "cli/cli.h"
#include "cli/out_files.h"

static bool is_onnx(const tn_cli *c, const char *path) {
    static const char end[] = ".onnx";
    const char *form = tenure_options_value(c->options, "emit");
    size_t n = strlen(path), k = sizeof end - 1;
    return form != NULL ? strcmp(form, "onnx") == 0 : n > k && strcmp(path + n - k, end) == 0;
}

static tenure_status write_onnx(const char *path, const tenure_model *model) {
    tn_out_files files = {0};
    tenure_sink sink = {
        .struct_size = sizeof sink, .name = path, .write = tn_out_write, .user = &files};
    tenure_status status = tenure_model_write_onnx(model, &sink);
    if (status == TENURE_OK) {
        status = tn_out_commit(&files);
    } else if (files.status != TENURE_OK) {
        status = files.status;
    }
    tn_out_drop(&files);
    return status;
}

static tenure_status write_text(const char *path, const tenure_model *model) {
    tenure_buffer *text = NULL;
    tenure_status status = tenure_model_print(model, &text);
    if (status == TENURE_OK) {
        status = tn_out_whole(path, tenure_buffer_data(text), tenure_buffer_size(text));
    }
    tenure_buffer_free(text);
    return status;
}

static tenure_status write_results(const tn_cli *c, const tenure_model *model,
                                   const tenure_plan *plan) {
    const char *output = tenure_options_value(c->options, "output");
    bool print_plan = tn_cli_flag(c, "print-plan");
    tenure_status status = TENURE_OK;
    tenure_buffer *text = NULL;
    if (print_plan && plan == NULL) {
        return tn_cli_error(TENURE_USAGE, NULL, "%s", "--print-plan: the pipeline makes no plan");
    }
    if (!print_plan || output != NULL) {
        output = output != NULL ? output : "-";
        status = (is_onnx(c, output) ? write_onnx : write_text)(output, model);
    }
    if (status == TENURE_OK && print_plan) {
        status = tenure_plan_print(plan, &text);
        status = tn_cli_put(status, text);
    }
    return status;
}

tenure_status tn_cmd_opt(tn_cli *c) {
    tenure_plan *plan = NULL;
    tenure_status status = tenure_options_check(c->options, c->args[0]);
    if (status != TENURE_OK) {
        return status;
    }
    tenure_model *model = tenure_load_file(c->ctx, c->args[0], c->options);
    if (model == NULL) {
        return tenure_last_status(c->ctx);
    }
    status = tenure_plan_in_place(model, c->options, &plan);
    return status == TENURE_OK ? write_results(c, model, plan) : status;
}
