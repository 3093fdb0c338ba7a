/* Views: results that need no bytes of their own, because an op that moves nothing leaves its data
 * where it is; and arguments of called functions, which are the operands. What the user's kernels
 * must do for it: at `reshape`, nothing for such ops; at `all`, also read and write parts of a
 * tensor in place of slices, splits and concatenations. */
#include "ir/mutate.h"
#include "passes/alias/default_form.h"
#include "passes/alias/place_views.h"
#include "passes/core/model_controls.h"

enum { OPT_KINDS };
static const tn_opt options[] = {
    [OPT_KINDS] = {"kinds", TN_OPT_ENUM, "reshape", "none|reshape|all",
                   "no views; ops that change only the shape; also parts and gathered operands"},
    {0}};

enum { STAT_VIEWS, STAT_GATHERED };
static const tn_stat stats[] = {
    [STAT_VIEWS] = {"views", "results that are views of an operand"},
    [STAT_GATHERED] = {"gathered", "operands computed inside the result"},
    {0}};

static tn_status run(tn_pass_ctx *c) {
    tn_controls want;
    tn_status status = tn_controls_complete(c->controls, c->module, c->scratch, &want);
    if (status == TN_OK && !tn_pass_is(c, OPT_KINDS, "none")) {
        tn_view_counts n = tn_place_views(c, want.align, tn_pass_is(c, OPT_KINDS, "all"));
        c->stats[STAT_VIEWS] = n.views;
        c->stats[STAT_GATHERED] = n.gathered;
    }
    return status;
}

static void take_back(tn_module *m) {
    for (uint32_t i = 0; i < m->n_values; i++) {
        if (m->values[i]->alias_kind == TN_ALIAS_VIEW) {
            tn_value_set_alias(m->values[i], TN_ALIAS_NONE, NULL, 0);
        }
    }
}

/* What lies in other bytes is no longer anybody's to write over. */
static tn_candidates propose(tn_pass_ctx *c, tn_analyses *preview, const tn_intent *intent,
                             const tn_candidates *first) {
    (void)preview, (void)intent, (void)first;
    return tn_propose_default(c, take_back, true);
}

static bool proposes(const tn_pass_ctx *c) {
    return tn_pass_is(c, OPT_KINDS, "all");
}

const tn_pass_info tn_pass_alias_views = {
    .name = "alias-views",
    .summary = "gives results that only look at their operand's bytes no bytes of their own",
    .needs = TN_PROP_TYPES | TN_PROP_ORDERED | TN_PROP_PINS,
    .options = options,
    .stats = stats,
    .refusals = TN_REASON_BIT(UNSIZED) | TN_REASON_BIT(BROADCAST) | TN_REASON_BIT(WIDTH) |
                TN_REASON_BIT(DATA) | TN_REASON_BIT(LAYOUT) | TN_REASON_BIT(ALIGN) |
                TN_REASON_BIT(INPUT) | TN_REASON_BIT(CONST) | TN_REASON_BIT(OUTPUT) |
                TN_REASON_BIT(STATE) | TN_REASON_BIT(OUTSIDE) | TN_REASON_BIT(EXCLUDED) |
                TN_REASON_BIT(PINNED) | TN_REASON_BIT(PLACE) | TN_REASON_BIT(LOOP) |
                TN_REASON_BIT(SHARED) | TN_REASON_BIT(OVERWRITTEN) | TN_REASON_BIT(LEVEL) |
                TN_REASON_BIT(GROW),
    .decides = TN_DECIDES_VIEWS,
    .run = run,
    .propose = propose,
    .proposes = proposes,
};
