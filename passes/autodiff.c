/* autodiff: appends the gradients of a loss to an inference graph, and with an optimizer the
 * updates of its parameters. What the gradient of an op is, and what it needs of the forward part,
 * stands in the op's row (ir/ops/grad_text.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ir/gradient/expand.h"
#include "ir/gradient/loss_parts.h"
#include "ir/gradient/optimizer.h"
#include "ir/gradient/plain_sequences.h"
#include "ir/gradient/pool_first.h"
#include "ir/gradient/stack_parts.h"
#include "ir/gradient/straight_through.h"
#include "ir/gradient/training_form.h"
#include "ir/mutate.h"
#include "ir/ops/claims.h"
#include "passes/autodiff/chosen_loss.h"
#include "passes/autodiff/constant_params.h"
#include "passes/autodiff/differentiate.h"
#include "passes/autodiff/keep_least.h"
#include "passes/autodiff/named_values.h"
#include "passes/autodiff/put_late.h"
#include "passes/core/pass.h"
#include "passes/core/select.h"

enum {
    OPT_LOSS,
    OPT_WRT,
    OPT_STOP,
    OPT_SEED,
    OPT_TRAIN,
    OPT_INDICES,
    OPT_KEEP,
    OPT_ROUNDING,
    OPT_OPTIMIZER,
    OPT_RATE,
    OPT_MOMENTUM,
    OPT_BETA2,
    OPT_EPSILON,
    OPT_DECAY,
    OPT_CLIP,
    OPT_SCALE,
    OPT_MASTERS,
    OPT_ACCUMULATE,
    OPT_OUTPUTS
};
static const tn_opt options[] = {
    [OPT_LOSS] =
        {"loss", TN_OPT_TEXT, "", NULL,
         "the value to differentiate, of one element, or a loss to make over an output: "
         "mse(NAME), l1(NAME), bce(NAME), cross-entropy(NAME); by default the one loss there "
         "is"},
    [OPT_WRT] = {"wrt", TN_OPT_TEXT, "params", NULL,
                 "by which values: params (all initializers and Constants of floats with more than "
                 "one element), names and globs, with commas"},
    [OPT_STOP] = {"stop", TN_OPT_TEXT, "", NULL,
                  "values, by names and globs with commas, that no gradient goes through"},
    [OPT_SEED] =
        {"seed", TN_OPT_ENUM, "one", "one|input",
         "gradient of the loss: 1, or an input LOSS_grad (a loss that is scaled, or not of one "
         "element)"},
    [OPT_TRAIN] = {"train", TN_OPT_BOOL, "false", NULL,
                   "put Dropout and BatchNormalization in training form"},
    [OPT_INDICES] =
        {"indices", TN_OPT_ENUM, "auto", "auto|keep|recompute",
         "where the largest elements of a MaxPool were: kept from the forward part, or found "
         "again; auto: what takes fewer bytes"},
    [OPT_KEEP] =
        {"keep", TN_OPT_ENUM, "least", "least|named",
         "what the backward part keeps of the forward part: the fewest bytes, from which cheap ops "
         "make the rest once more, or all that the formulas of gradients name"},
    [OPT_ROUNDING] =
        {"rounding", TN_OPT_ENUM, "zero", "zero|straight-through",
         "the gradient of what rounds and quantises: 0, or as if it did not round; then weights "
         "that are whole numbers become parameters, too"},
    [OPT_OPTIMIZER] =
        {"optimizer", TN_OPT_ENUM, "none", "none|sgd|momentum|adam|adamw",
         "update the parameters, each as soon as its gradient is complete; none: gradients "
         "are outputs"},
    [OPT_RATE] = {"rate", TN_OPT_TEXT, "0.01", NULL,
                  "learning rate: a number, or input: the scalar input learning_rate"},
    [OPT_MOMENTUM] = {"momentum", TN_OPT_TEXT, "0.9", NULL,
                      "decay of the momentum; of adam's first moment"},
    [OPT_BETA2] = {"beta2", TN_OPT_TEXT, "0.999", NULL, "decay of adam's second moment"},
    [OPT_EPSILON] = {"epsilon", TN_OPT_TEXT, "1e-8", NULL, "what adam adds to the root"},
    [OPT_DECAY] = {"decay", TN_OPT_TEXT, "0", NULL,
                   "decay of weights: so many times the weight is added to the gradient; adamw "
                   "takes rate times that of the weight away"},
    [OPT_CLIP] = {"clip", TN_OPT_TEXT, "0", NULL,
                  "gradients whose norm over all parameters is larger are scaled down to it, for "
                  "which all gradients are kept until the last is there; 0: none are"},
    [OPT_SCALE] = {"scale", TN_OPT_TEXT, "1", NULL,
                   "the loss is scaled by it for its gradients, by which updates divide"},
    [OPT_MASTERS] = {"masters", TN_OPT_BOOL, "false", NULL,
                     "update parameters of 16 bits in state of 32 bits, NAME_master, which they "
                     "are rounded from"},
    [OPT_ACCUMULATE] =
        {"accumulate", TN_OPT_INT, "1", "1..1000000",
         "gradients of so many runs are averaged for one update; without an optimizer, if "
         "not 1: gradients are summed in state"},
    [OPT_OUTPUTS] =
        {"outputs", TN_OPT_ENUM, "all", "all|loss",
         "which outputs of the model the training graph has: all, or the loss alone (beside "
         "gradients, and what state becomes); what only others need is taken out"},
    {0}};

enum {
    STAT_GRADIENTS,
    STAT_OPS,
    STAT_SUMS,
    STAT_KEPT,
    STAT_AGAIN,
    STAT_STATES,
    STAT_INLINED,
    STAT_EXPANDED,
    STAT_FORMS,
    STAT_QUANTISERS,
    STAT_POOLED,
    STAT_PARTS,
    STAT_STACKS
};
static const tn_stat stats[] = {
    [STAT_GRADIENTS] = {"gradients", "gradients asked for that were made"},
    [STAT_OPS] = {"ops", "ops appended"},
    [STAT_SUMS] = {"sums", "additions of gradients of values with several readers"},
    [STAT_KEPT] = {"kept", "values of the forward part that the backward part reads"},
    [STAT_AGAIN] = {"again", "ops of the forward part that the backward part runs once more"},
    [STAT_STATES] = {"states", "initializers bound to what they become"},
    [STAT_EXPANDED] = {"expanded", "recurrent layers, loops and other ops replaced by plain ones"},
    [STAT_INLINED] = {"inlined", "calls of functions replaced by their bodies"},
    [STAT_FORMS] = {"training-forms", "ops put in training form"},
    [STAT_QUANTISERS] = {"quantisers", "quantisers written as plain ops on floats"},
    [STAT_POOLED] = {"pooled-first", "linear units put behind the pooling that reads them"},
    [STAT_PARTS] = {"loss-parts", "parts of rows that losses over many classes are made by"},
    [STAT_STACKS] = {"stack-parts",
                     "parts of the largest stacks of matrices, as of scores of attention"},
    {0}};

typedef struct run {
    tn_pass_ctx *c;
    tn_module *m;
    tn_emitter *e;
    tn_diff d;
    tn_optimizer optimizer;
    uint32_t n_given; /* values that the model came with: no others are parameters */
    bool params;      /* wrt has all parameters, beside ... */
    tn_names named;   /* ... these */
    bool *is_named;   /* by value id */
    bool by_parts;    /* results that nobody asks for may be made by parts, or go */
    tn_loss_parts parts;
} run;

