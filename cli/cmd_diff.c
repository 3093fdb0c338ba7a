/* `tenure diff`: two plans in JSON, and what is different between them. */
#include "cli/cli.h"
#include "cli/out_files.h"

static tenure_status put(const tn_cli *c, const tenure_buffer *text, int differ) {
    const char *output = tenure_options_value(c->options, "output");
    tenure_status status = tn_out_whole(output != NULL ? output : "-", tenure_buffer_data(text),
                                        tenure_buffer_size(text));
    return status == TENURE_OK && differ && tn_cli_flag(c, "exit-code") ? TENURE_ERROR : status;
}

tenure_status tn_cmd_diff(tn_cli *c) {
    tenure_plan *before = NULL, *after = NULL;
    tenure_buffer *text = NULL;
    int differ = 0;
    tenure_status status = tenure_options_check(c->options, NULL);
    if (status == TENURE_OK) {
        status = tn_cli_spare_inputs(c);
    }
    if (status == TENURE_OK) {
        status = tenure_plan_read_file(c->ctx, c->args[0], &before);
    }
    if (status == TENURE_OK) {
        status = tenure_plan_read_file(c->ctx, c->args[1], &after);
    }
    if (status == TENURE_OK) {
        status = tenure_plan_diff(before, after, c->options, &differ, &text);
    }
    if (status == TENURE_OK) {
        status = put(c, text, differ);
    }
    tenure_buffer_free(text);
    return status;
}
