#include "passes/analysis/training.h"

#include <string.h>

#include "ir/base/map.h"
#include "ir/walk.h"
#include "passes/analysis/training_structure.h"

typedef struct recogniser {
    const tn_module *m;
    const char *suffix;
    tn_arena *arena;
    const bool *bound;
    uint8_t *rule;
    const tn_op **queue;
    uint32_t len;
    tn_map by_name; /* values of the main graph: name -> value id + 1; made when first asked */
    bool *backward, *param_grad, *loss, *param;
    bool *behind; /* by op id: it reads the gradient of a parameter, or what was made of one */
    tn_training out;
} recogniser;

const char *tn_training_rule_name(tn_training_rule rule) {
    static const char *const names[TN_RULE_COUNT] = {
        "",           "named by the user", "op table",  "seed of the loss",
        "value name", "node name",         "structure", "reached"};
    return names[rule];
}

size_t tn_grad_stem(const char *name, const char *suffix, bool numbered) {
    size_t n = strlen(name), s = strlen(suffix), digits = n;
    while (numbered && digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') {
        digits--;
    }
    if (digits < n && digits > 0 && name[digits - 1] == '_') {
        n = digits - 1;
    }
    return n > s && memcmp(name + n - s, suffix, s) == 0 ? n - s : 0;
}

/* By value id: whether the value is bound to state. */
static const bool *bound_values(const tn_module *m, tn_arena *arena) {
    bool *bound = TN_ARRAY(arena, bool, m->n_values);
    for (uint32_t i = 0; i < m->n_bindings; i++) {
        bound[m->bindings[i].value->id] = true;
    }
    return bound;
}

/* Whether the op ends the backward part: it updates state, or makes what becomes state. */
static bool is_update(const tn_op *op, const bool *bound) {
    if (op->info->traits & TN_T_UPDATE) {
        return true;
    }
    for (uint32_t i = 0; i < op->n_results; i++) {
        if (op->results[i] != NULL && bound[op->results[i]->id]) {
            return true;
        }
    }
    return false;
}

static void mark(recogniser *r, const tn_op *op, tn_training_rule rule) {
    if (r->rule[op->id] == TN_RULE_NONE && !is_update(op, r->bound) &&
        !(op->info->traits & TN_T_CONSTANT)) {
        r->rule[op->id] = (uint8_t)rule;
        r->queue[r->len++] = op;
    }
}

static void mark_readers(recogniser *r, const tn_value *v, tn_training_rule rule) {
    for (const tn_use *u = v->first_use; u != NULL; u = u->next) {
        mark(r, u->op, rule);
    }
}

static bool has_grad_name(const recogniser *r, const tn_value *v) {
    return tn_grad_stem(v->name, r->suffix, true) > 0;
}

static void index_names(recogniser *r) {
    for (uint32_t i = 0; i < r->m->n_values; i++) {
        if (r->m->values[i]->graph == r->m->main) {
            tn_map_put(&r->by_name, tn_str_id(r->m->values[i]->name), i + 1u);
        }
    }
}

/* Index + 1 of the main graph's value whose name is the first `len` bytes of `name`, or 0. */
static uint64_t stem_value(recogniser *r, const char *name, size_t len) {
    if (r->by_name.len == 0) {
        index_names(r);
    }
    return tn_map_or(&r->by_name, tn_str_id(tn_intern_n(r->m->ctx, name, len)), 0);
}

/* A constant or input <loss><suffix> is the 1 (or the caller's factor) the backward part starts
 * from; the value it is named after is the loss. */
static void seed_from_given(recogniser *r, const tn_value *v) {
    size_t stem = tn_grad_stem(v->name, r->suffix, false);
    if (stem == 0) {
        return;
    }
    mark_readers(r, v, TN_RULE_LOSS_SEED);
    uint64_t loss = stem_value(r, v->name, stem);
    if (loss != 0 && r->m->values[loss - 1]->kind == TN_VALUE_RESULT) {
        r->loss[loss - 1] = true;
    }
}

static bool is_gradient_node(const char *name) {
    return strstr(name, "_Grad/") != NULL || strncmp(name, "AccumulateGrad_", 15) == 0;
}

static void seed_from_op(recogniser *r, const tn_op *op) {
    for (uint32_t i = 0; i < op->n_results; i++) {
        const tn_value *v = op->results[i];
        if (v != NULL && (v->flags & TN_VF_BACKWARD)) {
            mark(r, op, TN_RULE_USER);
        }
    }
    if (op->info->traits & TN_T_BACKWARD) {
        mark(r, op, TN_RULE_OP);
    }
    for (uint32_t i = 0; i < op->n_results; i++) {
        const tn_value *v = op->results[i];
        if (v != NULL && has_grad_name(r, v)) {
            mark(r, op, TN_RULE_NAME);
        }
    }
    if (is_gradient_node(op->name)) {
        mark(r, op, TN_RULE_NODE);
    }
}

/* Forward reachability. What happens in a body happens in the op that runs it, and an op that reads
 * a gradient may hand it to any argument of its bodies. */
static void spread(recogniser *r) {
    for (uint32_t i = 0; i < r->len; i++) {
        const tn_op *op = r->queue[i];
        for (uint32_t k = 0; k < op->n_results; k++) {
            if (op->results[k] != NULL) {
                mark_readers(r, op->results[k], TN_RULE_REACHED);
            }
        }
        for (uint32_t g = 0; g < op->n_regions; g++) {
            for (uint32_t k = 0; k < op->regions[g]->n_inputs; k++) {
                mark_readers(r, op->regions[g]->inputs[k], TN_RULE_REACHED);
            }
        }
        if (op->graph->owner != NULL) {
            mark(r, op->graph->owner, TN_RULE_REACHED);
        }
    }
}