/* ---- options ---- */

static tn_status read_number(const run *r, uint32_t option, double *out) {
    const char *text = tn_pass_text(r->c, option);
    char *end;
    *out = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(*out) || *out < 0) {
        tn_loc loc = tn_loc_file(r->m->file);
        return tn_usage(r->c->ctx, &loc, "autodiff: %s is '%s', expected a number from 0 on",
                        options[option].name, text);
    }
    return TN_OK;
}

/* A number that the optimizer does not read would change nothing: most likely one was forgotten. */
static tn_status refuse_unread(const run *r) {
    enum {
        ADAM = 1 << TN_OPTIMIZER_ADAM | 1 << TN_OPTIMIZER_ADAMW,
        MOMENTUM = 1 << TN_OPTIMIZER_MOMENTUM,
        ALL = 1 << TN_OPTIMIZER_SGD | MOMENTUM | ADAM
    };
    static const struct {
        uint32_t option, readers; /* a bit for each kind of optimizer */
        const char *names;
    } numbers[] = {{OPT_RATE, ALL, "sgd, momentum, adam or adamw"},
                   {OPT_MOMENTUM, MOMENTUM | ADAM, "momentum, adam or adamw"},
                   {OPT_BETA2, ADAM, "adam or adamw"},
                   {OPT_EPSILON, ADAM, "adam or adamw"},
                   {OPT_DECAY, ALL, "sgd, momentum, adam or adamw"},
                   {OPT_CLIP, ALL, "sgd, momentum, adam or adamw"}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const tn_opt *o = &options[numbers[i].option];
        const char *text = tn_pass_text(r->c, numbers[i].option);
        if ((numbers[i].readers >> r->optimizer.kind & 1) == 0 && strcmp(text, o->fallback) != 0) {
            tn_loc loc = tn_loc_file(r->m->file);
            return tn_usage(r->c->ctx, &loc,
                            "autodiff: %s=%s changes nothing with optimizer=%s: it is for %s",
                            o->name, text, tn_pass_text(r->c, OPT_OPTIMIZER), numbers[i].names);
        }
    }
    return TN_OK;
}

