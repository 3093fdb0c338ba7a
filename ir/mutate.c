#include "ir/mutate.h"

#include <string.h>

#include "ir/ops/claims.h"
#include "ir/ops/op_attrs.h"
#include "ir/ops/op_set.h"

static void stamp(tn_module *m, tn_facet facet) {
    m->stamps[facet]++;
}

void tn_value_set_type(tn_value *v, const tn_type *type) {
    if (!tn_type_equal(v->type, type)) {
        v->type = type;
        stamp(v->graph->module, TN_FACET_TYPES);
    }
}

void tn_value_set_name(tn_value *v, const char *name) {
    tn_module *m = v->graph->module;
    const char *interned = tn_intern(m->ctx, name);
    if (v->name != interned) {
        v->name = interned;
        stamp(m, TN_FACET_NAMES);
    }
}

void tn_value_set_flags(tn_value *v, uint32_t set, uint32_t clear) {
    uint32_t flags = (v->flags | set) & ~clear;
    if (v->flags != flags) {
        v->flags = flags;
        stamp(v->graph->module, TN_FACET_FLAGS);
    }
}

void tn_value_set_content(tn_value *v, uint32_t n, const tn_dim *dims, const double *floats) {
    bool same =
        v->n_content == n && (v->content == NULL) == (dims == NULL) &&
        (v->float_content == NULL) == (floats == NULL) &&
        (dims == NULL || n == 0 || memcmp(v->content, dims, n * sizeof *dims) == 0) &&
        (floats == NULL || n == 0 || memcmp(v->float_content, floats, n * sizeof *floats) == 0);
    if (!same) {
        v->n_content = n;
        v->content = dims;
        v->float_content = floats;
        stamp(v->graph->module, TN_FACET_TYPES);
    }
}

void tn_module_set_concurrency(tn_module *m, const tn_concurrency_ask *ask) {
    const tn_concurrency_ask *old = &m->concurrency;
    if (old->kind != ask->kind || old->n_queues != ask->n_queues || old->rules != ask->rules ||
        old->n_rules != ask->n_rules) {
        m->concurrency = *ask;
        stamp(m, TN_FACET_ORDER);
    }
}

/* Follows CYCLE_WALK edges at most, or long chains would take quadratic time; the verifier finds
 * longer cycles. */
static bool closes_cycle(const tn_value *v, const tn_value *of) {
    enum { CYCLE_WALK = 64 };
    const tn_value *at = of;
    for (int i = 0; i < CYCLE_WALK && at != v && at->alias_of != NULL; i++) {
        at = at->alias_of;
    }
    return at == v;
}

void tn_value_set_alias(tn_value *v, tn_alias_kind kind, tn_value *of, int64_t offset) {
    tn_module *m = v->graph->module;
    if (kind == TN_ALIAS_NONE) {
        of = NULL;
        offset = 0;
    }
    if (v->alias_kind == kind && v->alias_of == of && v->alias_offset == offset) {
        return;
    }
    if (of != NULL && closes_cycle(v, of)) {
        tn_bug(m->ctx, "alias of '%s' to '%s' would close a cycle", v->name, of->name);
    }
    if (v->alias_of != NULL) {
        v->alias_of->n_aliases--;
    }
    if (of != NULL) {
        of->n_aliases++;
    }
    v->alias_kind = kind;
    v->alias_of = of;
    v->alias_offset = offset;
    stamp(m, TN_FACET_ALIAS);
}

void tn_value_set_unplanned(tn_value *v, const char *reason) {
    if (v->unplanned != reason) {
        v->unplanned = reason;
        stamp(v->graph->module, TN_FACET_TYPES);
    }
}

static void unlink_use(tn_use *u) {
    tn_value *v = u->value;
    if (v == NULL) {
        return;
    }
    *(u->prev != NULL ? &u->prev->next : &v->first_use) = u->next;
    *(u->next != NULL ? &u->next->prev : &v->last_use) = u->prev;
    u->prev = u->next = NULL;
    u->value = NULL;
    v->n_uses--;
}

void tn_op_set_operand(tn_op *op, uint32_t i, tn_value *v) {
    tn_use *u = &op->operands[i];
    if (u->value == v) {
        return;
    }
    unlink_use(u);
    u->value = v;
    if (v != NULL) {
        u->prev = v->last_use;
        *(v->last_use != NULL ? &v->last_use->next : &v->first_use) = u;
        v->last_use = u;
        v->n_uses++;
    }
    stamp(op->graph->module, TN_FACET_OPS);
}

