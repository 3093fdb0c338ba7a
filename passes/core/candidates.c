#include "passes/core/candidates.h"

#include "ir/mutate.h"
#include "passes/core/pipeline.h"
#include "passes/core/registry.h"

enum {
    DECIDED_FLAGS = TN_VF_PINNED | TN_VF_EXCLUDED | TN_VF_LOSS | TN_VF_PARAM | TN_VF_STATE |
                    TN_VF_BACKWARD | TN_VF_PARAM_GRAD | TN_VF_DONATED | TN_VF_ARENA
};

/* What passes state about a value. */
typedef struct decision {
    uint32_t flags;
    tn_alias_kind kind;
    tn_value *of;
    int64_t offset;
    const char *unplanned;
} decision;

typedef struct trial {
    tn_pass_ctx *c;
    uint32_t decides;      /* passes behind are run that decide some of this */
    tn_status status;      /* of the first pass that failed; its diagnostics are dropped */
    tn_analyses *analyses; /* of the module with all decisions in it; NULL after a failure */
    tn_plan *plan;         /* the last plan made, or NULL */
    decision *before;      /* by value id */
} trial;

static tn_pass_ctx context_of(const tn_pass_ctx *outer, uint32_t index) {
    const tn_pipeline_item *item = &outer->pipeline->items[index];
    tn_pass_ctx c = *outer;
    c.index = index;
    c.opt_values = item->values;
    c.pass = item->pass;
    return c;
}

static tn_status run_behind(tn_ctx *ctx, void *arg) {
    trial *t = arg;
    tn_arena *scratch = tn_arena_new(ctx);
    tn_analyses *analyses = tn_analyses_new(t->c->module);
    tn_plan *plan = NULL;
    tn_status status = TN_OK;
    for (uint32_t i = t->c->index + 1; i < t->c->pipeline->len && status == TN_OK; i++) {
        tn_pass_ctx c = context_of(t->c, i);
        if ((c.pass->decides & t->decides) == 0) {
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
        status = c.pass->run(&c);
    }
    tn_arena_drop(scratch);
    t->analyses = analyses;
    t->plan = plan;
    return status;
}

/* The decisions stay in the module until the trial is undone. A raise inside drops all that was
 * made inside, so nothing of it is kept here. Running out of memory is nobody's decision and goes
 * on. */
static trial try(tn_pass_ctx *c, uint32_t decides) {
    const tn_module *m = c->module;
    tn_ctx *ctx = c->ctx;
    trial t = {.c = c, .decides = decides, .before = TN_ARRAY(c->scratch, decision, m->n_values)};
    for (uint32_t i = 0; i < m->n_values; i++) {
        const tn_value *v = m->values[i];
        t.before[i] =
            (decision){v->flags, v->alias_kind, v->alias_of, v->alias_offset, v->unplanned};
    }
    tn_diag_handler on_diag = ctx->on_diag;
    uint32_t n_errors = ctx->n_errors, n_warnings = ctx->n_warnings;
    ctx->on_diag = NULL;
    t.status = tn_guard_run(ctx, run_behind, &t);
    ctx->on_diag = on_diag;
    ctx->n_errors = n_errors;
    ctx->n_warnings = n_warnings;
    if (t.status == TN_NOMEM) {
        tn_raise(ctx, TN_NOMEM);
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
    if (t->plan != NULL) {
        tn_plan_drop(t->plan);
    }
    if (t->analyses != NULL) {
        tn_analyses_drop(t->analyses);
    }
}

static tn_intent intent_behind(const tn_pass_ctx *outer) {
    tn_intent intent = {0};
    for (uint32_t i = outer->index + 1; i < outer->pipeline->len; i++) {
        tn_pass_ctx c = context_of(outer, i);
        if (c.pass->intend != NULL) {
            c.pass->intend(&c, &intent);
        }
    }
    return intent;
}

/* What the pass proposes with the decisions before it that it wants to see. */
static tn_candidates proposals(tn_pass_ctx *c) {
    tn_candidates all = {0};
    trial t = try(c, c->pass->previews);
    if (t.status == TN_OK) {
        tn_intent intent = intent_behind(c);
        all = c->pass->propose(c, t.analyses, &intent);
    }
    undo(&t);
    return all;
}

/* What candidates are compared by. */
typedef struct figures {
    uint64_t arena, level0;
} figures;

static figures measure(tn_pass_ctx *c) {
    trial t = try(c, UINT32_MAX);
    figures f = {TN_NO_ARENA, 0};
    if (t.plan != NULL) {
        f = (figures){t.plan->pools[0].size, t.plan->report.level0};
    }
    undo(&t);
    return f;
}

/* Of equally small arenas that of number 0 is the best, and of the others the smallest at level 0.
 */
static bool is_better(figures x, uint32_t i, figures best, uint32_t best_i) {
    if (x.arena != best.arena || x.arena == TN_NO_ARENA) {
        return x.arena < best.arena;
    }
    return i == 0 || (best_i != 0 && x.level0 < best.level0);
}

/* Number 0 comes second: mostly it need not be planned, since number 1 is known to be better. */
void tn_try_candidates(tn_pass_ctx *c) {
    tn_candidates all = proposals(c);
    figures least = {TN_NO_ARENA, 0};
    uint32_t best = all.unplanned;
    for (uint32_t k = all.probe ? 1 : 0; k < all.n; k++) {
        uint32_t i = k <= 1 && all.n > 1 && !all.probe ? 1 - k : k;
        if (!all.put(all.user, i, least.arena)) {
            continue;
        }
        figures f = measure(c);
        if (is_better(f, i, least, best)) {
            least = f;
            best = i;
        }
    }
    if (all.n > 0) {
        (void)all.put(all.user, all.probe ? 0 : best, TN_NO_ARENA);
        all.settle(all.user, best, least.arena);
    }
}
