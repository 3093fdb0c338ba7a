#include "passes/core/candidates.h"

#include <string.h>

#include "ir/mutate.h"
#include "passes/analysis/storages.h"
#include "passes/core/pipeline.h"
#include "passes/core/registry.h"

enum {
    DECIDED_FLAGS = TN_VF_PINNED | TN_VF_EXCLUDED | TN_VF_LOSS | TN_VF_PARAM | TN_VF_STATE |
                    TN_VF_BACKWARD | TN_VF_PARAM_GRAD | TN_VF_DONATED | TN_VF_ARENA |
                    TN_VF_CHANNELS_LAST | TN_VF_APART
};

/* What passes state about a value. */
typedef struct decision {
    uint32_t flags;
    tn_alias_kind kind;
    tn_value *of;
    int64_t offset;
    const char *unplanned;
} decision;

/* What candidates are compared by. What state becomes, and lies beside it rather than over it,
 * counts as if it were in the arena: no form saves bytes there by moving them out. */
typedef struct figures {
    uint64_t arena, level0;
} figures;

/* Which passes behind are run, and how. */
typedef struct trial_ask {
    uint32_t decides;           /* those that decide some of this */
    bool cautious;              /* with their default options, whatever the pipeline says */
    uint64_t most;              /* bytes of the largest arena of interest */
    const tn_candidates *shown; /* who wants to see what is decided; NULL: nobody */
} trial_ask;

typedef struct trial {
    tn_pass_ctx *c;
    trial_ask ask;
    tn_status status;      /* of the first pass that failed; its diagnostics are dropped */
    tn_analyses *analyses; /* of the module with all decisions in it; NULL after a failure */
    figures found;         /* of the last plan made */
    decision *before;      /* by value id */
} trial;

static tn_pass_ctx context_of(const tn_pass_ctx *outer, uint32_t index, bool cautious) {
    const tn_pipeline_item *item = &outer->pipeline->items[index];
    tn_pass_ctx c = *outer;
    c.index = index;
    c.opt_values = cautious ? tn_pipeline_default(outer->scratch, item->pass).values : item->values;
    c.pass = item->pass;
    return c;
}

static bool choose_form(tn_pass_ctx *c, figures *least);

/* Bytes outside of the arena of what state becomes, where it lies beside the state. */
static uint64_t bytes_beside(const tn_module *m, const tn_storages *classes, const tn_plan *plan) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < m->n_bindings; i++) {
        uint32_t state = classes->of[m->bindings[i].state->id];
        uint32_t next = classes->of[m->bindings[i].value->id];
        if (next != TN_NO_CLASS && next != state &&
            tn_pool_is_callers(&plan->pools[plan->storages[next].pool])) {
            bytes += plan->storages[next].size;
        }
    }
    return bytes;
}

static tn_status run_behind(tn_ctx *ctx, void *arg) {
    trial *t = arg;
    tn_arena *scratch = tn_arena_new(ctx);
    tn_analyses *analyses = tn_analyses_new(t->c->module);
    tn_plan *plan = NULL;
    figures found = {TN_NO_ARENA, 0};
    tn_status status = TN_OK;
    for (uint32_t i = t->c->index + 1; i < t->c->pipeline->len && status == TN_OK; i++) {
        tn_pass_ctx c = context_of(t->c, i, t->ask.cautious);
        if ((c.pass->decides & t->ask.decides) == 0) {
            continue;
        }
        tn_order_facts facts = {0};
        c.scratch = scratch;
        c.analyses = analyses;
        c.plan = &plan;
        c.stats = TN_ARRAY(scratch, uint64_t, tn_pass_n_stats(c.pass));
        c.refused = TN_ARRAY(scratch, uint64_t, TN_REASON_COUNT);
        c.refusals = NULL;
        c.log = NULL;
        c.order = &facts;
        c.figures = true;
        const tn_care *care = t->ask.shown != NULL ? t->ask.shown->care : NULL;
        c.care = care != NULL ? *care : c.care;
        c.most = t->ask.most;
        status = c.pass->run(&c);
        if (status == TN_OK && c.pass->propose != NULL && t->ask.decides == UINT32_MAX &&
            choose_form(&c, &found) && t->ask.shown == NULL) {
            break; /* the passes behind it have run already, and what they decided is undone */
        }
    }
    if (plan != NULL) {
        uint64_t beside = bytes_beside(t->c->module, tn_get_storages(analyses), plan);
        found = (figures){plan->pools[0].size + beside, plan->report.level0};
        tn_plan_drop(plan);
    }
    tn_arena_drop(scratch);
    t->analyses = analyses;
    t->found = found;
    if (t->ask.shown != NULL && status == TN_OK) {
        t->ask.shown->seen(t->ask.shown->user, analyses, found.arena);
    }
    return status;
}

