/* Turns what the user and the model ask for into flags on values, which is all that later passes
 * look at, and makes the one kind of alias that is no choice: results that are their operand by the
 * op's definition. */
#include <string.h>

#include "ir/base/quote.h"
#include "ir/mutate.h"
#include "passes/alias/place_results.h"
#include "passes/analysis/storages.h"
#include "passes/analysis/training.h"
#include "passes/core/double_buffers.h"
#include "passes/core/image_layout.h"
#include "passes/core/model_controls.h"
#include "passes/core/pass.h"
#include "passes/core/select.h"
#include "passes/core/updates.h"

enum {
    STAT_EXCLUDED,
    STAT_PINNED,
    STAT_BACKWARD,
    STAT_PARAM_GRADS,
    STAT_SAVED,
    STAT_DONATED,
    STAT_IN_ARENA,
    STAT_MUST,
    STAT_LAST,
    STAT_DOUBLE
};
static const tn_stat stats[] = {
    [STAT_EXCLUDED] = {"excluded", "values excluded by name, with their views and gradients"},
    [STAT_PINNED] = {"pinned", "losses, parameter gradients and the like with own bytes"},
    [STAT_BACKWARD] = {"backward", "values recognised as made by the backward part"},
    [STAT_PARAM_GRADS] = {"param-grads", "gradients of parameters"},
    [STAT_SAVED] = {"saved", "forward values the backward part reads"},
    [STAT_IN_ARENA] = {"in-arena", "outputs that lie in the arena from their first write on"},
    [STAT_DONATED] = {"donated", "inputs whose bytes may be reused"},
    [STAT_MUST] = {"must", "results that are their operand by definition"},
    [STAT_LAST] = {"channels-last", "images that lie with their channels last"},
    [STAT_DOUBLE] = {"double", "inputs and outputs with two places"},
    {0}};

typedef struct pinning {
    tn_pass_ctx *c;
    tn_module *m;
    tn_controls want;
    const char *suffix;
} pinning;

static void set_excluded(void *user, tn_value *v) {
    (void)user;
    tn_value_set_flags(v, TN_VF_EXCLUDED | TN_VF_PINNED, 0);
}

static void set_loss(void *user, tn_value *v) {
    (void)user;
    tn_value_set_flags(v, TN_VF_LOSS, 0);
}

static void set_param(void *user, tn_value *v) {
    (void)user;
    tn_value_set_flags(v, TN_VF_PARAM, 0);
}

static void set_param_grad(void *user, tn_value *v) {
    (void)user;
    tn_value_set_flags(v, TN_VF_BACKWARD | TN_VF_PARAM_GRAD, 0);
}

/* --grad-of PARAM=NAME. */
static tn_status pair_gradients(pinning *p) {
    for (uint32_t i = 0; i < p->want.grad_of.len; i++) {
        const char *text = p->want.grad_of.data[i], *param, *name;
        if (!tn_pair_split(p->c->scratch, text, "=", false, &param, &name) ||
            (name = tn_name_unquote(p->c->scratch, name)) == NULL) {
            tn_loc loc = tn_loc_file(p->m->file);
            return tn_error_of(p->c->ctx, tn_name_mistake(&p->want.grad_of, i), &loc,
                               "grad-of '%s': expected PARAM=NAME", text);
        }
        uint32_t of_model = tn_name_is_of_model(&p->want.grad_of, i);
        tn_status s =
            tn_select_values(p->m, (tn_names){&param, 1, of_model}, "grad-of", set_param, NULL);
        if (s == TN_OK) {
            s = tn_select_values(p->m, (tn_names){&name, 1, of_model}, "grad-of", set_param_grad,
                                 NULL);
        }
        if (s != TN_OK) {
            return s;
        }
    }
    return TN_OK;
}

static void pin_state_and_inputs(pinning *p) {
    for (uint32_t i = 0; i < p->m->n_bindings; i++) {
        tn_value_set_flags(p->m->bindings[i].state, TN_VF_STATE, 0);
    }
    for (uint32_t i = 0; i < p->m->main->n_inputs && p->want.reuse_inputs; i++) {
        tn_value *v = p->m->main->inputs[i];
        if (!(v->flags & (TN_VF_STATE | TN_VF_EXCLUDED | TN_VF_DOUBLE))) {
            tn_value_set_flags(v, TN_VF_DONATED, 0);
            p->c->stats[STAT_DONATED]++;
        }
    }
}