void tn_replace_all_uses(tn_value *from, tn_value *to) {
    if (from == to) {
        return;
    }
    while (from->first_use != NULL) {
        tn_op_set_operand(from->first_use->op, from->first_use->index, to);
    }
    tn_module *m = from->graph->module;
    for (uint32_t k = 0; k < m->n_graphs && (from->flags & TN_VF_OUTPUT); k++) {
        tn_graph *g = m->graphs[k];
        for (uint32_t i = 0; i < g->n_outputs; i++) {
            if (g->outputs[i] == from) {
                g->outputs[i] = to;
                to->flags |= TN_VF_OUTPUT;
                stamp(m, TN_FACET_OPS);
            }
        }
    }
    from->flags &= ~(uint32_t)TN_VF_OUTPUT;
}

static bool is_output_anywhere(const tn_value *v) {
    const tn_module *m = v->graph->module;
    for (uint32_t k = 0; k < m->n_graphs; k++) {
        for (uint32_t i = 0; i < m->graphs[k]->n_outputs; i++) {
            if (m->graphs[k]->outputs[i] == v) {
                return true;
            }
        }
    }
    return false;
}

void tn_graph_set_outputs(tn_graph *g, tn_value *const *values, uint32_t n) {
    tn_arena *arena = g->module->arena;
    tn_value **old = g->outputs;
    uint32_t n_old = g->n_outputs;
    g->outputs = TN_ARRAY(arena, tn_value *, n);
    g->n_outputs = g->cap_outputs = n;
    for (uint32_t i = 0; i < n; i++) {
        g->outputs[i] = values[i];
        values[i]->flags |= TN_VF_OUTPUT;
    }
    for (uint32_t i = 0; i < n_old; i++) {
        if (!is_output_anywhere(old[i])) {
            old[i]->flags &= ~(uint32_t)TN_VF_OUTPUT;
        }
    }
    stamp(g->module, TN_FACET_OPS);
}

void tn_op_set_version(tn_op *op, int64_t version) {
    tn_module *m = op->graph->module;
    op->version = version;
    op->info = tn_op_set_row(m->op_set, op->domain, op->type, version, op->name, &op->code);
    stamp(m, TN_FACET_ATTRS);
}

void tn_op_remove_attr(tn_op *op, const char *name) {
    uint32_t at = 0;
    while (strcmp(op->attrs[at].name, name) != 0) {
        at++;
    }
    memmove(&op->attrs[at], &op->attrs[at + 1], (op->n_attrs - at - 1) * sizeof *op->attrs);
    op->n_attrs--;
    stamp(op->graph->module, TN_FACET_ATTRS);
}

void tn_op_set_attr(tn_op *op, tn_attr attr) {
    for (uint32_t i = 0; i < op->n_attrs; i++) {
        if (strcmp(op->attrs[i].name, attr.name) == 0) {
            attr.name = op->attrs[i].name;
            attr.as_read = false;
            op->attrs[i] = attr;
            stamp(op->graph->module, TN_FACET_ATTRS);
            return;
        }
    }
    tn_op_add_attr(op, attr);
}

static void unlink_op(tn_op *op) {
    tn_graph *g = op->graph;
    *(op->prev != NULL ? &op->prev->next : &g->first) = op->next;
    *(op->next != NULL ? &op->next->prev : &g->last) = op->prev;
    op->prev = op->next = NULL;
}

void tn_op_move_before(tn_op *op, tn_op *at) {
    tn_graph *g = op->graph;
    if (at == op || op->next == at) {
        return;
    }
    unlink_op(op);
    op->next = at;
    op->prev = at != NULL ? at->prev : g->last;
    *(op->prev != NULL ? &op->prev->next : &g->first) = op;
    *(at != NULL ? &at->prev : &g->last) = op;
    stamp(g->module, TN_FACET_ORDER);
}

void tn_op_take_result(tn_op *op, tn_value *v) {
    v->def->results[v->def_index] = NULL;
    tn_op_add_no_result(op);
    v->def = op;
    v->def_index = op->n_results - 1;
    op->results[v->def_index] = v;
    op->loc.first = op->loc.first != NULL ? op->loc.first : v->name;
    stamp(op->graph->module, TN_FACET_OPS);
}