static tn_status read_optimizer(run *r) {
    static const char *const kinds[] = {"none", "sgd", "momentum", "adam", "adamw"};
    tn_optimizer *o = &r->optimizer;
    for (uint32_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (tn_pass_is(r->c, OPT_OPTIMIZER, kinds[i])) {
            o->kind = (tn_optimizer_kind)i;
        }
    }
    o->accumulate = tn_pass_int(r->c, OPT_ACCUMULATE);
    o->rate_is_input = strcmp(tn_pass_text(r->c, OPT_RATE), "input") == 0;
    tn_status s = o->rate_is_input ? TN_OK : read_number(r, OPT_RATE, &o->rate);
    s = s == TN_OK ? read_number(r, OPT_MOMENTUM, &o->momentum) : s;
    s = s == TN_OK ? read_number(r, OPT_BETA2, &o->beta2) : s;
    s = s == TN_OK ? read_number(r, OPT_EPSILON, &o->epsilon) : s;
    s = s == TN_OK ? read_number(r, OPT_DECAY, &o->decay) : s;
    s = s == TN_OK ? read_number(r, OPT_CLIP, &o->clip) : s;
    s = s == TN_OK ? read_number(r, OPT_SCALE, &o->scale) : s;
    o->masters = tn_pass_bool(r->c, OPT_MASTERS);
    if (s == TN_OK && o->scale <= 0) {
        tn_loc loc = tn_loc_file(r->m->file);
        return tn_usage(r->c->ctx, &loc, "autodiff: scale is 0, expected a number above 0");
    }
    return s == TN_OK ? refuse_unread(r) : s;
}

static bool updates(const run *r) {
    return r->optimizer.kind != TN_OPTIMIZER_NONE || r->optimizer.accumulate > 1;
}

/* ---- what is asked for ---- */

static void want(void *user, tn_value *v) {
    run *r = user;
    r->d.wanted[v->id] = r->is_named[v->id] = v->graph == r->m->main;
}

static void stop(void *user, tn_value *v) {
    ((run *)user)->d.stopped[v->id] = true;
}

