#include "passes/core/trial.h"

#include <string.h>

#include "ir/mutate.h"
#include "passes/core/pipeline.h"
#include "passes/core/registry.h"

enum {
    DECIDED_FLAGS = TN_VF_PINNED | TN_VF_EXCLUDED | TN_VF_LOSS | TN_VF_PARAM | TN_VF_STATE |
                    TN_VF_BACKWARD | TN_VF_PARAM_GRAD | TN_VF_DONATED
};

/* What passes state about a value. */
typedef struct tn_decision {
    uint32_t flags;
    tn_alias_kind kind;
    tn_value *of;
    int64_t offset;
    const char *unplanned;
} tn_decision;

typedef struct trial_call {
    tn_trial *t;
    const tn_names *passes;
} trial_call;

static bool is_named(const tn_names *names, const char *name) {
    for (uint32_t i = 0; i < names->len; i++) {
        if (strcmp(names->data[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static tn_status run_named(tn_ctx *ctx, void *arg) {
    const trial_call *call = arg;
    const tn_pass_ctx *outer = call->t->c;
    tn_arena *scratch = tn_arena_new(ctx);
    tn_analyses *analyses = tn_analyses_new(outer->module);
    tn_plan *plan = NULL;
    tn_status status = TN_OK;
    for (uint32_t i = outer->index + 1; i < outer->pipeline->len && status == TN_OK; i++) {
        const tn_pipeline_item *item = &outer->pipeline->items[i];
        if (!is_named(call->passes, item->pass->name)) {
            continue;
        }
        tn_pass_ctx c = *outer;
        tn_order_facts facts = {0};
        c.scratch = scratch;
        c.analyses = analyses;
        c.plan = &plan;
        c.index = i;
        c.opt_values = item->values;
        c.stats = TN_ARRAY(scratch, uint64_t, tn_pass_n_stats(item->pass));
        c.refused = TN_ARRAY(scratch, uint64_t, TN_REASON_COUNT);
        c.refusals = NULL;
        c.log = NULL;
        c.pass = item->pass;
        c.order = &facts;
        status = item->pass->run(&c);
    }
    tn_arena_drop(scratch);
    call->t->analyses = analyses;
    call->t->plan = plan;
    return status;
}

/* A raise inside drops all that was made inside, so nothing of it is kept here. Running out of
 * memory is nobody's decision and goes on; whatever else fails will fail again when the pass runs.
 */
void tn_trial_run(tn_trial *t, tn_pass_ctx *c, const tn_names *passes) {
    const tn_module *m = c->module;
    tn_ctx *ctx = c->ctx;
    *t = (tn_trial){.c = c, .before = TN_ARRAY(c->scratch, tn_decision, m->n_values)};
    for (uint32_t i = 0; i < m->n_values; i++) {
        const tn_value *v = m->values[i];
        t->before[i] =
            (tn_decision){v->flags, v->alias_kind, v->alias_of, v->alias_offset, v->unplanned};
    }
    tn_diag_handler on_diag = ctx->on_diag;
    uint32_t n_errors = ctx->n_errors, n_warnings = ctx->n_warnings;
    trial_call call = {t, passes};
    ctx->on_diag = NULL;
    t->status = tn_guard_run(ctx, run_named, &call);
    ctx->on_diag = on_diag;
    ctx->n_errors = n_errors;
    ctx->n_warnings = n_warnings;
    if (t->status == TN_NOMEM) {
        tn_raise(ctx, TN_NOMEM);
    }
}

void tn_trial_undo(tn_trial *t) {
    const tn_module *m = t->c->module;
    for (uint32_t i = 0; i < m->n_values; i++) {
        tn_value_set_alias(m->values[i], TN_ALIAS_NONE, NULL, 0);
    }
    for (uint32_t i = 0; i < m->n_values; i++) {
        const tn_decision *d = &t->before[i];
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

static const char *value_of(const tn_pipeline_item *item, const char *name) {
    for (uint32_t k = 0; k < tn_opt_count(item->pass->options); k++) {
        if (strcmp(item->pass->options[k].name, name) == 0) {
            return item->values[k];
        }
    }
    return NULL;
}

const char *tn_option_behind(const tn_pass_ctx *c, const char *pass, const char *name) {
    for (uint32_t i = c->index + 1; i < c->pipeline->len; i++) {
        if (strcmp(c->pipeline->items[i].pass->name, pass) == 0) {
            return value_of(&c->pipeline->items[i], name);
        }
    }
    return NULL;
}

const char *tn_option_before(const tn_pass_ctx *c, const char *pass, const char *name) {
    for (uint32_t i = c->index; i-- > 0;) {
        if (strcmp(c->pipeline->items[i].pass->name, pass) == 0) {
            return value_of(&c->pipeline->items[i], name);
        }
    }
    return NULL;
}
