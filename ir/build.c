#include "ir/build.h"

#include <string.h>

#include "ir/base/limits.h"
#include "ir/ops/op_set.h"

static tn_graph *add_graph(tn_module *m, const char *name, tn_graph_kind kind) {
    tn_graph *g = TN_NEW(m->arena, tn_graph);
    g->id = m->n_graphs;
    g->kind = kind;
    g->module = m;
    g->name = tn_intern(m->ctx, name);
    g->path = tn_intern(m->ctx, "");
    tn_push(m->arena, m->graphs, m->n_graphs, m->cap_graphs, g);
    return g;
}

tn_module *tn_module_new(tn_ctx *ctx, const char *name, const char *file) {
    tn_arena *arena = tn_arena_new(ctx);
    tn_module *m = TN_NEW(arena, tn_module);
    m->ctx = ctx;
    m->arena = arena;
    m->dims = tn_dims_new(arena);
    m->paths = tn_map_make(arena);
    m->digest = TN_NEW(arena, tn_known_digest);
    m->name = tn_intern(ctx, name);
    m->file = tn_intern(ctx, file);
    m->origin.producer = m->origin.producer_version = tn_intern(ctx, "");
    m->main = add_graph(m, name, TN_GRAPH_MAIN);
    tn_map_put(&m->paths, tn_str_id(m->main->path), 1);
    return m;
}

void tn_module_drop(tn_module *m) {
    while (m != NULL) {
        tn_module *next = m->next;
        tn_arena_drop(m->arena);
        m = next;
    }
}

void tn_module_take_op_set(tn_module *m, tn_op_set *set) {
    m->op_set = set;
    tn_arena_join(m->arena, set->arena);
    set->arena = m->arena;
}

void tn_module_add_opset(tn_module *m, const char *domain, int64_t version) {
    if (strcmp(domain, "ai.onnx") == 0) {
        domain = "";
    }
    tn_opset o = {tn_intern(m->ctx, domain), version};
    tn_vec_push(m->arena, &m->origin.opsets, o);
}

void tn_module_add_metadata(tn_module *m, const char *key, const char *value) {
    tn_pair p = {tn_intern(m->ctx, key), tn_intern(m->ctx, value)};
    tn_vec_push(m->arena, &m->origin.metadata, p);
}

void tn_module_add_binding(tn_module *m, tn_value *state, tn_value *value) {
    tn_binding b = {.state = state, .value = value};
    tn_push(m->arena, m->bindings, m->n_bindings, m->cap_bindings, b);
    m->stamps[TN_FACET_OPS]++;
}

void tn_module_add_assignment(tn_module *m, const char *name, tn_value *value) {
    tn_assignment a = {tn_intern(m->ctx, name), value};
    tn_push(m->arena, m->assignments, m->n_assignments, m->cap_assignments, a);
    m->stamps[TN_FACET_OPS]++;
}

/* Names of nodes need not be unique, so another graph may have the path already. */
static const char *take_path(tn_module *m, const char *path, uint32_t graph) {
    const char *found = path;
    for (uint32_t k = graph; tn_map_or(&m->paths, tn_str_id(found), 0) != 0; k++) {
        found = tn_internf(m->ctx, "%s~%u", path, k);
    }
    tn_map_put(&m->paths, tn_str_id(found), 1);
    return found;
}

/* Paths of deep graphs are cut to the innermost op, which its id names: a chain of nested graphs
 * must not cost quadratic memory in path text. */
enum { LONGEST_OUTER_PATH = 512 };

static const char *nested_path(tn_module *m, const char *name, const tn_op *owner) {
    const char *outer = owner->graph->path;
    const char *label =
        owner->name[0] != '\0' ? owner->name : tn_internf(m->ctx, "%s_%u", owner->type, owner->id);
    /* Branches of one op often have the same graph name. */
    const tn_graph *last = owner->n_regions > 0 ? owner->regions[owner->n_regions - 1] : NULL;
    if (last != NULL && last->name == name) {
        name = tn_internf(m->ctx, "%s#%u", name, owner->n_regions);
    }
    if (outer[0] == '\0') {
        return tn_internf(m->ctx, "%s/%s", label, name);
    }
    return tn_str_len(outer) < LONGEST_OUTER_PATH
               ? tn_internf(m->ctx, "%s/%s/%s", outer, label, name)
               : tn_internf(m->ctx, "...%u/%s/%s", owner->id, label, name);
}