static tn_status read_names(const run *r, uint32_t option, tn_names *out) {
    return tn_names_split(r->m, r->c->scratch, options[option].name, tn_pass_text(r->c, option),
                          &out->data, &out->len);
}

static tn_status read_wrt(run *r) {
    tn_names all = {0};
    tn_status s = read_names(r, OPT_WRT, &all);
    const char **named = TN_ARRAY(r->c->scratch, const char *, all.len);
    r->named.data = named;
    for (uint32_t i = 0; i < all.len; i++) {
        if (strcmp(all.data[i], "params") == 0) {
            r->params = true;
        } else {
            named[r->named.len++] = all.data[i];
        }
    }
    return s;
}

/* Whether an op writes over it, by an update, result `first` or one behind that. */
static bool is_updated(const tn_value *v, uint32_t first) {
    for (const tn_use *u = v->first_use; u != NULL; u = u->next) {
        tn_inplace claim;
        for (uint32_t i = 0; u->index < 32 && tn_op_inplace(u->op, i, &claim); i++) {
            if (claim.cond == TN_IF_UPDATE && claim.result >= first &&
                (claim.operands >> u->index & 1) != 0) {
                return true;
            }
        }
    }
    return false;
}

/* Whether an op keeps statistics in it: one of its results, but not the first, is the operand,
 * updated (BatchNormalization). */
static bool is_statistic(const tn_value *v) {
    return is_updated(v, 1);
}

/* A tensor of one number in place of weights that were left out of a file (ConstantOfShape): made
 * of whole numbers that are known, and by an op that lets no gradient through. One into which parts
 * are written (ScatterND: a mask that is put together) is a buffer. */
static bool is_filled(const tn_module *m, const tn_value *v) {
    const tn_op *op = v->kind == TN_VALUE_RESULT ? v->def : NULL;
    int64_t n;
    if (op == NULL || op->erased || op->n_operands != 1 || op->info->grad == NULL ||
        (op->info->traits & TN_T_RANDOM) != 0 || tn_dtype_get(v->type->dtype)->kind != 'F') {
        return false;
    }
    const tn_value *shape = tn_operand(op, 0);
    return shape != NULL && tn_is_const(shape) && tn_dtype_is_int(shape->type->dtype) &&
           tn_op_grad(op, 0, false, NULL) == TN_GRAD_ZERO &&
           tn_type_fixed_elements(m->dims, v->type, &n) && n > 1 && !is_updated(v, 0);
}

static bool is_param(const tn_value *v) {
    return (v->flags & TN_VF_PARAM) != 0 || tn_holds_weights(v);
}

static tn_status choose_wanted(void *user) {
    run *r = user;
    r->d.wanted = TN_ARRAY(r->c->scratch, bool, r->m->n_values);
    r->d.stopped = TN_ARRAY(r->c->scratch, bool, r->m->n_values);
    r->is_named = TN_ARRAY(r->c->scratch, bool, r->m->n_values);
    tn_names stops = {0};
    tn_status s = read_names(r, OPT_STOP, &stops);
    s = s == TN_OK ? tn_select_values(r->m, stops, options[OPT_STOP].name, stop, r) : s;
    s = s == TN_OK ? tn_select_values(r->m, r->named, options[OPT_WRT].name, want, r) : s;
    for (uint32_t i = 0; i < r->m->n_values && r->params; i++) {
        tn_value *v = r->m->values[i];
        bool given = i < r->n_given || (v->flags & TN_VF_PARAM) != 0;
        r->d.wanted[i] |= given && v->graph == r->m->main && (is_param(v) || is_filled(r->m, v)) &&
                          !is_statistic(v);
    }
    return s;
}

/* An op whose rounding ends a gradient; NULL where there is none, or all are gone through. */
static const tn_op *rounding_op(const run *r) {
    for (uint32_t i = 0; i < r->m->n_ops && !r->e->straight; i++) {
        const tn_op *op = r->m->ops[i];
        bool rounds = !op->erased && op->info->straight != NULL;
        for (uint32_t k = 0; rounds && k < op->n_operands; k++) {
            const tn_value *v = op->operands[k].value;
            if (v != NULL && (r->d.flows[v->id] || tn_dtype_is_int(v->type->dtype))) {
                return op;
            }
        }
    }
    return NULL;
}

