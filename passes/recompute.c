/* Memory for computation: values that lie idle where most bytes are alive are given up there, and
 * computed once more, by clones of their ops, before they are read again. */
#include "passes/recompute/clone_search.h"

#include <string.h>

#include "ir/base/option.h"
#include "ir/mutate.h"
#include "ir/ops/flops.h"
#include "ir/plan/plan_digest.h"
#include "passes/alias/alias_set.h"
#include "passes/analysis/derivative.h"
#include "passes/core/model_controls.h"
#include "passes/core/pipeline.h"

enum { OPT_FLOPS, OPT_BUDGET };
static const tn_opt options[] = {
    [OPT_FLOPS] = {"flops", TN_OPT_TEXT, "33%", NULL,
                   "operations that clones may add, in percent of the model's"},
    [OPT_BUDGET] = {"budget", TN_OPT_TEXT, "", NULL,
                    "stop at an arena of so many bytes, or of so many percent (default: the "
                    "capacity, else as few as possible)"},
    {0}};

enum { STAT_CLONES, STAT_PLANS, STAT_BEFORE, STAT_ARENA, STAT_FLOPS };
static const tn_stat stats[] = {
    [STAT_CLONES] = {"clones", "ops that are run once more"},
    [STAT_PLANS] = {"plans", "plans made to find them"},
    [STAT_BEFORE] = {"before", "arena without them"},
    [STAT_ARENA] = {"arena", "arena with them"},
    [STAT_FLOPS] = {"flops", "operations they add, in thousandths of the model's"},
    {0}};

static tn_status read_options(const tn_pass_ctx *c, tn_recompute_ask *ask) {
    const char *flops = tn_pass_text(c, OPT_FLOPS), *budget = tn_pass_text(c, OPT_BUDGET);
    *ask = (tn_recompute_ask){0};
    if (!tn_opt_percent(flops, &ask->most)) {
        return tn_usage(c->ctx, NULL,
                        "recompute: flops must be a percentage from 0%% to 100000%%, not '%s'",
                        flops);
    }
    bool good = tn_opt_percent(budget, &ask->part)
                    ? ask->part > 0
                    : tn_opt_bytes(budget, &ask->budget) && ask->budget > 0;
    if (budget[0] != '\0' && !good) {
        return tn_usage(c->ctx, NULL,
                        "recompute: budget must be bytes or a percentage of the arena, above 0, "
                        "not '%s'",
                        budget);
    }
    return TN_OK;
}

static const tn_op *find_derivative(const tn_module *m) {
    TN_FOR_OPS(op, m->main) {
        if (tn_is_derivative(op)) {
            return op;
        }
    }
    return NULL;
}

static bool has_equal_options(const tn_pipeline_item *a, const tn_pipeline_item *b) {
    for (uint32_t i = 0; a->pass->options != NULL && a->pass->options[i].name != NULL; i++) {
        if (strcmp(a->values[i], b->values[i]) != 0) {
            return false;
        }
    }
    return true;
}

static bool has_aliases(const tn_module *m) {
    bool any = false;
    for (uint32_t i = 0; i < m->n_values; i++) {
        tn_alias_kind kind = m->values[i]->alias_kind;
        any = any || kind == TN_ALIAS_VIEW || kind == TN_ALIAS_INPLACE || kind == TN_ALIAS_SHARE;
    }
    return any;
}

static bool decides_aliases(const tn_pass_info *pass) {
    return (pass->decides & (TN_DECIDES_VIEWS | TN_DECIDES_OVERWRITES | TN_DECIDES_ROOMS)) != 0;
}

/* A pass before this one whose aliases rest on readers and operands that clones may change, and
 * that no pass behind decides anew in the same way; without that less is saved by clones than lost.
 * NULL where there is none. */
static const tn_pass_info *not_again(const tn_pass_ctx *c) {
    uint32_t n = has_aliases(c->module) ? c->index : 0;
    for (uint32_t i = 0; i < n; i++) {
        const tn_pipeline_item *before = &c->pipeline->items[i];
        bool again = !decides_aliases(before->pass);
        for (uint32_t k = c->index + 1; k < c->pipeline->len; k++) {
            const tn_pipeline_item *behind = &c->pipeline->items[k];
            again = again || (behind->pass == before->pass && has_equal_options(before, behind));
        }
        if (!again) {
            return before->pass;
        }
    }
    return NULL;
}

/* What clones are worth shows in plans that the passes behind make, from nothing. */
static void take_back(tn_pass_ctx *c) {
    bool decided = false; /* else views are what the module came with */
    for (uint32_t i = 0; i < c->index; i++) {
        decided = decided || (c->pipeline->items[i].pass->decides & TN_DECIDES_VIEWS) != 0;
    }
    if (not_again(c) == NULL) {
        tn_alias_take_back(c->module, true);
        for (uint32_t i = 0; i < c->module->n_values && decided; i++) {
            tn_value *v = c->module->values[i];
            if (v->alias_kind == TN_ALIAS_VIEW) {
                tn_value_set_alias(v, TN_ALIAS_NONE, NULL, 0);
            }
        }
    }
    tn_plan_drop(*c->plan);
    *c->plan = NULL;
}