/* The array with room for one more item behind its `n`. Capacities are powers of two, so none has
 * to be stored: most ops have one result and few attributes. */
static void *with_room(tn_module *m, void *items, uint32_t n, size_t size) {
    bool full = n == 0 || (n & (n - 1)) == 0;
    return full ? tn_arena_regrow(m->arena, items, n, n == 0 ? 1 : n * 2u, size) : items;
}

tn_graph *tn_graph_new(tn_module *m, const char *name, tn_op *owner) {
    tn_graph *g = add_graph(m, name, owner != NULL ? TN_GRAPH_BODY : TN_GRAPH_INIT);
    m->stamps[TN_FACET_OPS]++;
    if (owner == NULL) {
        g->path = take_path(m, g->name, g->id);
        return g;
    }
    g->owner = owner;
    g->depth = owner->graph->depth + 1;
    g->path = take_path(m, nested_path(m, g->name, owner), g->id);
    g->region = owner->n_regions;
    owner->regions = with_room(m, owner->regions, owner->n_regions, sizeof *owner->regions);
    owner->regions[owner->n_regions++] = g;
    return g;
}

bool tn_graph_set_path(tn_graph *g, const char *path) {
    tn_map *paths = &g->module->paths;
    const char *wanted = tn_intern(g->module->ctx, path);
    if (wanted != g->path && tn_map_or(paths, tn_str_id(wanted), 0) != 0) {
        return false;
    }
    tn_map_put(paths, tn_str_id(g->path), 0);
    tn_map_put(paths, tn_str_id(wanted), 1);
    g->path = wanted;
    return true;
}

static tn_value *add_value(tn_graph *g, const char *name, const tn_type *type, tn_value_kind kind) {
    tn_module *m = g->module;
    if (m->n_values >= TN_MAX_VALUES) {
        tn_loc loc = tn_loc_file(m->file);
        tn_fail(m->ctx, &loc, "more than %u values", TN_MAX_VALUES);
    }
    tn_value *v = TN_NEW(m->arena, tn_value);
    v->id = m->n_values;
    v->name = name != NULL && name[0] != '\0' ? tn_intern(m->ctx, name)
                                              : tn_internf(m->ctx, "__%u", v->id);
    v->type = type != NULL ? type : tn_type_unknown();
    v->kind = kind;
    v->graph = g;
    tn_push(m->arena, m->values, m->n_values, m->cap_values, v);
    m->stamps[TN_FACET_OPS]++;
    return v;
}

tn_value *tn_graph_add_input(tn_graph *g, const char *name, const tn_type *type) {
    tn_value *v = add_value(g, name, type, TN_VALUE_INPUT);
    tn_push(g->module->arena, g->inputs, g->n_inputs, g->cap_inputs, v);
    return v;
}

tn_value *tn_graph_add_const(tn_graph *g, const char *name, const tn_tensor *tensor) {
    tn_module *m = g->module;
    tn_dim *dims = TN_ARRAY(m->arena, tn_dim, tensor->rank);
    for (uint32_t i = 0; i < tensor->rank; i++) {
        dims[i] = tn_dim_const(m->dims, tensor->dims[i]);
    }
    tn_value *v = add_value(g, name, tn_type_tensor(m->arena, tensor->dtype, tensor->rank, dims),
                            TN_VALUE_CONST);
    v->tensor = tensor;
    tn_push(m->arena, g->consts, g->n_consts, g->cap_consts, v);
    return v;
}

void tn_graph_add_output(tn_graph *g, tn_value *v) {
    tn_push(g->module->arena, g->outputs, g->n_outputs, g->cap_outputs, v);
    v->flags |= TN_VF_OUTPUT;
    g->module->stamps[TN_FACET_OPS]++;
}

tn_op *tn_op_new(tn_graph *g, const char *domain, const char *type, int64_t version,
                 const char *name, tn_loc loc) {
    tn_module *m = g->module;
    tn_op *op = TN_NEW(m->arena, tn_op);
    op->id = m->n_ops;
    op->domain = tn_intern(m->ctx, strcmp(domain, "ai.onnx") == 0 ? "" : domain);
    op->type = tn_intern(m->ctx, type);
    op->version = version;
    op->name = tn_intern(m->ctx, name);
    op->info = tn_op_set_row(m->op_set, op->domain, op->type, version, op->name, &op->code);
    op->loc = loc;
    op->loc.name = op->name;
    op->loc.op = op->type;
    op->graph = g;
    op->prev = g->last;
    if (g->last != NULL) {
        g->last->next = op;
    } else {
        g->first = op;
    }
    g->last = op;
    g->n_ops++;
    tn_push(m->arena, m->ops, m->n_ops, m->cap_ops, op);
    m->stamps[TN_FACET_OPS]++;
    m->stamps[TN_FACET_ORDER]++;
    return op;
}