static const char *advice(const run *r) {
    const tn_op *op = rounding_op(r);
    return op == NULL ? ""
                      : tn_arena_printf(r->c->scratch,
                                        "; %s '%s' ends gradients, through which "
                                        "rounding=straight-through lets them go",
                                        op->type, op->name);
}

/* Some parameters get no gradient, and nothing else says that rounding is why. */
static void warn_of_rounding(const run *r) {
    uint32_t without = 0;
    for (uint32_t i = 0; i < r->d.n_values; i++) {
        without += r->d.wanted[i] && !r->d.needed[i];
    }
    const tn_op *op = without > 0 ? rounding_op(r) : NULL;
    if (op != NULL) {
        tn_warn(r->c->ctx, &op->loc,
                "%s ends gradients, and %u parameters get none; rounding=straight-through lets "
                "them go through it",
                op->type, without);
    }
}

/* Updates go into bytes that the model holds. */
static tn_status refuse_update(const run *r, const tn_value *v) {
    tn_loc file = tn_loc_file(r->m->file);
    if (v->kind != TN_VALUE_RESULT) {
        return tn_usage(r->c->ctx, &file,
                        "autodiff: '%s' is an input, not an initializer, so no optimizer can "
                        "update it; take it out of wrt=",
                        v->name);
    }
    return tn_usage(r->c->ctx, &v->def->loc,
                    "autodiff: '%s' is made by this %s, not an initializer, so no optimizer can "
                    "update it; store its elements in the model, or keep it as it is: stop=%s",
                    v->name, v->def->type, v->name);
}

/* A gradient that was asked for by name and does not exist is 0, which is hardly meant. */
static tn_status check_reached(const run *r) {
    tn_loc loc = tn_loc_file(r->m->file);
    bool any = false;
    for (uint32_t i = 0; i < r->d.n_values; i++) {
        const tn_value *v = r->m->values[i];
        bool wanted = r->d.wanted[i], reached = wanted && r->d.needed[i];
        any |= reached;
        if (r->is_named[i] && !reached) {
            return tn_usage(
                r->c->ctx, &loc,
                "autodiff: no gradient reaches '%s': the loss '%s' does not depend on it, "
                "or only through ops whose derivative is 0, or stop= is in the way%s",
                v->name, r->d.loss->name, advice(r));
        }
        if (reached && updates(r) && (v->kind == TN_VALUE_RESULT || v->tensor == NULL)) {
            return refuse_update(r, v);
        }
    }
    return any ? TN_OK
               : tn_usage(r->c->ctx, &loc,
                          "autodiff: the loss '%s' depends on no initializer of floats; wrt=NAMES "
                          "asks for gradients by other values%s",
                          r->d.loss->name, advice(r));
}

/* ---- what comes of it ---- */

static void hand_out(void *user, tn_value *x, tn_value *grad) {
    run *r = user;
    tn_value_set_flags(x, x->kind == TN_VALUE_RESULT ? 0 : TN_VF_PARAM, 0);
    tn_value_set_flags(grad, TN_VF_BACKWARD | TN_VF_PARAM_GRAD, 0);
    r->c->stats[STAT_GRADIENTS]++;
    if (!updates(r)) {
        tn_graph_add_output(r->m->main, grad);
        return;
    }
    const char *what = r->e->what;
    r->e->what = "the optimizer";
    r->e->flags = 0;
    (void)tn_optimizer_update(&r->optimizer, r->e, x, grad);
    r->e->flags = TN_VF_BACKWARD;
    r->e->what = what;
}

/* Where the parameters wait for the norm of all gradients, or sums of these are kept, it is said
 * what that takes. */
