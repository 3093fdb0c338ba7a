#include "ir/gradient/training_form.h"

#include "ir/build.h"
#include "ir/mutate.h"
#include "ir/ops/op_attrs.h"

/* Result r, made where the op leaves it out. */
static tn_value *want_result(tn_emitter *e, tn_op *op, uint32_t r, const char *what,
                             const tn_type *type) {
    const char *name = tn_emit_name(e, tn_internf(e->ctx, "%s_%s", op->results[0]->name, what));
    if (r < op->n_results && op->results[r] != NULL) {
        return op->results[r];
    }
    if (r < op->n_results) {
        tn_fail(e->ctx, &op->loc, "a result in front of others is left out, and training needs it");
    }
    return tn_op_add_result(op, name, type);
}

static void train_dropout(tn_emitter *e, tn_op *op) {
    enum { TRAINS = 12 };
    if (op->version > 0 && op->version < TRAINS) {
        tn_fail(e->ctx, &op->loc,
                "train=on: Dropout has a training form from version 12 of ai.onnx on; the model "
                "imports version %lld: convert it first",
                (long long)op->version);
    }
    tn_value *yes = tn_emit_truth(e);
    while (op->n_operands < 2) {
        tn_op_add_operand(op, NULL);
    }
    if (op->n_operands == 2) {
        tn_op_add_operand(op, yes);
    } else {
        tn_op_set_operand(op, 2, yes);
    }
    const tn_type *x = op->operands[0].value->type;
    const tn_type *mask = x->has_rank ? tn_type_tensor(e->m->arena, TN_DT_BOOL, x->rank, x->dims)
                                      : tn_type_unranked(e->m->arena, TN_DT_BOOL);
    (void)want_result(e, op, 1, "mask", mask);
}

/* ---- statistics that share an initializer ---- */

enum { MEAN = 3, VAR = 4 }; /* operands of BatchNormalization */

static bool is_copy(const tn_op *op) {
    return tn_op_is_standard(op, "Identity");
}

static bool is_made_own(const tn_value *v) {
    return v->def->graph == v->graph->module->main && (v->flags & TN_VF_OUTPUT) == 0;
}

bool tn_copies(const tn_op *op) {
    return is_copy(op) && is_made_own(op->results[0]);
}

tn_value *tn_make_own(tn_emitter *e, tn_op *copy, const tn_tensor *tensor) {
    tn_value *v = copy->results[0];
    const char *name = v->name;
    tn_value_set_name(v, tn_emit_name(e, tn_internf(e->ctx, "%s_copied", name)));
    tn_value *own = tn_graph_add_const(copy->graph, name, tensor);
    tn_replace_all_uses(v, own);
    tn_op_erase(copy);
    return own;
}

/* What it is a copy of, or itself. */
static tn_value *source_of(tn_value *v) {
    while (v != NULL && v->kind == TN_VALUE_RESULT && is_copy(v->def)) {
        v = tn_operand(v->def, 0);
    }
    return v;
}

/* Constant nodes become initializers, too. */
static void separate(tn_emitter *e, tn_value *state) {
    const tn_value *source = source_of(state);
    const tn_tensor *tensor = source != NULL ? tn_value_tensor(source) : NULL;
    if (tensor == NULL) {
        return;
    }
    for (tn_use *u = state->first_use, *next; source == state && u != NULL; u = next) {
        next = u->next;
        if (tn_copies(u->op)) {
            (void)tn_make_own(e, u->op, tensor);
        }
    }
    if (state->kind == TN_VALUE_RESULT && is_made_own(state)) {
        (void)tn_make_own(e, state->def, tensor);
    }
}

