/* Commands that ask the library one question and print its answer. */
#include <string.h>

#include "cli/cli.h"
#include "cli/out_files.h"

static bool is_plan(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot != NULL && strcmp(dot, ".json") == 0;
}

tenure_status tn_cmd_explain(tn_cli *c) {
    tenure_buffer *text = NULL;
    tenure_plan *plan = NULL;
    tenure_status status = tenure_options_check(c->options, NULL);
    if (status != TENURE_OK) {
        return status;
    }
    if (is_plan(c->args[0])) {
        status = tenure_plan_read_file(c->ctx, c->args[0], &plan);
        if (status == TENURE_OK) {
            status =
                tenure_plan_explain(plan, c->options, c->args + 1, (size_t)c->n_args - 1, &text);
        }
        return tn_cli_put(status, text);
    }
    tenure_model *model = tenure_load_file(c->ctx, c->args[0], c->options);
    if (model == NULL) {
        return tenure_last_status(c->ctx);
    }
    status = tenure_explain(model, c->options, c->args + 1, (size_t)c->n_args - 1, &text);
    return tn_cli_put(status, text);
}

tenure_status tn_cmd_check(tn_cli *c) {
    tenure_buffer *text = NULL;
    const char *plan = c->n_args > 1 ? c->args[--c->n_args] : NULL;
    tenure_status status =
        tenure_check_models(c->ctx, c->args, (size_t)c->n_args, plan, c->options, &text);
    if (tn_cli_flag(c, "quiet")) {
        tenure_buffer_free(text);
        return status;
    }
    return tn_cli_put(status, text);
}

tenure_status tn_cmd_dims(tn_cli *c) {
    tenure_buffer *text = NULL;
    tenure_status status = tenure_dims(c->ctx, c->args[0], NULL, 0, &text);
    return tn_cli_put(status, text);
}

tenure_status tn_cmd_pack(tn_cli *c) {
    tenure_buffer *packed = NULL, *report = NULL;
    const char *output = tenure_options_value(c->options, "output");
    tenure_status status = tenure_options_check(c->options, NULL);
    if (status == TENURE_OK) {
        status = tn_cli_spare_inputs(c);
    }
    if (status == TENURE_OK) {
        status = tenure_pack_file(c->ctx, c->args[0], c->options, &packed, &report);
    }
    tn_cli_report(report);
    if (status == TENURE_OK) {
        status = tn_out_whole(output != NULL ? output : "-", tenure_buffer_data(packed),
                              tenure_buffer_size(packed));
    }
    tenure_buffer_free(packed);
    return status;
}
