#include "passes/alias/default_form.h"

#include <string.h>

#include "ir/mutate.h"
#include "passes/alias/alias_set.h"
#include "passes/alias/choose.h"
#include "passes/core/pipeline.h"
#include "passes/core/registry.h"

enum { AS_ASKED, BY_DEFAULT, FORMS };

typedef struct forms {
    tn_pass_ctx *c;
    tn_alias_edge *edges[FORMS]; /* all the module has then */
    uint32_t n[FORMS];
    uint64_t *stats; /* of the pass by default */
} forms;

static void keep(forms *f, uint32_t form) {
    const tn_module *m = f->c->module;
    f->edges[form] = TN_ARRAY(f->c->scratch, tn_alias_edge, m->n_values);
    for (uint32_t i = 0; i < m->n_values; i++) {
        tn_value *v = m->values[i];
        if (v->alias_of != NULL) {
            f->edges[form][f->n[form]++] =
                (tn_alias_edge){v, v->alias_of, v->alias_kind, v->alias_offset};
        }
    }
}

static bool put(void *user, uint32_t form, uint64_t least) {
    const forms *f = user;
    const tn_module *m = f->c->module;
    (void)least;
    for (uint32_t i = 0; i < m->n_values; i++) {
        tn_value_set_alias(m->values[i], TN_ALIAS_NONE, NULL, 0);
    }
    for (uint32_t k = 0; k < f->n[form]; k++) {
        const tn_alias_edge *e = &f->edges[form][k];
        tn_value_set_alias(e->v, e->kind, e->of, e->offset);
    }
    return true;
}

static void settle(void *user, uint32_t best, uint64_t least) {
    forms *f = user;
    tn_pass_ctx *c = f->c;
    (void)least;
    if (best == AS_ASKED) {
        return;
    }
    memcpy(c->stats, f->stats, tn_pass_n_stats(c->pass) * sizeof *c->stats);
    tn_alias_set *set = tn_alias_open(c->analyses, c->module, c->scratch);
    for (uint32_t k = 0; k < f->n[AS_ASKED]; k++) {
        const tn_alias_edge *e = &f->edges[AS_ASKED][k];
        if (!tn_alias_same(set, e->v, e->of)) {
            tn_refuse_edge(c, set->live, e, TN_REASON_GROW);
        }
    }
}

static tn_status run_by_default(forms *f) {
    tn_pass_ctx silent = *f->c;
    silent.opt_values = tn_pipeline_default(f->c->scratch, f->c->pass).values;
    silent.stats = f->stats = TN_ARRAY(f->c->scratch, uint64_t, tn_pass_n_stats(f->c->pass));
    silent.refused = TN_ARRAY(f->c->scratch, uint64_t, TN_REASON_COUNT);
    silent.refusals = NULL;
    return f->c->pass->run(&silent);
}

/* Whether the module, in the form asked for, joins all that are joined by default. */
static bool joins_all(const forms *f) {
    tn_alias_set *set = tn_alias_open(f->c->analyses, f->c->module, f->c->scratch);
    for (uint32_t k = 0; k < f->n[BY_DEFAULT]; k++) {
        const tn_alias_edge *e = &f->edges[BY_DEFAULT][k];
        if (!tn_alias_same(set, e->v, e->of)) {
            return false;
        }
    }
    return true;
}

tn_candidates tn_propose_default(tn_pass_ctx *c, void (*take_back)(tn_module *m), bool any) {
    forms *f = TN_NEW(c->scratch, forms);
    f->c = c;
    keep(f, AS_ASKED);
    take_back(c->module);
    tn_status status = run_by_default(f);
    keep(f, BY_DEFAULT);
    (void)put(f, AS_ASKED, TN_NO_ARENA);
    bool loses = !joins_all(f) || (any && f->n[AS_ASKED] != f->n[BY_DEFAULT]);
    uint32_t n = status == TN_OK && loses ? FORMS : 0;
    return (tn_candidates){.n = n, .in_order = true, .user = f, .put = put, .settle = settle};
}
