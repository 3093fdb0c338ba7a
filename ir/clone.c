/* A copy has structs and lists of its own, found by the ids of the original; what nobody writes to
 * (types, tensors, texts, numbers of attributes) is shared. */
#include <string.h>

#include "ir/build.h"

typedef struct copier {
    const tn_module *from;
    tn_module *to;
} copier;

static void *copy(const copier *c, const void *items, size_t n, size_t size, size_t cap) {
    void *made = tn_arena_array(c->to->arena, cap, size);
    if (n > 0) {
        memcpy(made, items, n * size);
    }
    return made;
}

static tn_value *value_of(const copier *c, const tn_value *v) {
    return v != NULL ? c->to->values[v->id] : NULL;
}

static tn_op *op_of(const copier *c, const tn_op *op) {
    return op != NULL ? c->to->ops[op->id] : NULL;
}

static tn_graph *graph_of(const copier *c, const tn_graph *g) {
    return g != NULL ? c->to->graphs[g->id] : NULL;
}

static tn_use *use_of(const copier *c, const tn_use *u) {
    return u != NULL ? &op_of(c, u->op)->operands[u->index] : NULL;
}

/* The room that ir/build.c expects behind n items, so that more can be added: a power of two. */
static uint32_t room(uint32_t n, uint32_t least) {
    uint32_t cap = n > 0 ? least : 0;
    while (cap < n) {
        cap *= 2;
    }
    return cap;
}

static tn_value **copy_values(const copier *c, tn_value *const *values, uint32_t n, uint32_t cap) {
    tn_value **made = TN_ARRAY(c->to->arena, tn_value *, cap);
    for (uint32_t i = 0; i < n; i++) {
        made[i] = value_of(c, values[i]);
    }
    return made;
}

static tn_graph **copy_graphs(const copier *c, tn_graph *const *graphs, uint32_t n, uint32_t cap) {
    tn_graph **made = TN_ARRAY(c->to->arena, tn_graph *, cap);
    for (uint32_t i = 0; i < n; i++) {
        made[i] = graph_of(c, graphs[i]);
    }
    return made;
}

static const tn_op *const *copy_ops(const copier *c, const tn_op *const *ops, uint32_t n) {
    const tn_op **made = n > 0 ? TN_ARRAY(c->to->arena, const tn_op *, n) : NULL;
    for (uint32_t i = 0; i < n; i++) {
        made[i] = op_of(c, ops[i]);
    }
    return made;
}

/* Structs first, so that pointers between them can be found. */
static void copy_structs(const copier *c) {
    const tn_module *from = c->from;
    tn_module *to = c->to;
    to->values = TN_ARRAY(to->arena, tn_value *, from->n_values);
    to->ops = TN_ARRAY(to->arena, tn_op *, from->n_ops);
    to->graphs = TN_ARRAY(to->arena, tn_graph *, from->n_graphs);
    to->cap_values = from->n_values;
    to->cap_ops = from->n_ops;
    to->cap_graphs = from->n_graphs;
    for (uint32_t i = 0; i < from->n_values; i++) {
        to->values[i] = copy(c, from->values[i], 1, sizeof(tn_value), 1);
    }
    for (uint32_t i = 0; i < from->n_ops; i++) {
        const tn_op *op = from->ops[i];
        to->ops[i] = copy(c, op, 1, sizeof *op, 1);
        to->ops[i]->operands =
            copy(c, op->operands, op->n_operands, sizeof *op->operands, room(op->n_operands, 4));
    }
    for (uint32_t i = 0; i < from->n_graphs; i++) {
        to->graphs[i] = copy(c, from->graphs[i], 1, sizeof(tn_graph), 1);
    }
}

static void mend_value(const copier *c, tn_value *v) {
    v->def = op_of(c, v->def);
    v->graph = graph_of(c, v->graph);
    v->first_use = use_of(c, v->first_use);
    v->last_use = use_of(c, v->last_use);
    v->alias_of = value_of(c, v->alias_of);
    v->clone_of = value_of(c, v->clone_of);
}