static decision *decisions(const tn_pass_ctx *c) {
    const tn_module *m = c->module;
    decision *all = TN_ARRAY(c->scratch, decision, m->n_values);
    for (uint32_t i = 0; i < m->n_values; i++) {
        const tn_value *v = m->values[i];
        all[i] = (decision){v->flags, v->alias_kind, v->alias_of, v->alias_offset, v->unplanned};
    }
    return all;
}

/* Whether the aliases in the module are these. */
static bool has_aliases(const tn_module *m, const decision *all) {
    for (uint32_t i = 0; i < m->n_values; i++) {
        const tn_value *v = m->values[i];
        if (v->alias_of != all[i].of || v->alias_offset != all[i].offset) {
            return false;
        }
    }
    return true;
}

/* The decisions stay in the module until the trial is undone. A raise inside drops all that was
 * made inside, so nothing of it is kept here. Running out of memory is nobody's decision and goes
 * on. */
static trial try(tn_pass_ctx *c, trial_ask ask) {
    tn_ctx *ctx = c->ctx;
    trial t = {.c = c, .ask = ask, .found = {TN_NO_ARENA, 0}, .before = decisions(c)};
    tn_diag_handler on_diag = ctx->on_diag;
    uint32_t n_errors = ctx->n_errors, n_warnings = ctx->n_warnings;
    ctx->on_diag = NULL;
    t.status = tn_guard_run(ctx, run_behind, &t);
    ctx->on_diag = on_diag;
    ctx->n_errors = n_errors;
    ctx->n_warnings = n_warnings;
    if (tn_status_ends_all(t.status)) {
        tn_raise(ctx, t.status);
    }
    return t;
}

static void undo(trial *t) {
    const tn_module *m = t->c->module;
    for (uint32_t i = 0; i < m->n_values; i++) {
        tn_value_set_alias(m->values[i], TN_ALIAS_NONE, NULL, 0);
    }
    for (uint32_t i = 0; i < m->n_values; i++) {
        const decision *d = &t->before[i];
        tn_value *v = m->values[i];
        tn_value_set_flags(v, d->flags & DECIDED_FLAGS, ~d->flags & DECIDED_FLAGS);
        tn_value_set_unplanned(v, d->unplanned);
        if (d->kind != TN_ALIAS_NONE) {
            tn_value_set_alias(v, d->kind, d->of, d->offset);
        }
    }
    if (t->analyses != NULL) {
        tn_analyses_drop(t->analyses);
    }
}

static tn_intent intent_behind(const tn_pass_ctx *outer, bool cautious) {
    tn_intent intent = {0};
    for (uint32_t i = outer->index + 1; i < outer->pipeline->len; i++) {
        tn_pass_ctx c = context_of(outer, i, cautious);
        if (c.pass->intend != NULL) {
            c.pass->intend(&c, &intent);
        }
    }
    return intent;
}