static void finish_updates(run *r) {
    uint64_t bytes = 0;
    tn_loc loc = tn_loc_file(r->m->file);
    for (uint32_t i = 1; i < r->optimizer.waiting.len; i += 2) {
        int64_t n = 0;
        (void)tn_type_point_bytes(r->m->dims, r->optimizer.waiting.data[i]->type, &n);
        bytes += (uint64_t)n;
    }
    if (r->optimizer.sums > 0) {
        tn_remark(r->c->ctx, &loc, "accumulate=%s: sums of gradients are state of %llu bytes",
                  tn_pass_text(r->c, OPT_ACCUMULATE), (unsigned long long)r->optimizer.sums);
    }
    if (bytes > 0) {
        tn_remark(r->c->ctx, &loc,
                  "clip=%s: the gradients of all parameters, %llu bytes, are kept until the last "
                  "is there",
                  tn_pass_text(r->c, OPT_CLIP), (unsigned long long)bytes);
    }
    r->e->flags = 0;
    tn_optimizer_finish(&r->optimizer, r->e);
}

static void show_loss(run *r) {
    tn_value *loss = r->d.loss;
    tn_value_set_flags(loss, TN_VF_LOSS, 0);
    if ((loss->flags & TN_VF_OUTPUT) == 0) {
        tn_graph_add_output(r->m->main, loss);
    }
    if (tn_pass_is(r->c, OPT_SEED, "input")) {
        const char *name = tn_emit_name(r->e, tn_internf(r->c->ctx, "%s_grad", loss->name));
        r->d.seed = tn_graph_add_input(r->m->main, name, loss->type);
    } else if (r->optimizer.scale != 1) {
        tn_emit_for(r->e, &loss->def->loc, tn_internf(r->c->ctx, "%s_Grad", loss->name));
        r->d.seed = tn_emit_one(r->e, tn_internf(r->c->ctx, "%s_grad", loss->name), loss,
                                r->optimizer.scale);
    }
}

static void count(run *r, uint32_t n_ops) {
    for (uint32_t i = n_ops; i < r->m->n_ops; i++) {
        r->c->stats[STAT_OPS] += !r->m->ops[i]->erased;
    }
    r->c->stats[STAT_SUMS] = r->d.n_sums;
    for (uint32_t i = 0; i < r->m->n_bindings; i++) {
        r->c->stats[STAT_STATES] += r->m->bindings[i].made;
    }
    for (uint32_t i = 0; i < r->d.n_values; i++) {
        const tn_value *v = r->m->values[i];
        bool kept = false;
        for (const tn_use *u = v->first_use; u != NULL && v->kind == TN_VALUE_RESULT; u = u->next) {
            kept |= u->op->id >= n_ops;
        }
        r->c->stats[STAT_KEPT] += kept;
    }
}

/* Before version 7 operands were broadcast by attributes, and Dropout was switched by one. */
static tn_status check_opset(const run *r) {
    enum { LEAST = 7 };
    int64_t version = tn_module_opset(r->m, "");
    tn_loc loc = tn_loc_file(r->m->file);
    return version == 0 || version >= LEAST
               ? TN_OK
               : tn_error(
                     r->c->ctx, &loc,
                     "autodiff: the model imports version %lld of ai.onnx, gradients are made for "
                     "%d and later: convert it first",
                     (long long)version, LEAST);
}

/* Whether gradients by other values than data of the model are asked for by name. */
static bool names_results(const run *r) {
    bool any = false;
    for (uint32_t i = 0; i < r->m->n_values && !any; i++) {
        const tn_value *v = r->m->values[i];
        bool result = v->kind == TN_VALUE_RESULT && !v->def->erased && !tn_is_const(v);
        for (uint32_t k = 0; k < r->named.len && result; k++) {
            const char *name = r->named.data[k];
            any |= strcmp(name, v->name) == 0 || tn_glob_match(name, v->name);
        }
    }
    return any;
}

