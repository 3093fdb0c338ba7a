/* `tenure check`: the checker alone, on a plan from a file. */
#include "cli/run.h"
#include "ir/base/file.h"
#include "ir/plan/forms.h"

typedef struct check_args {
    bool quiet;
} check_args;

static const tn_setting table[] = {{.name = "quiet",
                                    .letter = 'q',
                                    .set = tn_set_flag,
                                    .offset = offsetof(check_args, quiet),
                                    .help = "print nothing when the plan is right"},
                                   {0}};

static tn_plan *read_plan(tn_cli *cli, const char *path) {
    tn_bytes bytes;
    if (tn_file_map(cli->arena, path, &bytes) != TN_OK) {
        return NULL;
    }
    return tn_plan_from_json(cli->ctx, path, bytes.data, bytes.size);
}

tn_status tn_cmd_check(tn_cli *cli) {
    tn_request *r = tn_request_new(cli->arena);
    check_args a = {0};
    tn_setting_group groups[TN_REQUEST_GROUPS + 1];
    tn_request_groups(r, groups);
    /* The pipeline made the plan; it says nothing about whether the plan is right. */
    groups[1] = groups[2];
    groups[2] = (tn_setting_group){"output", table, &a, NULL};
    tn_texts rest = {0};
    tn_status status;
    if (!tn_cli_parse(cli, groups, 3, 1, 2, &rest, &status)) {
        return status;
    }
    const char *name = rest.data[rest.len - 1];
    tn_plan *plan = rest.len > 1 ? read_plan(cli, name) : tn_cli_read_annotated(cli, name);
    if (plan == NULL) {
        return TN_ERROR;
    }
    (void)tn_cli_load_and_check(cli, r, rest.data[0], plan, name, &status);
    if (status == TN_OK && !a.quiet) {
        tn_sink out = tn_sink_make(cli->arena);
        tn_putf(&out, "%s: the plan is right: %u values in %u storages, %u steps\n", name,
                plan->report.n_planned, plan->n_storages, plan->n_steps);
        status = tn_cli_put(cli, &out);
    }
    return status;
}
