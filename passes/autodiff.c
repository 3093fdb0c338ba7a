/* autodiff: appends the gradients of a loss to an inference graph. What the gradient of an op is,
 * and what it needs of the forward part, stands in the op's row (ir/ops/grad_text.h). */
#include <string.h>

#include "ir/mutate.h"
#include "passes/autodiff/differentiate.h"
#include "passes/autodiff/named_values.h"
#include "passes/core/pass.h"
#include "passes/core/select.h"

enum { OPT_LOSS, OPT_WRT, OPT_STOP, OPT_SEED, OPT_INDICES };
static const tn_opt options[] = {
    [OPT_LOSS] = {"loss", TN_OPT_TEXT, "", NULL,
                  "the value to differentiate, of one element; by default the one loss there is"},
    [OPT_WRT] =
        {"wrt", TN_OPT_TEXT, "params", NULL,
         "by which values: params (all initializers of floats with more than one element), or "
         "names and globs with commas"},
    [OPT_STOP] = {"stop", TN_OPT_TEXT, "", NULL,
                  "values, by names and globs with commas, that no gradient goes through"},
    [OPT_SEED] =
        {"seed", TN_OPT_ENUM, "one", "one|input",
         "gradient of the loss: 1, or an input LOSS_grad (a loss that is scaled, or not of one "
         "element)"},
    [OPT_INDICES] =
        {"indices", TN_OPT_ENUM, "auto", "auto|keep|recompute",
         "where the largest elements of a MaxPool were: kept from the forward part, or found "
         "again; auto: what takes fewer bytes"},
    {0}};

enum { STAT_GRADIENTS, STAT_OPS, STAT_SUMS, STAT_KEPT };
static const tn_stat stats[] = {
    [STAT_GRADIENTS] = {"gradients", "gradients asked for that were made"},
    [STAT_OPS] = {"ops", "ops appended"},
    [STAT_SUMS] = {"sums", "additions of gradients of values with several readers"},
    [STAT_KEPT] = {"kept", "values of the forward part that the backward part reads"},
    {0}};

typedef struct run {
    tn_pass_ctx *c;
    tn_module *m;
    tn_diff d;
} run;

/* ---- what is asked for ---- */

static void want(void *user, tn_value *v) {
    ((tn_diff *)user)->wanted[v->id] = v->graph == ((tn_diff *)user)->m->main;
}

static void stop(void *user, tn_value *v) {
    ((tn_diff *)user)->stopped[v->id] = true;
}

static tn_status select_names(run *r, uint32_t option, void (*fn)(void *user, tn_value *v)) {
    const char *what = options[option].name;
    tn_names names = {0};
    tn_status s = tn_names_split(r->m, r->c->scratch, what, tn_pass_text(r->c, option), &names.data,
                                 &names.len);
    return s == TN_OK ? tn_select_values(r->m, names, what, fn, &r->d) : s;
}

/* Single numbers are mostly constants of formulas (an epsilon, an exponent), which nobody trains.
 */
static bool is_param(const tn_value *v) {
    const tn_tensor *t = v->kind == TN_VALUE_RESULT ? NULL : v->tensor;
    return (v->flags & TN_VF_PARAM) != 0 ||
           (t != NULL && t->n_elements > 1 && tn_dtype_get(t->dtype)->kind == 'F');
}

static bool wants_params(const run *r) {
    return strcmp(tn_pass_text(r->c, OPT_WRT), "params") == 0;
}

static tn_status choose_wanted(run *r) {
    if (!wants_params(r)) {
        return select_names(r, OPT_WRT, want);
    }
    for (uint32_t i = 0; i < r->m->n_values; i++) {
        tn_value *v = r->m->values[i];
        r->d.wanted[i] = v->graph == r->m->main && is_param(v);
    }
    return TN_OK;
}

/* ---- the loss ---- */

static bool has_one_element(const run *r, const tn_value *v) {
    int64_t n;
    return v->type->kind == TN_TYPE_TENSOR && tn_type_fixed_elements(r->m->dims, v->type, &n) &&
           n == 1;
}

/* The loss that the model names itself: the result of a loss op, or the only output, if it is of
 * one element. */
static tn_value *only_loss(const run *r) {
    tn_value *found = NULL;
    for (uint32_t i = 0; i < r->m->n_values; i++) {
        tn_value *v = r->m->values[i];
        bool by_op = v->kind == TN_VALUE_RESULT && v->graph == r->m->main && v->def_index == 0 &&
                     !v->def->erased && (v->def->info->traits & TN_T_LOSS) != 0;
        if (by_op || (v->flags & TN_VF_LOSS) != 0) {
            if (found != NULL) {
                return NULL;
            }
            found = v;
        }
    }
    const tn_graph *g = r->m->main;
    return found == NULL && g->n_outputs == 1 && has_one_element(r, g->outputs[0]) ? g->outputs[0]
                                                                                   : found;
}

static tn_status find_loss(run *r) {
    const char *name = tn_pass_text(r->c, OPT_LOSS);
    tn_loc loc = tn_loc_file(r->m->file);
    if (*name == '\0') {
        r->d.loss = only_loss(r);
        return r->d.loss != NULL
                   ? TN_OK
                   : tn_error(r->c->ctx, &loc, "autodiff: which value is the loss? give loss=NAME");
    }
    return tn_name_find(r->m, r->c->scratch, "loss", name, &r->d.loss);
}