/* The caller reads an output after the run; before its first write its bytes are anybody's. */
static void open_outputs(pinning *p) {
    for (uint32_t i = 0; i < p->m->main->n_outputs && p->want.io_in_arena; i++) {
        tn_value *v = p->m->main->outputs[i];
        if (v->kind == TN_VALUE_RESULT && !tn_is_const(v) && !(v->flags & TN_VF_DOUBLE)) {
            tn_value_set_flags(v, TN_VF_ARENA, 0);
            p->c->stats[STAT_IN_ARENA]++;
        }
    }
}

/* Exclusion spreads from what was asked for by name, not from gradients that this pass excluded in
 * an earlier run (--skip-grads): else a second run would exclude more than the first. */
static bool spreads(const pinning *p, const tn_value *v) {
    bool by_kind = p->want.skip_grads && (v->flags & TN_VF_BACKWARD) != 0;
    return (v->flags & TN_VF_EXCLUDED) != 0 && !by_kind;
}

/* The gradient of an excluded value is excluded: <x><suffix>, and its pieces <x><suffix>_<n>. */
static void exclude_gradients(pinning *p) {
    tn_map excluded = tn_map_make(p->c->scratch);
    for (uint32_t i = 0; i < p->m->n_values; i++) {
        if (spreads(p, p->m->values[i])) {
            tn_map_put(&excluded, tn_str_id(p->m->values[i]->name), 1);
        }
    }
    for (uint32_t i = 0; i < p->m->n_values && excluded.len > 0; i++) {
        tn_value *v = p->m->values[i];
        size_t stem = tn_grad_stem(v->name, p->suffix, true);
        if (stem > 0 &&
            tn_map_or(&excluded, tn_str_id(tn_intern_n(p->c->ctx, v->name, stem)), 0) != 0) {
            set_excluded(NULL, v);
        }
    }
}

/* Excluding a view protects what it is a view of, and the reverse: exclusion spreads along the ops
 * that move nothing, in both directions. */
static void exclude_views(pinning *p) {
    TN_VEC(tn_value *) work = {0};
    for (uint32_t i = 0; i < p->m->n_values; i++) {
        if (spreads(p, p->m->values[i])) {
            tn_vec_push(p->c->scratch, &work, p->m->values[i]);
        }
    }
    while (work.len > 0) {
        tn_value *v = work.data[--work.len];
        for (const tn_use *u = v->first_use; u != NULL; u = u->next) {
            tn_view_claim view = tn_op_view(u->op);
            tn_value *r = tn_result(u->op, 0);
            if (view.kind == TN_VIEW_WHOLE && u->index == view.operand && r != NULL &&
                !(r->flags & TN_VF_EXCLUDED)) {
                set_excluded(NULL, r);
                tn_vec_push(p->c->scratch, &work, r);
            }
        }
        const tn_op *def = v->kind == TN_VALUE_RESULT ? v->def : NULL;
        tn_view_claim view = {.kind = TN_VIEW_NONE};
        if (def != NULL) {
            view = tn_op_view(def);
        }
        tn_value *of = view.kind == TN_VIEW_WHOLE ? tn_operand(def, view.operand) : NULL;
        if (of != NULL && v->def_index == 0 && !(of->flags & TN_VF_EXCLUDED)) {
            set_excluded(NULL, of);
            tn_vec_push(p->c->scratch, &work, of);
        }
    }
}

static void log_training(const pinning *p, const tn_training *t) {
    if (p->c->log == NULL || !t->recognised) {
        return;
    }
    tn_putf(p->c->log,
            "training: %u backward ops, %u backward values, %u parameter gradients, "
            "%u saved activations\n",
            t->n_ops, t->n_values, t->n_param_grads, t->n_saved);
    for (int rule = TN_RULE_USER; rule < TN_RULE_COUNT; rule++) {
        if (t->n_by_rule[rule] > 0) {
            tn_putf(p->c->log, "training: %u ops recognised by rule '%s'\n", t->n_by_rule[rule],
                    tn_training_rule_name((tn_training_rule)rule));
        }
    }
}

/* Nobody reads it in the run, so the caller will behind it. An output in the arena is kept until
 * then without being pinned. */
static bool is_left_over(const tn_value *v) {
    return v->n_uses == 0 && (v->flags & TN_VF_ARENA) == 0;
}