static tn_status run(tn_pass_ctx *c) {
    tn_recompute_ask ask;
    uint32_t n_open;
    (void)tn_dims_ranges(c->module->dims, &n_open);
    if (n_open > 0) {
        return tn_usage(c->ctx, NULL,
                        "recompute: nothing can be computed again while dimensions are open; bind "
                        "them (--dim), or leave recompute out");
    }
    const tn_op *derivative = find_derivative(c->module);
    if (derivative != NULL) {
        tn_warn(c->ctx, &derivative->loc,
                "nothing is computed again: the op reads values of the graph by name");
    }
    if (c->module->plain_digest == NULL) {
        c->module->plain_digest = tn_plan_digest_plain(c->module, c->module->arena);
    }
    take_back(c);
    return read_options(c, &ask);
}

/* A second run of the pass goes on where the first one ended. */
static void state(tn_pass_ctx *c, const tn_recompute_outcome *out) {
    tn_clone_facts *facts = c->clones;
    uint32_t n = facts->n_curve;
    tn_plan_point *curve = TN_ARRAY(c->kept, tn_plan_point, (size_t)n + out->n_curve);
    for (uint32_t i = 0; i < n; i++) {
        curve[i] = facts->curve[i];
    }
    for (uint32_t i = 0; i < out->n_curve; i++) {
        uint64_t operations = tn_flops_count(out->curve[i].flops), arena = out->curve[i].arena;
        while (n > 0 && curve[n - 1].operations >= operations && curve[n - 1].arena >= arena) {
            n--;
        }
        if (n == 0 || (operations > curve[n - 1].operations && arena < curve[n - 1].arena)) {
            curve[n++] = (tn_plan_point){operations, arena};
        }
    }
    *facts = (tn_clone_facts){true, tn_flops_count(out->model),
                              facts->without > 0 ? facts->without : out->before, curve, n};
}

static void report(tn_pass_ctx *c, const tn_recompute_outcome *out) {
    state(c, out);
    if (out->clones > 0) { /* what was found out about orders was of other graphs */
        *c->order = (tn_order_facts){.searched = c->order->searched};
    }
    c->stats[STAT_CLONES] = out->clones;
    c->stats[STAT_PLANS] = out->plans;
    c->stats[STAT_BEFORE] = out->before;
    c->stats[STAT_ARENA] = out->arena;
    c->stats[STAT_FLOPS] = (uint64_t)(out->flops / out->model * 1000 + 0.5);
}

static bool is_last(const tn_pass_ctx *c) {
    for (uint32_t i = c->index + 1; i < c->pipeline->len; i++) {
        if (c->pipeline->items[i].pass == c->pipeline->items[c->index].pass) {
            return false;
        }
    }
    return true;
}

/* Clones are good for the order that they were found in. A search that goes on from it loses
 * nothing; but where none came before, it could find less without clones than with them. */
static bool is_in_vain(tn_pass_ctx *c, const tn_intent *intent) {
    const tn_loc loc = tn_loc_file(c->module->file);
    const tn_pass_info *before = not_again(c);
    if (before != NULL) {
        tn_warn(c->ctx, &loc,
                "nothing is computed again: %s decided before recompute which values share bytes, "
                "and does not do so anew behind it; put it there, too, with the same options",
                before->name);
        return true;
    }
    if (!intent->reorders && (!intent->searches || c->order->searched)) {
        return false;
    }
    tn_warn(c->ctx, &loc,
            "nothing is computed again: a pass behind recompute orders the ops anew; put recompute "
            "behind it, too");
    return true;
}

static tn_candidates propose(tn_pass_ctx *c, tn_analyses *preview, const tn_intent *intent,
                             const tn_candidates *first) {
    tn_recompute_ask ask;
    tn_controls want;
    (void)preview;
    if (first != NULL) {
        return *first;
    }
    if (read_options(c, &ask) != TN_OK || find_derivative(c->module) != NULL ||
        is_in_vain(c, intent) ||
        tn_controls_complete(c->controls, c->module, c->scratch, &want) != TN_OK) {
        return (tn_candidates){0};
    }
    ask.last = is_last(c);
    ask.inplace = intent->inplace;
    ask.align = want.align;
    ask.io_in_arena = want.io_in_arena;
    ask.brief = c->controls->brief;
    if (ask.budget == 0 && ask.part <= 0) {
        ask.budget = want.capacity;
    }
    return tn_recompute_candidates(c, &ask, report);
}

const tn_pass_info tn_pass_recompute = {
    .name = "recompute",
    .summary =
        "computes values once more instead of keeping them: clones of ops before late readers",
    .needs = TN_PROP_TYPES | TN_PROP_ORDERED,
    .breaks = TN_PROP_PINS | TN_PROP_PLANNED,
    .options = options,
    .stats = stats,
    .run = run,
    .propose = propose,
};
