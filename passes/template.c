/* A pass to copy: it changes nothing, counts what a pass may look at, and has an option of each
 * kind. It is registered, compiled and tested so that it cannot rot. CONTRIBUTING tells how to add
 * one. */
#include "ir/walk.h"
#include "passes/core/pass.h"

enum { OPT_REMARK, OPT_WHAT, OPT_LEAST, OPT_LABEL };
static const tn_opt options[] = {
    [OPT_REMARK] = {"remark", TN_OPT_BOOL, "false", NULL, "report the count as a remark"},
    [OPT_WHAT] = {"what", TN_OPT_ENUM, "ops", "ops|values", "what to count"},
    [OPT_LEAST] = {"least", TN_OPT_INT, "0", NULL, "smallest count worth a remark"},
    [OPT_LABEL] = {"label", TN_OPT_TEXT, "", NULL, "put before the remark"},
    {0}};

enum { STAT_COUNT };
static const tn_stat stats[] = {[STAT_COUNT] = {"count", "ops or values seen, nested ones too"},
                                {0}};

static uint64_t n_made(const tn_op *op) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < op->n_results; i++) {
        n += tn_result(op, i) != NULL;
    }
    return n;
}

static tn_status run(tn_pass_ctx *c) {
    bool ops = tn_pass_is(c, OPT_WHAT, "ops");
    uint64_t count = 0;
    TN_FOR_ALL_OPS(op, c->module->main) {
        count += ops ? 1 : n_made(op);
    }
    c->stats[STAT_COUNT] = count;
    int64_t least = tn_pass_int(c, OPT_LEAST);
    if (tn_pass_bool(c, OPT_REMARK) && (least < 0 || count >= (uint64_t)least)) {
        tn_remark(c->ctx, NULL, "%s%llu %s", tn_pass_text(c, OPT_LABEL), (unsigned long long)count,
                  tn_pass_text(c, OPT_WHAT));
    }
    return TN_OK;
}

const tn_pass_info tn_pass_template = {
    .name = "template",
    .summary = "changes nothing; the pass to copy when writing one",
    .options = options,
    .stats = stats,
    .run = run,
};