void tn_op_set_parts(tn_op *op, const tn_op *const *parts, uint32_t n) {
    op->parts = parts;
    op->n_parts = n;
    stamp(op->graph->module, TN_FACET_OPS);
}

void tn_op_remember(tn_op *op, uint32_t nest) {
    tn_arena *arena = op->graph->module->arena;
    tn_op_was *was = TN_NEW(arena, tn_op_was);
    was->operands = TN_ARRAY(arena, tn_value *, op->n_operands);
    was->results = TN_ARRAY(arena, tn_value *, op->n_results);
    for (uint32_t i = 0; i < op->n_operands; i++) {
        was->operands[i] = op->operands[i].value;
    }
    for (uint32_t i = 0; i < op->n_results; i++) {
        was->results[i] = op->results[i];
    }
    was->nest = nest;
    was->resolved = tn_op_resolve_attrs(op->graph->module, op, arena, &was->n_resolved);
    op->was = was;
}

void tn_op_revive(tn_op *op, tn_op *at) {
    const tn_op_was *was = op->was;
    op->next = at;
    op->prev = at->prev;
    *(op->prev != NULL ? &op->prev->next : &op->graph->first) = op;
    at->prev = op;
    op->graph->n_ops++;
    op->erased = false;
    op->was = NULL;
    for (uint32_t i = 0; i < op->n_operands; i++) {
        tn_op_set_operand(op, i, was->operands[i]);
    }
    for (uint32_t i = 0; i < op->n_results; i++) {
        tn_value *v = was->results[i];
        if (v != NULL && v->def != op) {
            v->def->results[v->def_index] = NULL;
            v->def = op;
            v->def_index = i;
            op->results[i] = v;
        }
    }
    stamp(op->graph->module, TN_FACET_OPS);
    stamp(op->graph->module, TN_FACET_ORDER);
}

void tn_op_take_apart(tn_op *op) {
    tn_module *m = op->graph->module;
    for (uint32_t i = 0; i < op->n_parts; i++) {
        tn_op_revive(m->ops[op->parts[i]->id], op);
    }
    op->parts = NULL;
    op->n_parts = 0;
    tn_op_erase(op);
    stamp(m, TN_FACET_OPS);
    stamp(m, TN_FACET_ORDER);
}

/* Results that are not read by anybody are results of the clone, too: kernels write them. What
 * carries an operand on is not: it was carried on once. */
static void repeat_result(tn_op *clone, const tn_op *op, uint32_t i) {
    tn_value *v = op->results[i];
    if (v == NULL || tn_is_carried(v)) {
        tn_op_add_no_result(clone);
        return;
    }
    tn_value *first = v->clone_of != NULL ? v->clone_of : v;
    tn_module *m = op->graph->module;
    const char *name = tn_internf(m->ctx, "%s.again%u", first->name, m->n_values);
    tn_value *again = tn_op_add_result(clone, name, v->type);
    again->flags = v->flags & (TN_VF_BACKWARD | TN_VF_PARAM_GRAD | TN_VF_CHANNELS_LAST);
    again->n_content = v->n_content;
    again->content = v->content;
    again->float_content = v->float_content;
    again->unplanned = v->unplanned;
    again->clone_of = first;
}

tn_op *tn_op_repeat(tn_op *op, tn_op *at) {
    tn_op *first = op->clone_of != NULL ? op->clone_of : op;
    tn_op *clone = tn_op_new(op->graph, op->domain, op->type, op->version, op->name, first->loc);
    clone->clone_of = first;
    clone->parts = op->parts;
    clone->n_parts = op->n_parts;
    for (uint32_t i = 0; i < op->n_operands; i++) {
        tn_op_add_operand(clone, op->operands[i].value);
    }
    for (uint32_t i = 0; i < op->n_results; i++) {
        repeat_result(clone, op, i);
    }
    for (uint32_t i = 0; i < op->n_workspace; i++) {
        const tn_value *w = tn_workspace(op, i);
        const char *name = tn_internf(op->graph->module->ctx, "%s.again%u", w->name, clone->id);
        (void)tn_op_add_workspace(clone, name, w->type, (w->flags & TN_VF_STATE) != 0);
    }
    for (uint32_t i = 0; i < op->n_attrs; i++) {
        tn_op_add_attr(clone, op->attrs[i]);
    }
    tn_op_move_before(clone, at);
    return clone;
}