static void link_use(tn_use *u) {
    tn_value *v = u->value;
    if (v == NULL) {
        return;
    }
    u->prev = v->last_use;
    u->next = NULL;
    if (v->last_use != NULL) {
        v->last_use->next = u;
    } else {
        v->first_use = u;
    }
    v->last_use = u;
    v->n_uses++;
}

/* The uses of an op move when its operand array grows: sets the pointers to them again. */
static void relink_moved(tn_op *op) {
    for (uint32_t i = 0; i < op->n_operands; i++) {
        tn_use *u = &op->operands[i];
        if (u->value == NULL) {
            continue;
        }
        *(u->prev != NULL ? &u->prev->next : &u->value->first_use) = u;
        *(u->next != NULL ? &u->next->prev : &u->value->last_use) = u;
    }
}

/* Two uses of one value may sit side by side in the array that moves: pointers between them are
 * shifted first, before anything outside is mended. */
static void grow_operands(tn_op *op, uint32_t cap) {
    tn_arena *arena = op->graph->module->arena;
    tn_use *old = op->operands;
    tn_use *fresh = tn_arena_regrow(arena, old, op->n_operands, cap, sizeof *fresh);
    for (uint32_t i = 0; i < op->n_operands; i++) {
        tn_use *u = &fresh[i];
        if (u->prev != NULL && u->prev->op == op) {
            u->prev = &fresh[u->prev->index];
        }
        if (u->next != NULL && u->next->op == op) {
            u->next = &fresh[u->next->index];
        }
    }
    op->operands = fresh;
    op->cap_operands = cap;
    relink_moved(op);
}

void tn_op_expect_operands(tn_op *op, uint32_t n) {
    if (n > op->cap_operands) {
        grow_operands(op, n);
    }
}

void tn_op_add_operand(tn_op *op, tn_value *v) {
    uint32_t n = op->n_operands;
    if (n == op->cap_operands) {
        grow_operands(op, n == 0 ? 2 : n * 2);
    }
    tn_use *u = &op->operands[n];
    u->value = v;
    u->op = op;
    u->index = n;
    op->n_operands++;
    link_use(u);
    op->graph->module->stamps[TN_FACET_OPS]++;
}

static void add_result(tn_op *op, tn_value *v) {
    uint32_t n = op->n_results + op->n_workspace;
    op->results = with_room(op->graph->module, op->results, n, sizeof *op->results);
    op->results[n] = v;
}

tn_value *tn_op_add_result(tn_op *op, const char *name, const tn_type *type) {
    tn_value *v = add_value(op->graph, name, type, TN_VALUE_RESULT);
    v->def = op;
    v->def_index = op->n_results;
    if (op->n_results == 0) {
        op->loc.first = v->name;
    }
    add_result(op, v);
    op->n_results++;
    return v;
}

void tn_op_add_no_result(tn_op *op) {
    add_result(op, NULL);
    op->n_results++;
}

tn_value *tn_op_add_workspace(tn_op *op, const char *name, const tn_type *type, bool kept) {
    tn_value *v = add_value(op->graph, name, type, TN_VALUE_RESULT);
    v->def = op;
    v->def_index = op->n_results + op->n_workspace;
    v->flags = TN_VF_WORKSPACE | (kept ? TN_VF_STATE : 0u);
    add_result(op, v);
    op->n_workspace++;
    return v;
}

void tn_op_add_attr(tn_op *op, tn_attr attr) {
    tn_module *m = op->graph->module;
    op->attrs = with_room(m, op->attrs, op->n_attrs, sizeof *op->attrs);
    attr.name = tn_intern(m->ctx, attr.name);
    op->attrs[op->n_attrs++] = attr;
    m->stamps[TN_FACET_ATTRS]++;
}

void tn_op_add_int(tn_op *op, const char *name, int64_t i) {
    tn_attr attr = {.name = name, .kind = TN_ATTR_INT};
    attr.u.i = i;
    tn_op_add_attr(op, attr);
}
