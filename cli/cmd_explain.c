/* `tenure explain`: why each tensor lies where it does, and what makes the peak. */
#include "cli/explain_t.h"
#include "frontends/core/frontend.h"
#include "ir/base/file.h"
#include "ir/base/quote.h"
#include "passes/core/select.h"

typedef struct explain_args {
    bool json, changes;
    int64_t limit;
} explain_args;

static const tn_setting table[] = {
    {.name = "json",
     .set = tn_set_flag,
     .offset = offsetof(explain_args, json),
     .help = "print facts as JSON, one object a line"},
    {.name = "peak-limit",
     .arg = "N",
     .set = tn_set_int,
     .offset = offsetof(explain_args, limit),
     .help =
         "how many of the tensors alive at the peak to look at, the largest first (default 10)"},
    {.name = "changes",
     .set = tn_set_flag,
     .offset = offsetof(explain_args, changes),
     .help = "plan again with other options to say what they would change (default)"},
    {0}};

static void choose(void *user, tn_value *v) {
    bool *chosen = user;
    chosen[v->id] = true;
}

/* By module value id, or NULL when no tensor is named. */
static tn_status choose_tensors(tn_cli *cli, tn_module *m, const tn_texts *rest, bool **chosen) {
    tn_texts names = {0};
    for (uint32_t i = 1; i < rest->len; i++) {
        const char *name = tn_name_unquote(cli->arena, rest->data[i]);
        if (name == NULL) {
            return tn_usage(cli->ctx, NULL, "tensor %s: the quotation marks are wrong",
                            rest->data[i]);
        }
        tn_vec_push(cli->arena, &names, name);
    }
    *chosen = names.len > 0 ? TN_ARRAY(cli->arena, bool, m->n_values) : NULL;
    return tn_select_values(m, (tn_names){names.data, names.len}, "tensor", choose, *chosen);
}

static tn_status explain(tn_cli *cli, const explain_args *a, tn_request *r, const tn_texts *rest) {
    const char *path = rest->data[0];
    tn_bytes bytes;
    tn_load_options options = tn_request_load_options(r);
    tn_status status = tn_file_map(cli->arena, path, &bytes);
    tn_module *m = status == TN_OK ? tn_load_bytes(cli->ctx, path, bytes, &options) : NULL;
    if (m == NULL) {
        return TN_ERROR;
    }
    bool *chosen = NULL;
    tn_plan *plan = NULL;
    tn_refusals refusals = {.arena = cli->arena};
    tn_run_settings settings = tn_run_settings_default();
    settings.refusals = &refusals;
    uint64_t capacity = r->controls.capacity;
    r->controls.capacity = 0; /* what does not fit wants an explanation most */
    status = choose_tensors(cli, m, rest, &chosen);
    if (status == TN_OK) {
        status = tn_planner_run(r, m, &settings, &plan);
    }
    if (status == TN_OK && plan == NULL) {
        return tn_usage(cli->ctx, NULL, "the pipeline makes no plan; it lacks the pass 'reuse'");
    }
    if (status != TN_OK) {
        return status;
    }
    tn_explain x = {
        .arena = cli->arena, .m = m, .p = plan, .refusals = &refusals, .capacity = capacity};
    tn_vec_push(
        x.arena, &x.facts,
        (tn_fact){.kind = TN_FACT_PLAN, .bytes = plan->pools[0].size, .bound = plan->report.bound});
    if (chosen != NULL) {
        tn_explain_chosen(&x, chosen);
    } else {
        tn_explain_steps(&x);
    }
    tn_explain_peak(&x, (uint32_t)a->limit, chosen);
    if (chosen == NULL && a->changes) {
        tn_explain_changes(&x, r, path, bytes);
    }
    tn_sink out = tn_sink_make(cli->arena);
    (a->json ? tn_explain_print_json : tn_explain_print)(&x, &out);
    return tn_cli_put(cli, &out);
}

tn_status tn_cmd_explain(tn_cli *cli) {
    tn_request *r = tn_request_new(cli->arena);
    explain_args a = {.changes = true, .limit = 10};
    tn_setting_group groups[TN_REQUEST_GROUPS + 1] = {{"output", table, &a, NULL}};
    tn_request_groups(r, groups + 1);
    tn_texts rest = {0};
    tn_status status;
    if (!tn_cli_parse(cli, groups, TN_REQUEST_GROUPS + 1, 1, UINT32_MAX, &rest, &status)) {
        return status;
    }
    if (a.limit < 0 || a.limit > UINT32_MAX) {
        return tn_usage(cli->ctx, NULL, "--peak-limit must be 0 or more, not '%lld'",
                        (long long)a.limit);
    }
    return explain(cli, &a, r, &rest);
}