/* Whether passes behind that the pass wants to see have other options than their defaults. */
static bool has_options_behind(const tn_pass_ctx *c) {
    for (uint32_t i = c->index + 1; i < c->pipeline->len; i++) {
        const tn_pass_info *pass = c->pipeline->items[i].pass;
        const tn_pipeline_item standard = tn_pipeline_default(c->scratch, pass);
        for (uint32_t k = 0; (pass->decides & c->pass->previews) && k < tn_opt_count(pass->options);
             k++) {
            if (strcmp(standard.values[k], c->pipeline->items[i].values[k]) != 0) {
                return true;
            }
        }
    }
    return false;
}

/* What the pass proposes with the decisions before it that it wants to see. Options that trust
 * kernels more may make the picture it sees a worse guide: views of parts look settled, which the
 * passes behind may give up. So it gets to see the default options, too. */
static tn_candidates proposals(tn_pass_ctx *c) {
    tn_candidates all = {0};
    if (c->pass->proposes != NULL && !c->pass->proposes(c)) {
        return all;
    }
    tn_intent intent = intent_behind(c, false);
    trial t = try(c, (trial_ask){c->pass->previews, false, UINT64_MAX, NULL});
    if (t.status == TN_OK) {
        all = c->pass->propose(c, t.analyses, &intent, NULL);
    }
    bool again = all.n > 0 && !all.probe && has_options_behind(c);
    const decision *asked = again ? decisions(c) : NULL;
    undo(&t);
    if (!again) {
        return all;
    }
    t = try(c, (trial_ask){c->pass->previews, true, UINT64_MAX, NULL});
    if (t.status == TN_OK && !has_aliases(c->module, asked)) {
        const tn_candidates first = all;
        intent = intent_behind(c, true);
        all = c->pass->propose(c, t.analyses, &intent, &first);
    }
    undo(&t);
    return all;
}

/* The module as it is; TN_NO_ARENA when it cannot be planned, or would surely need more. */
static figures measure(tn_pass_ctx *c, const tn_candidates *all, uint64_t most) {
    const tn_candidates *shown = all->seen != NULL ? all : NULL;
    most = shown != NULL ? UINT64_MAX : most < c->most ? most : c->most;
    trial t = try(c, (trial_ask){UINT32_MAX, false, most, shown});
    undo(&t);
    return t.found;
}

/* Of equally small arenas that of number 0 is the best, and of the others the smallest at level 0.
 */
static bool is_better(figures x, uint32_t i, figures best, uint32_t best_i) {
    if (x.arena != best.arena || x.arena == TN_NO_ARENA) {
        return x.arena < best.arena;
    }
    return i == 0 || (best_i != 0 && x.level0 < best.level0);
}

/* Up to how many bytes an arena may still be better than the least so far. */
static uint64_t most_for(uint32_t i, figures best, uint32_t best_i) {
    bool wins_ties = i == 0 || best_i != 0 || best.arena == 0;
    return wins_ties || best.arena == TN_NO_ARENA ? best.arena : best.arena - 1;
}

/* Number 0 comes second where most often number 1 is known to be better and it need not be planned.
 * False when nothing was proposed. */
static bool choose_form(tn_pass_ctx *c, figures *least) {
    tn_candidates all = proposals(c);
    uint32_t best = all.unplanned;
    *least = (figures){TN_NO_ARENA, 0};
    for (uint32_t k = all.probe ? 1 : 0; k < all.n; k++) {
        bool swap = k <= 1 && all.n > 1 && !all.probe && !all.in_order;
        uint32_t i = swap ? 1 - k : k;
        if (!all.put(all.user, i, least->arena)) {
            continue;
        }
        figures f = measure(c, &all, most_for(i, *least, best));
        if (is_better(f, i, *least, best)) {
            *least = f;
            best = i;
        }
    }
    if (all.n > 0) {
        (void)all.put(all.user, all.probe ? 0 : best, TN_NO_ARENA);
        all.settle(all.user, best, least->arena);
    }
    return all.n > 0;
}

void tn_try_candidates(tn_pass_ctx *c) {
    figures least;
    (void)choose_form(c, &least);
}
