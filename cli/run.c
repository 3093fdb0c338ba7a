/* Loading and running as `plan` and `opt` share it. */
#include "cli/run.h"

#include <string.h>

#include "frontends/core/frontend.h"
#include "ir/base/diag.h"
#include "ir/plan/forms.h"

static tn_status print_pipeline(tn_cli *cli, const tn_request *r) {
    tn_pipeline written, all;
    tn_status status = tn_request_pipeline(r, cli->arena, &written);
    if (status == TN_OK) {
        status = tn_pipeline_complete(cli->arena, &written, &all);
    }
    if (status != TN_OK) {
        return status;
    }
    tn_sink out = tn_sink_make(cli->arena);
    tn_pipeline_print(&all, &out);
    tn_put_c(&out, '\n');
    for (uint32_t i = 0; i < all.len; i++) {
        if (all.items[i].implied_by != NULL) {
            tn_putf(&out, "// %s is implied by %s\n", all.items[i].pass->name,
                    all.items[i].implied_by->name);
        }
    }
    tn_cli_report(out.data, out.len);
    return TN_OK;
}

static void report_refusals(tn_cli *cli, const tn_refusals *refusals) {
    for (uint32_t i = 0; i < refusals->list.len; i++) {
        const tn_refusal *f = &refusals->list.data[i];
        tn_sink text = tn_sink_make(cli->arena);
        tn_refusal_print(f, &text);
        tn_remark(cli->ctx, f->op != NULL ? &f->op->loc : NULL, "%s", text.data);
    }
}

tn_module *tn_cli_load_and_run(tn_cli *cli, tn_request *r, tn_run_args *run, const char *path,
                               tn_plan **plan, tn_status *status) {
    *plan = NULL;
    *status = tn_run_args_finish(run, cli);
    if (*status == TN_OK && run->print_pipeline) {
        *status = print_pipeline(cli, r);
    }
    if (*status != TN_OK) {
        return NULL;
    }
    tn_pipeline p; /* a bad pipeline is reported before a large model is read */
    *status = tn_request_pipeline(r, cli->arena, &p);
    if (*status != TN_OK) {
        return NULL;
    }
    tn_load_options options = tn_request_load_options(r);
    tn_module *m = tn_load_file(cli->ctx, path, &options);
    if (m == NULL) {
        *status = TN_ERROR;
        return NULL;
    }
    *status = tn_planner_run(r, m, &run->settings, plan);
    if (run->print_log) {
        tn_cli_report(run->log.data, run->log.len);
    }
    report_refusals(cli, &run->refusals);
    return m;
}

tn_plan *tn_cli_read_annotated(tn_cli *cli, const char *path) {
    tn_bytes bytes, text;
    if (strcmp(path, "-") == 0) {
        tn_error(cli->ctx, NULL,
                 "a plan in the metadata of a model is read from a file, not from standard input");
        return NULL;
    }
    if (tn_file_map(cli->arena, path, &bytes) != TN_OK ||
        !tn_load_note(cli->ctx, path, bytes, TN_PLAN_NOTE, &text)) {
        return NULL;
    }
    const char *name = tn_arena_printf(cli->arena, "%s: %s", path, TN_PLAN_NOTE);
    return tn_plan_from_json(cli->ctx, name, text.data, text.size);
}

tn_module *tn_cli_load_and_check(tn_cli *cli, tn_request *r, const char *path, const tn_plan *plan,
                                 const char *name, tn_status *status) {
    *status = tn_planner_demand(r, plan, name);
    if (*status == TN_OK) {
        *status = tn_planner_adopt(r, plan);
    }
    if (*status != TN_OK) {
        return NULL;
    }
    tn_load_options options = tn_request_load_options(r);
    tn_module *m = tn_load_file(cli->ctx, path, &options);
    *status = m != NULL ? tn_planner_check(r, m, plan) : TN_ERROR;
    return m;
}