static uint32_t flags_of(const pinning *p, const tn_training *t, uint32_t id) {
    uint32_t set = 0;
    if (p->m->values[id]->flags & TN_VF_WORKSPACE) {
        return 0; /* nobody looks at it behind its step */
    }
    set |= t->backward[id] ? TN_VF_BACKWARD : 0u;
    set |= t->param_grad[id] ? TN_VF_PARAM_GRAD : 0u;
    set |= t->loss[id] ? TN_VF_LOSS : 0u;
    set |= t->param[id] ? TN_VF_PARAM : 0u;
    bool kept = p->want.skip_param_grads || is_left_over(p->m->values[id]);
    if (t->loss[id] || (t->param_grad[id] && kept)) {
        set |= TN_VF_PINNED;
    }
    bool off = t->recognised ? !p->want.optimize_train : !p->want.optimize_test;
    if (off || p->want.keep_all || (t->backward[id] && p->want.skip_grads)) {
        set |= TN_VF_EXCLUDED | TN_VF_PINNED;
    }
    return set;
}

/* That of kernels (workspaces that stay from run to run) too. */
static void set_apart(pinning *p) {
    for (uint32_t i = 0; i < p->m->n_values && p->want.state_apart; i++) {
        if (p->m->values[i]->flags & TN_VF_STATE) {
            tn_value_set_flags(p->m->values[i], TN_VF_APART, 0);
        }
    }
}

static void flag_training(pinning *p) {
    const tn_training *t = tn_recognise_training(p->m, p->suffix, p->c->scratch);
    log_training(p, t);
    for (uint32_t i = 0; i < p->m->n_values; i++) {
        tn_value_set_flags(p->m->values[i], flags_of(p, t, i), 0);
        p->c->stats[STAT_EXCLUDED] += (p->m->values[i]->flags & TN_VF_EXCLUDED) != 0;
        p->c->stats[STAT_PINNED] += (p->m->values[i]->flags & TN_VF_PINNED) != 0;
        p->c->stats[STAT_DOUBLE] += (p->m->values[i]->flags & TN_VF_DOUBLE) != 0;
    }
    p->c->stats[STAT_BACKWARD] = t->n_values;
    p->c->stats[STAT_PARAM_GRADS] = t->n_param_grads;
    p->c->stats[STAT_SAVED] = t->n_saved;
}

static tn_status run(tn_pass_ctx *c) {
    pinning p = {.c = c, .m = c->module};
    tn_status s = tn_controls_complete(c->controls, c->module, c->scratch, &p.want);
    p.suffix = p.want.grad_suffix != NULL ? p.want.grad_suffix : "_grad";
    if (s == TN_OK) {
        s = tn_select_values(p.m, p.want.exclude, "exclude", set_excluded, NULL);
    }
    if (s == TN_OK) {
        s = tn_select_values(p.m, p.want.loss, "loss", set_loss, NULL);
    }
    if (s == TN_OK) {
        s = pair_gradients(&p);
    }
    if (s == TN_OK) {
        s = tn_bind_updates(p.m, p.want.update, c->scratch);
    }
    if (s == TN_OK) {
        s = tn_flag_double_buffers(p.m, &p.want, c->scratch);
    }
    if (s != TN_OK) {
        return s;
    }
    exclude_views(&p);
    exclude_gradients(&p); /* of all views, and then the views of the gradients */
    exclude_views(&p);
    pin_state_and_inputs(&p);
    open_outputs(&p);
    flag_training(&p);
    set_apart(&p);
    uint32_t n_last;
    s = tn_lay_images(p.m, &p.want, c->scratch, &n_last);
    if (s != TN_OK) {
        return s;
    }
    c->stats[STAT_LAST] = n_last;
    c->stats[STAT_MUST] = tn_place_demanded(c);
    return TN_OK;
}

const tn_pass_info tn_pass_pin = {
    .name = "pin",
    .summary = "states on values what must keep its own bytes, and what the backward part is",
    .needs = TN_PROP_TYPES | TN_PROP_ORDERED,
    .sets = TN_PROP_PINS,
    .stats = stats,
    .refusals = TN_REASON_BIT(UNSIZED) | TN_REASON_BIT(WIDTH) | TN_REASON_BIT(LAYOUT) |
                TN_REASON_BIT(INPUT) | TN_REASON_BIT(CONST) | TN_REASON_BIT(OUTPUT) |
                TN_REASON_BIT(STATE) | TN_REASON_BIT(READER) | TN_REASON_BIT(UNORDERED) |
                TN_REASON_BIT(OVERLAP) | TN_REASON_BIT(PLACE) | TN_REASON_BIT(MANY) |
                TN_REASON_BIT(EXCLUDED) | TN_REASON_BIT(PINNED),
    .required = true,
    .decides = TN_DECIDES_PINS,
    .run = run,
};