/* The forward part as it is differentiated. */
static tn_status prepare(run *r) {
    r->e->what = "the loss";
    r->e->straight = tn_pass_is(r->c, OPT_ROUNDING, "straight-through");
    tn_status s = check_opset(r);
    s = s == TN_OK ? read_optimizer(r) : s;
    s = s == TN_OK ? read_wrt(r) : s;
    if (s == TN_OK && (r->params || tn_pass_bool(r->c, OPT_TRAIN))) {
        tn_separate_statistics(r->e);
        r->n_given = r->m->n_values;
    }
    if (s == TN_OK && updates(r)) {
        tn_constants_to_initializers(r->e);
        r->n_given = r->m->n_values;
    }
    if (s == TN_OK) {
        r->c->stats[STAT_INLINED] = tn_expand_calls(r->e, r->m->main);
        (void)tn_plain_sequences(r->e);
        if (r->params) {
            tn_lift_weights(r->e);
        }
    }
    if (s == TN_OK && r->e->straight) {
        r->c->stats[STAT_QUANTISERS] = tn_straighten(r->e);
    }
    if (s == TN_OK && tn_pass_bool(r->c, OPT_TRAIN)) {
        r->c->stats[STAT_FORMS] = tn_training_forms(r->e);
    }
    if (s == TN_OK && r->params) {
        tn_separate_fills(r->e);
        tn_tie_transposes(r->e);
    }
    s = s == TN_OK ? tn_choose_loss(r->e, tn_pass_text(r->c, OPT_LOSS), &r->d.loss) : s;
    s = s == TN_OK ? tn_check_loss(r->e, r->d.loss, tn_pass_is(r->c, OPT_SEED, "input")) : s;
    if (s == TN_OK && tn_pass_is(r->c, OPT_OUTPUTS, "loss")) {
        tn_drop_outputs(r->e, r->d.loss);
    }
    r->by_parts = s == TN_OK && tn_pass_is(r->c, OPT_KEEP, "least") && !names_results(r);
    if (r->by_parts) {
        r->c->stats[STAT_POOLED] = tn_pool_first(r->e, r->d.loss);
        r->parts = tn_loss_by_parts(r->e, &r->d.loss);
        r->c->stats[STAT_PARTS] = r->parts.n;
    }
    return s;
}

static tn_status run_pass(tn_pass_ctx *c) {
    run r = {.c = c,
             .m = c->module,
             .e = tn_emitter_new(c->module->main, c->scratch),
             .n_given = c->module->n_values};
    r.d = (tn_diff){.m = r.m,
                    .graph = r.m->main,
                    .e = r.e,
                    .scratch = c->scratch,
                    .indices = tn_pass_text(c, OPT_INDICES),
                    .keeps_least = tn_pass_is(c, OPT_KEEP, "least"),
                    .complete = hand_out,
                    .user = &r};
    tn_status status = prepare(&r);
    if (status == TN_OK) {
        status = tn_diff_settle(&r.d, choose_wanted, &r, &c->stats[STAT_EXPANDED]);
    }
    if (status == TN_OK && r.by_parts && (c->stats[STAT_STACKS] = tn_stacks_by_parts(r.e)) > 0) {
        status = tn_diff_settle(&r.d, choose_wanted, &r, &c->stats[STAT_EXPANDED]);
    }
    status = status == TN_OK ? check_reached(&r) : status;
    if (status == TN_OK) {
        uint32_t n_ops = r.m->n_ops;
        warn_of_rounding(&r);
        show_loss(&r);
        r.e->flags = TN_VF_BACKWARD;
        tn_diff_run(&r.d);
        finish_updates(&r);
        if (tn_pass_is(c, OPT_KEEP, "least")) {
            c->stats[STAT_AGAIN] = tn_keep_least(r.e, n_ops, r.d.seed).ops;
            tn_put_late(r.m, r.parts.first, r.parts.end, r.d.seed, c->scratch);
        }
        count(&r, n_ops);
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
