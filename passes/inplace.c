/* In-place results: the op writes its result over an operand that nobody reads any more. The op
 * table says which operand and on what condition; here is proved that the bytes are dead, with all
 * values that share them taken together. Safe only in the order at hand: the last reader in the
 * schedule may take the bytes. What the user's kernels must do for it: at `elementwise`, read
 * element i of an operand not after writing element i of the result; at `all`, also what the
 * table's conditions "rows" and "update" say (ir/ops/ops.h); at `ordered`, also "width": go through
 * the elements in the order that the plan claims. */
#include "passes/alias/alias_set.h"
#include "passes/alias/default_form.h"
#include "passes/alias/place_results.h"

enum { OPT_KINDS };
static const tn_opt options[] = {
    [OPT_KINDS] =
        {"kinds", TN_OPT_ENUM, "elementwise", "none|elementwise|all|ordered",
         "none but those ops demand; element-wise ops; all that need no order of elements; "
         "results of another element width too, by kernels that keep the order claimed"},
    {0}};

enum { STAT_INPLACE, STAT_UPDATES, STAT_BODIES };
static const tn_stat stats[] = {
    [STAT_INPLACE] = {"inplace", "results written over an operand"},
    [STAT_UPDATES] = {"updates", "state updated where it lies"},
    [STAT_BODIES] = {"bodies",
                     "arguments and outputs of bodies in the bytes of operands and results"},
    {0}};

static tn_inplace_kinds kinds_of(const tn_pass_ctx *c) {
    return tn_pass_is(c, OPT_KINDS, "none")      ? TN_INPLACE_NONE
           : tn_pass_is(c, OPT_KINDS, "all")     ? TN_INPLACE_ALL
           : tn_pass_is(c, OPT_KINDS, "ordered") ? TN_INPLACE_ORDERED
                                                 : TN_INPLACE_ELEMENTWISE;
}

static void intend(const tn_pass_ctx *c, tn_intent *intent) {
    tn_inplace_kinds kinds = kinds_of(c);
    intent->inplace = kinds > intent->inplace ? kinds : intent->inplace;
}

static tn_status run(tn_pass_ctx *c) {
    tn_inplace_kinds kinds = kinds_of(c);
    if (kinds != TN_INPLACE_NONE) {
        tn_inplace_counts n = tn_place_results(c, kinds);
        c->stats[STAT_INPLACE] = n.inplace;
        c->stats[STAT_UPDATES] = n.updates;
        c->stats[STAT_BODIES] = n.bodies;
    }
    return TN_OK;
}

static void take_back(tn_module *m) {
    tn_alias_take_back(m, true);
}

/* What one result is written over, or becomes part of, another one cannot be. */
static tn_candidates propose(tn_pass_ctx *c, tn_analyses *preview, const tn_intent *intent,
                             const tn_candidates *first) {
    (void)preview, (void)intent, (void)first;
    return tn_propose_default(c, take_back, false);
}

static bool proposes(const tn_pass_ctx *c) {
    return kinds_of(c) > TN_INPLACE_ELEMENTWISE;
}

const tn_pass_info tn_pass_inplace = {
    .name = "inplace",
    .summary = "lets ops write results over operands nobody reads any more",
    .needs = TN_PROP_TYPES | TN_PROP_ORDERED | TN_PROP_PINS,
    .options = options,
    .stats = stats,
    .refusals = TN_REASON_BIT(UNSIZED) | TN_REASON_BIT(BROADCAST) | TN_REASON_BIT(WIDTH) |
                TN_REASON_BIT(LAYOUT) | TN_REASON_BIT(INPUT) | TN_REASON_BIT(CONST) |
                TN_REASON_BIT(OUTPUT) | TN_REASON_BIT(STATE) | TN_REASON_BIT(EXCLUDED) |
                TN_REASON_BIT(PINNED) | TN_REASON_BIT(READER) | TN_REASON_BIT(UNORDERED) |
                TN_REASON_BIT(OVERLAP) | TN_REASON_BIT(PLACE) | TN_REASON_BIT(LOOP) |
                TN_REASON_BIT(MANY) | TN_REASON_BIT(LEVEL) | TN_REASON_BIT(OUTSIDE) |
                TN_REASON_BIT(SHARED) | TN_REASON_BIT(GROW),
    .decides = TN_DECIDES_OVERWRITES,
    .run = run,
    .propose = propose,
    .proposes = proposes,
    .intend = intend,
};