static void mend_attrs(const copier *c, tn_op *op) {
    op->attrs = copy(c, op->attrs, op->n_attrs, sizeof *op->attrs, room(op->n_attrs, 1));
    for (uint32_t i = 0; i < op->n_attrs; i++) {
        tn_attr *a = &op->attrs[i];
        if (a->kind == TN_ATTR_GRAPH) {
            a->u.g = graph_of(c, a->u.g);
        } else if (a->kind == TN_ATTR_GRAPHS) {
            a->u.graphs = copy_graphs(c, a->u.graphs, a->n, a->n);
        }
    }
}

static void mend_op(const copier *c, tn_op *op) {
    op->graph = graph_of(c, op->graph);
    op->prev = op_of(c, op->prev);
    op->next = op_of(c, op->next);
    for (uint32_t i = 0; i < op->n_operands; i++) {
        tn_use *u = &op->operands[i];
        *u = (tn_use){value_of(c, u->value), op, i, use_of(c, u->next), use_of(c, u->prev)};
    }
    uint32_t n = op->n_results + op->n_workspace;
    op->results = copy_values(c, op->results, n, room(n, 1));
    op->parts = copy_ops(c, op->parts, op->n_parts);
    if (op->was != NULL) {
        tn_op_was *was = copy(c, op->was, 1, sizeof *was, 1);
        was->operands = copy_values(c, was->operands, op->n_operands, op->n_operands);
        was->results = copy_values(c, was->results, op->n_results, op->n_results);
        op->was = was;
    }
    op->clone_of = op_of(c, op->clone_of);
    op->regions = copy_graphs(c, op->regions, op->n_regions, room(op->n_regions, 1));
    mend_attrs(c, op);
}

static void mend_graph(const copier *c, tn_graph *g) {
    g->module = c->to;
    g->owner = op_of(c, g->owner);
    g->first = op_of(c, g->first);
    g->last = op_of(c, g->last);
    g->inputs = copy_values(c, g->inputs, g->n_inputs, g->n_inputs);
    g->outputs = copy_values(c, g->outputs, g->n_outputs, g->n_outputs);
    g->consts = copy_values(c, g->consts, g->n_consts, g->n_consts);
    g->cap_inputs = g->n_inputs;
    g->cap_outputs = g->n_outputs;
    g->cap_consts = g->n_consts;
}

static void mend_bindings(const copier *c) {
    tn_module *m = c->to;
    m->bindings = copy(c, m->bindings, m->n_bindings, sizeof *m->bindings, m->n_bindings);
    m->cap_bindings = m->n_bindings;
    for (uint32_t i = 0; i < m->n_bindings; i++) {
        tn_binding *b = &m->bindings[i];
        *b = (tn_binding){value_of(c, b->state), value_of(c, b->value), b->made};
    }
    size_t n = m->n_assignments;
    m->assignments = copy(c, m->assignments, n, sizeof *m->assignments, n);
    m->cap_assignments = m->n_assignments;
    for (uint32_t i = 0; i < n; i++) {
        m->assignments[i].value = value_of(c, m->assignments[i].value);
    }
}

static void mend(const copier *c) {
    tn_module *m = c->to;
    for (uint32_t i = 0; i < m->n_values; i++) {
        mend_value(c, m->values[i]);
    }
    for (uint32_t i = 0; i < m->n_ops; i++) {
        mend_op(c, m->ops[i]);
    }
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        mend_graph(c, m->graphs[i]);
    }
    mend_bindings(c);
}

tn_module *tn_module_clone(const tn_module *m) {
    tn_arena *arena = tn_arena_new(m->ctx);
    tn_module *made = TN_NEW(arena, tn_module);
    copier c = {m, made};
    *made = *m;
    made->arena = arena;
    made->dims = tn_dims_copy(arena, m->dims);
    made->paths = tn_map_copy(arena, &m->paths);
    made->next = NULL;
    made->rows = NULL;
    made->n_rows = 0;
    made->digest = copy(&c, m->digest, 1, sizeof *m->digest, 1);
    made->origin.opsets.cap = made->origin.opsets.len; /* what is added goes to a list of its own */
    made->origin.metadata.cap = made->origin.metadata.len;
    copy_structs(&c);
    made->main = graph_of(&c, m->main);
    mend(&c);
    return made;
}