static bool feeds_update(const recogniser *r, const tn_value *v) {
    for (const tn_use *u = v->first_use; u != NULL; u = u->next) {
        if (is_update(u->op, r->bound)) {
            return true;
        }
    }
    return false;
}

/* Index + 1 of the input or initializer a gradient is named after, or 0. */
static uint64_t named_after(recogniser *r, const tn_value *v) {
    size_t stem = tn_grad_stem(v->name, r->suffix, false);
    uint64_t of = stem == 0 ? 0 : stem_value(r, v->name, stem);
    return of != 0 && r->m->values[of - 1]->kind != TN_VALUE_RESULT ? of : 0;
}

static bool is_named_grad(recogniser *r, const tn_value *v) {
    return (v->flags & TN_VF_PARAM_GRAD) || named_after(r, v) != 0;
}

/* An optimizer in plain ops scales and squares gradients, which makes none of other parameters. */
static void find_behind(recogniser *r) {
    TN_FOR_ALL_OPS(op, r->m->main) {
        for (uint32_t i = 0; i < op->n_operands && !r->behind[op->id]; i++) {
            const tn_value *v = op->operands[i].value;
            const tn_op *def = v != NULL && v->kind == TN_VALUE_RESULT ? v->def : NULL;
            r->behind[op->id] =
                def != NULL &&
                (r->behind[def->id] || (r->rule[def->id] != TN_RULE_NONE && is_named_grad(r, v)));
        }
    }
}

static void classify(recogniser *r, const tn_value *v) {
    const tn_op *op = v->kind == TN_VALUE_RESULT ? v->def : NULL;
    bool made = op != NULL && r->rule[op->id] != TN_RULE_NONE;
    if (!made) {
        for (const tn_use *u = v->first_use; u != NULL && op != NULL; u = u->next) {
            if (r->rule[u->op->id] != TN_RULE_NONE) {
                r->out.n_saved++;
                break;
            }
        }
        return;
    }
    uint64_t param = named_after(r, v);
    r->backward[v->id] = true;
    r->out.n_values++;
    r->param_grad[v->id] = (v->flags & TN_VF_PARAM_GRAD) || param != 0 ||
                           (feeds_update(r, v) && !r->behind[op->id]) ||
                           (v->graph == r->m->main && (v->flags & TN_VF_OUTPUT));
    r->out.n_param_grads += r->param_grad[v->id];
    if (param != 0) {
        r->param[param - 1] = true;
    }
}

static void find_seeds(recogniser *r) {
    for (uint32_t i = 0; i < r->m->n_values; i++) {
        const tn_value *v = r->m->values[i];
        bool given = v->kind != TN_VALUE_RESULT || tn_value_tensor(v) != NULL;
        if (given && v->graph == r->m->main) {
            seed_from_given(r, v);
        }
        if (given && (v->flags & TN_VF_BACKWARD)) {
            mark_readers(r, v, TN_RULE_USER);
        }
    }
    TN_FOR_ALL_OPS(op, r->m->main) {
        seed_from_op(r, op);
    }
}

/* Where nothing is named or typed as a gradient. */
static void seed_from_structure(recogniser *r) {
    const bool *backward = tn_backward_by_structure(r->m, r->bound, r->param, r->arena);
    for (uint32_t i = 0; i < r->m->n_ops && backward != NULL; i++) {
        if (backward[i]) {
            mark(r, r->m->ops[i], TN_RULE_STRUCTURE);
        }
    }
}

static void find_losses(recogniser *r) {
    for (uint32_t i = 0; i < r->m->n_values; i++) {
        const tn_value *v = r->m->values[i];
        bool by_op = v->kind == TN_VALUE_RESULT && v->def_index == 0 && !v->def->erased &&
                     (v->def->info->traits & TN_T_LOSS);
        r->loss[i] = r->loss[i] || (v->flags & TN_VF_LOSS) || (by_op && r->len > 0);
        r->param[i] = r->param[i] || (v->flags & TN_VF_PARAM);
    }
}

const tn_training *tn_recognise_training(const tn_module *m, const char *suffix, tn_arena *arena) {
    recogniser r = {.m = m,
                    .suffix = suffix,
                    .arena = arena,
                    .bound = bound_values(m, arena),
                    .rule = TN_ARRAY(arena, uint8_t, m->n_ops),
                    .queue = TN_ARRAY(arena, const tn_op *, m->n_ops),
                    .by_name = tn_map_make(arena),
                    .backward = TN_ARRAY(arena, bool, m->n_values),
                    .param_grad = TN_ARRAY(arena, bool, m->n_values),
                    .loss = TN_ARRAY(arena, bool, m->n_values),
                    .param = TN_ARRAY(arena, bool, m->n_values),
                    .behind = TN_ARRAY(arena, bool, m->n_ops)};
    find_seeds(&r);
    if (r.len == 0) {
        seed_from_structure(&r);
    }
    spread(&r);
    find_behind(&r);
    for (uint32_t i = 0; i < m->n_values; i++) {
        classify(&r, m->values[i]);
    }
    find_losses(&r);
    for (uint32_t i = 0; i < r.len; i++) {
        r.out.n_by_rule[r.rule[r.queue[i]->id]]++;
    }
    tn_training *t = TN_NEW(arena, tn_training);
    *t = r.out;
    t->recognised = r.len > 0;
    t->op_rule = r.rule;
    t->backward = r.backward;
    t->param_grad = r.param_grad;
    t->loss = r.loss;
    t->param = r.param;
    t->n_ops = r.len;
    return t;
}