static void bind_running(tn_emitter *e, tn_op *op, uint32_t operand, uint32_t result,
                         const char *what) {
    tn_value *state = tn_operand(op, operand);
    if (state == NULL || state->kind == TN_VALUE_RESULT) {
        tn_fail(e->ctx, &op->loc,
                "train=on: '%s' is computed, not an initializer: it cannot be running statistics; "
                "make it one, or take train=off",
                state != NULL ? state->name : "");
    }
    tn_value *value = want_result(e, op, result, what, state->type);
    for (uint32_t i = 0; i < e->m->n_bindings; i++) {
        if (e->m->bindings[i].state == state) {
            tn_fail(e->ctx, &op->loc,
                    "train=on: two ops update the running statistics '%s': each needs an "
                    "initializer of its own, or an Identity of one",
                    state->name);
        }
    }
    tn_graph_add_output(op->graph, value);
    tn_module_add_binding(e->m, state, value);
    e->m->bindings[e->m->n_bindings - 1].made = true;
    tn_value_set_flags(state, TN_VF_STATE, 0);
}

static void train_batch_norm(tn_emitter *e, tn_op *op) {
    enum { BY_ATTRIBUTE = 14 };
    bool by_attribute = op->version == 0 || op->version >= BY_ATTRIBUTE;
    if (by_attribute && tn_attr_int(op, "training_mode", 0) == 0) {
        tn_op_set_attr(op, tn_attr_of_int("training_mode", 1));
    }
    bind_running(e, op, MEAN, 1, "running_mean");
    bind_running(e, op, VAR, 2, "running_var");
    const tn_type *type = op->operands[MEAN].value->type;
    if (!by_attribute) {
        (void)want_result(e, op, 3, "saved_mean", type);
        (void)want_result(e, op, 4, "saved_var", type);
    }
}

/* Each op that updates statistics needs an initializer that nobody else reads. Called from the last
 * op to the first: a parameter keeps the initializer; of several statistics, the first. */
static void split(tn_emitter *e, tn_op *op, uint32_t operand, const char *what) {
    tn_value *v = tn_operand(op, operand);
    const tn_tensor *tensor = v != NULL && v->kind != TN_VALUE_RESULT ? v->tensor : NULL;
    if (tensor == NULL || v->n_uses < 2) {
        return;
    }
    const char *name = tn_emit_name(e, tn_internf(e->ctx, "%s_own_%s", op->results[0]->name, what));
    tn_op_set_operand(op, operand, tn_graph_add_const(op->graph, name, tensor));
    tn_remark(
        e->ctx, &op->loc,
        "the running statistics '%s' are read by others, too: '%s' is a copy that this op alone "
        "has",
        v->name, name);
}

void tn_separate_statistics(tn_emitter *e) {
    TN_FOR_OPS(op, e->m->main) {
        if (tn_op_is_standard(op, "BatchNormalization")) {
            separate(e, tn_operand(op, MEAN));
            separate(e, tn_operand(op, VAR));
        }
    }
    for (tn_op *op = e->m->main->last; op != NULL; op = op->prev) {
        if (tn_op_is_standard(op, "BatchNormalization")) {
            split(e, op, VAR, "var");
            split(e, op, MEAN, "mean");
        }
    }
}

static bool is_computed(const tn_op *op, uint32_t operand) {
    const tn_value *v = source_of(tn_operand(op, operand));
    return v != NULL && v->kind == TN_VALUE_RESULT && (v->def->info->traits & TN_T_CONSTANT) == 0;
}

/* One whose statistics the model computes is a formula, the same in training: weights are
 * standardised so. */
static bool has_running(const tn_op *op) {
    return !is_computed(op, MEAN) || !is_computed(op, VAR);
}

uint32_t tn_training_forms(tn_emitter *e) {
    uint32_t n = 0;
    tn_separate_statistics(e); /* once more: of functions that were inlined */
    TN_FOR_OPS(op, e->m->main) {
        if (tn_op_is_standard(op, "Dropout")) {
            train_dropout(e, op);
            n++;
        } else if (tn_op_is_standard(op, "BatchNormalization") && has_running(op)) {
            train_batch_norm(e, op);
            n++;
        }
    }
    return n;
}
