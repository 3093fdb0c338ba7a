/* A pass to copy: it changes nothing and counts what a pass may look at. It is registered, compiled
 * and tested so that it cannot rot. docs: CONTRIBUTING, "add a pass". */
#include "passes/core/pass.h"

enum { OPT_REMARK };
static const tn_opt options[] = {
    [OPT_REMARK] = {"remark", TN_OPT_BOOL, "false", NULL, "report the number of ops as a remark"},
    {0}};

enum { STAT_OPS, STAT_VALUES };
static const tn_stat stats[] = {[STAT_OPS] = {"ops", "ops seen, nested ones too"},
                                [STAT_VALUES] = {"values", "results seen"},
                                {0}};

static tn_status run(tn_pass_ctx *c) {
    TN_FOR_ALL_OPS(op, c->module->main) {
        c->stats[STAT_OPS]++;
        for (uint32_t i = 0; i < op->n_results; i++) {
            c->stats[STAT_VALUES] += tn_result(op, i) != NULL;
        }
    }
    if (tn_pass_bool(c, OPT_REMARK)) {
        tn_remark(c->ctx, NULL, "module '%s' has %llu ops", c->module->name,
                  (unsigned long long)c->stats[STAT_OPS]);
    }
    return TN_OK;
}

const tn_pass_info tn_pass_template = {
    .name = "template",
    .summary = "does nothing; the pass to copy when writing one",
    .options = options,
    .stats = stats,
    .run = run,
};