void tn_op_erase(tn_op *op) {
    tn_module *m = op->graph->module;
    for (uint32_t i = 0; i < op->n_results; i++) {
        if (op->results[i] != NULL && op->results[i]->n_uses > 0) {
            tn_bug(m->ctx, "erasing an op whose result '%s' is still read", op->results[i]->name);
        }
    }
    for (uint32_t i = 0; i < op->n_operands; i++) {
        unlink_use(&op->operands[i]);
    }
    unlink_op(op);
    op->graph->n_ops--;
    op->erased = true;
    stamp(m, TN_FACET_OPS);
    stamp(m, TN_FACET_ORDER);
}

void tn_module_take_out_clones(tn_module *m) {
    for (uint32_t i = 0; i < m->n_ops; i++) {
        tn_op *op = m->ops[i];
        for (uint32_t k = 0; k < op->n_operands; k++) {
            tn_value *v = op->operands[k].value;
            if (v != NULL && v->clone_of != NULL) {
                tn_op_set_operand(op, k, v->clone_of);
            }
        }
    }
    for (uint32_t i = 0; i < m->n_ops; i++) {
        if (m->ops[i]->clone_of != NULL && !m->ops[i]->erased) {
            tn_op_erase(m->ops[i]);
        }
    }
}

void tn_module_forget_clones(tn_module *m) {
    while (m->n_values > 0) {
        const tn_op *def = m->values[m->n_values - 1]->def;
        if (def == NULL || !def->erased || def->clone_of == NULL) {
            break;
        }
        m->n_values--;
    }
    while (m->n_ops > 0 && m->ops[m->n_ops - 1]->erased && m->ops[m->n_ops - 1]->clone_of != NULL) {
        m->n_ops--;
    }
    stamp(m, TN_FACET_OPS);
}

static bool lies_in(const tn_graph *g, const tn_op *op) {
    while (g != NULL && g->owner != op) {
        g = g->owner != NULL ? g->owner->graph : NULL;
    }
    return g != NULL;
}

static void read_nothing(tn_op *op) {
    for (uint32_t i = 0; i < op->n_operands; i++) {
        tn_op_set_operand(op, i, NULL);
    }
}

/* What is no result of an op becomes one of an op that is erased: so whoever asks whether a value
 * is still there need not know of graphs, and constants, that are not. */
static void go_with(tn_value *v, tn_op *op) {
    v->kind = TN_VALUE_RESULT;
    v->flags &= ~(uint32_t)TN_VF_DEFAULT;
    v->tensor = NULL;
    v->def = op;
}

void tn_graph_drop_const(tn_value *v, tn_op *erased) {
    tn_graph *g = v->graph;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < g->n_consts; i++) {
        if (g->consts[i] != v) {
            g->consts[kept++] = g->consts[i];
        }
    }
    g->n_consts = kept;
    go_with(v, erased);
    stamp(g->module, TN_FACET_OPS);
}

static void empty(tn_graph *g, tn_op *op) {
    while (g->last != NULL) {
        tn_op_erase(g->last);
    }
    for (uint32_t i = 0; i < g->n_inputs + g->n_consts; i++) {
        go_with(i < g->n_inputs ? g->inputs[i] : g->consts[i - g->n_inputs], op);
    }
    g->n_inputs = g->n_consts = 0;
}

/* First nobody inside reads anything, so that the order of erasing is free. */
void tn_op_erase_all(tn_op *op) {
    tn_module *m = op->graph->module;
    read_nothing(op);
    for (uint32_t i = 0; i < m->n_graphs && op->n_regions > 0; i++) {
        if (lies_in(m->graphs[i], op)) {
            tn_graph_set_outputs(m->graphs[i], NULL, 0);
            TN_FOR_OPS(inner, m->graphs[i]) {
                read_nothing(inner);
            }
        }
    }
    for (uint32_t i = 0; i < m->n_graphs && op->n_regions > 0; i++) {
        if (lies_in(m->graphs[i], op)) {
            empty(m->graphs[i], op);
        }
    }
    tn_op_erase(op);
}