static const char *type_text(const run *r, const tn_value *v) {
    tn_sink text = tn_sink_make(r->c->scratch);
    tn_type_print(r->m->dims, v->type, &text);
    return text.data;
}

static tn_status check_loss(run *r) {
    tn_value *loss = r->d.loss;
    tn_loc loc = tn_loc_file(r->m->file);
    bool is_float =
        loss->type->kind == TN_TYPE_TENSOR && tn_dtype_get(loss->type->dtype)->kind == 'F';
    bool given = tn_pass_is(r->c, OPT_SEED, "input");
    if (!is_float || loss->kind != TN_VALUE_RESULT || (!given && !has_one_element(r, loss))) {
        return tn_error(
            r->c->ctx, &loc, "autodiff: the loss '%s' is %s %s, expected a result of floats%s",
            loss->name,
            loss->kind == TN_VALUE_RESULT ? "a result of type" : "not computed, of type",
            type_text(r, loss),
            given ? "" : " with one element; seed=input takes its gradient as an input");
    }
    tn_value_set_flags(loss, TN_VF_LOSS, 0);
    if ((loss->flags & TN_VF_OUTPUT) == 0) {
        tn_graph_add_output(r->m->main, loss);
    }
    if (given) {
        const char *name = tn_emit_name(r->d.e, tn_internf(r->c->ctx, "%s_grad", loss->name));
        r->d.seed = tn_graph_add_input(r->m->main, name, loss->type);
    }
    return TN_OK;
}

/* ---- what comes of it ---- */

static void hand_out(void *user, tn_value *x, tn_value *grad) {
    run *r = user;
    tn_value_set_flags(x, x->kind == TN_VALUE_RESULT ? 0 : TN_VF_PARAM, 0);
    tn_value_set_flags(grad, TN_VF_BACKWARD | TN_VF_PARAM_GRAD, 0);
    tn_graph_add_output(r->m->main, grad);
    r->c->stats[STAT_GRADIENTS]++;
}

/* A gradient that was asked for by name and does not exist is 0, which is hardly meant. */
static tn_status check_reached(const run *r) {
    tn_loc loc = tn_loc_file(r->m->file);
    bool any = false;
    for (uint32_t i = 0; i < r->d.n_values; i++) {
        bool wanted = r->d.wanted[i], reached = wanted && r->d.needed[i];
        any |= reached;
        if (wanted && !reached && !wants_params(r)) {
            return tn_error(
                r->c->ctx, &loc,
                "autodiff: no gradient reaches '%s': the loss '%s' does not depend on it, "
                "or only through ops whose derivative is 0, or stop= is in the way",
                r->m->values[i]->name, r->d.loss->name);
        }
    }
    return any ? TN_OK
               : tn_error(r->c->ctx, &loc,
                          "autodiff: the loss '%s' depends on no initializer of floats; wrt=NAMES "
                          "asks for gradients by other values",
                          r->d.loss->name);
}

static void count(run *r, uint32_t n_ops, uint32_t n_values) {
    r->c->stats[STAT_OPS] = r->m->n_ops - n_ops;
    r->c->stats[STAT_SUMS] = r->d.n_sums;
    for (uint32_t i = 0; i < n_values; i++) {
        const tn_value *v = r->m->values[i];
        bool kept = false;
        for (const tn_use *u = v->first_use; u != NULL && v->kind == TN_VALUE_RESULT; u = u->next) {
            kept |= u->op->id >= n_ops;
        }
        r->c->stats[STAT_KEPT] += kept;
    }
}

static tn_status run_pass(tn_pass_ctx *c) {
    tn_module *m = c->module;
    run r = {.c = c, .m = m};
    r.d = (tn_diff){.m = m,
                    .e = tn_emitter_new(m->main, c->scratch),
                    .scratch = c->scratch,
                    .wanted = TN_ARRAY(c->scratch, bool, m->n_values),
                    .stopped = TN_ARRAY(c->scratch, bool, m->n_values),
                    .complete = hand_out,
                    .user = &r};
    r.d.e->flags = TN_VF_BACKWARD;
    tn_status status = choose_wanted(&r);
    status = status == TN_OK ? select_names(&r, OPT_STOP, stop) : status;
    status = status == TN_OK ? find_loss(&r) : status;
    status = status == TN_OK ? tn_diff_need(&r.d) : status;
    status = status == TN_OK ? check_reached(&r) : status;
    status = status == TN_OK ? check_loss(&r) : status;
    if (status == TN_OK) {
        uint32_t n_ops = m->n_ops;
        tn_diff_run(&r.d);
        count(&r, n_ops, r.d.n_values);
    }
    return status;
}

const tn_pass_info tn_pass_autodiff = {
    .name = "autodiff",
    .summary = "appends the gradients of a loss: an inference graph becomes a training graph",
    .needs = TN_PROP_TYPES | TN_PROP_ORDERED,
    .breaks = TN_PROP_TYPES | TN_PROP_ORDERED | TN_PROP_PINS,
    .options = options,
    .stats = stats,
    .required = true,
    .run = run_pass,
};
