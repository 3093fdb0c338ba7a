/* The verifier. Links are checked first, so that walking afterwards is safe on a broken
 * module. */
#include "ir/verify.h"

#include <stdarg.h>

#include "ir/ops/op_set.h"
#include "ir/ops/row.h"
#include "ir/verify_t.h"
#include "ir/walk.h"

void tn_verify_report(tn_verifier *v, const tn_loc *loc, const char *fmt, ...) {
    va_list args;
    if (v->n_reports++ >= TN_VERIFY_MAX_REPORTS) {
        return;
    }
    va_start(args, fmt);
    const char *text = tn_arena_vprintf(v->scratch, fmt, args);
    va_end(args);
    tn_loc file = tn_loc_file(v->m->file);
    tn_error(v->m->ctx, loc != NULL ? loc : &file, "%s", text);
}

tn_loc tn_verify_graph_loc(const tn_graph *g) {
    tn_loc loc = tn_loc_file(g->module->file);
    loc.graph = g->path;
    return loc;
}

/* ---- links ---- */

/* Walks (ir/walk.h) leave a region by its links to the op. */
static void check_regions(tn_verifier *v, const tn_op *op) {
    for (uint32_t i = 0; i < op->n_regions; i++) {
        if (op->regions[i]->owner != op || op->regions[i]->region != i) {
            tn_verify_report(v, &op->loc, "region %u of the op does not link back to it", i);
        }
    }
}

static void check_op_list(tn_verifier *v, const tn_graph *g) {
    tn_loc loc = tn_verify_graph_loc(g);
    const tn_op *prev = NULL;
    uint32_t n = 0;
    for (const tn_op *op = g->first; op != NULL && n <= g->n_ops; op = op->next, n++) {
        if (op->prev != prev) {
            tn_verify_report(v, &op->loc, "the list of ops does not link back");
        }
        if (op->graph != g) {
            tn_verify_report(v, &op->loc, "the op is in the list of a graph it does not name");
        }
        if (op->erased) {
            tn_verify_report(v, &op->loc, "an erased op is in the list of its graph");
        }
        if (op->id >= v->m->n_ops || v->m->ops[op->id] != op) {
            tn_verify_report(v, &op->loc, "the op has id %u, which is not its place in the module",
                             op->id);
        }
        check_regions(v, op);
        prev = op;
    }
    if (n != g->n_ops || g->last != prev) {
        tn_verify_report(v, &loc, "the list of ops holds %u, the graph says %u", n, g->n_ops);
    }
}

static void check_graph_links(tn_verifier *v, const tn_graph *g, uint32_t id) {
    tn_loc loc = tn_verify_graph_loc(g);
    if (g->id != id || g->module != v->m) {
        tn_verify_report(v, &loc, "graph %u has id %u or belongs to another module", id, g->id);
    }
    if ((g->kind == TN_GRAPH_BODY) != (g->owner != NULL)) {
        tn_verify_report(v, &loc, "only nested graphs have an owner");
        return;
    }
    if ((g->kind == TN_GRAPH_MAIN) != (g == v->m->main)) {
        tn_verify_report(v, &loc, "a module has one main graph");
    }
    if (g->owner != NULL && (g->owner->graph->id >= id)) {
        tn_verify_report(v, &loc, "the graph is older than the one around it");
    }
    if (g->owner == NULL ? g->depth != 0 : g->depth != g->owner->graph->depth + 1u) {
        tn_verify_report(v, &loc, "depth %u does not fit the owner's", g->depth);
    }
    if (g->owner != NULL && !g->owner->erased &&
        (g->region >= g->owner->n_regions || g->owner->regions[g->region] != g)) {
        tn_verify_report(v, &loc, "the graph is not region %u of its owner", g->region);
    }
    check_op_list(v, g);
}

/* ---- values ---- */

static void check_new_value(tn_verifier *v, const tn_value *value, const tn_graph *g,
                            const tn_loc *loc, tn_value_kind kind) {
    if (value == NULL || value->id >= v->m->n_values || v->m->values[value->id] != value) {
        tn_verify_report(v, loc, "a value is not among the module's values");
        return;
    }
    if (v->listed[value->id]) {
        tn_verify_report(v, loc, "value '%s' is defined twice", value->name);
    }
    v->listed[value->id] = 1;
    if (value->kind != kind || value->graph != g) {
        tn_verify_report(v, loc, "value '%s' has the wrong kind or graph", value->name);
    }
    uint64_t name = (uint64_t)g->id << 32 | tn_str_id(value->name);
    if (value->name[0] == '\0') {
        tn_verify_report(v, loc, "a value has no name");
    } else if (tn_map_or(&v->names, name, 0) != 0) {
        tn_verify_report(v, loc, "two values of the graph have the name '%s'", value->name);
    }
    tn_map_put(&v->names, name, 1);
}

/* ---- graphs and ops ---- */

static void check_graph_values(tn_verifier *v, const tn_graph *g) {
    tn_loc loc = tn_verify_graph_loc(g);
    for (uint32_t i = 0; i < g->n_inputs; i++) {
        check_new_value(v, g->inputs[i], g, &loc, TN_VALUE_INPUT);
    }
    for (uint32_t i = 0; i < g->n_consts; i++) {
        check_new_value(v, g->consts[i], g, &loc, TN_VALUE_CONST);
    }
    for (uint32_t i = 0; i < g->n_outputs; i++) {
        const tn_value *o = g->outputs[i];
        if (o == NULL || o->id >= v->m->n_values || v->m->values[o->id] != o) {
            tn_verify_report(v, &loc, "output %u is not among the module's values", i);
        } else {
            v->is_output[o->id] = 1;
        }
    }
}

static void check_results(tn_verifier *v, const tn_op *op) {
    for (uint32_t i = 0; i < op->n_results + op->n_workspace; i++) {
        const tn_value *r = op->results[i];
        if (r == NULL) {
            continue;
        }
        bool workspace = (r->flags & TN_VF_WORKSPACE) != 0;
        if (workspace != (i >= op->n_results) ||
            (workspace && (r->n_uses > 0 || (r->flags & TN_VF_OUTPUT) != 0))) {
            tn_verify_report(v, &op->loc, "'%s' is both workspace and a result", r->name);
        }
        check_new_value(v, r, op->graph, &op->loc, TN_VALUE_RESULT);
        if (r->def != op || r->def_index != i) {
            tn_verify_report(v, &op->loc, "result %u, '%s', does not name the op as its definition",
                             i, r->name);
        }
    }
}

static void check_operand_links(tn_verifier *v, const tn_op *op) {
    for (uint32_t i = 0; i < op->n_operands; i++) {
        const tn_use *u = &op->operands[i];
        if (u->op != op || u->index != i) {
            tn_verify_report(v, &op->loc, "operand %u does not know its place", i);
        }
        const tn_value *x = u->value;
        if (x == NULL) {
            continue;
        }
        bool linked = (u->prev != NULL ? u->prev->next == u : x->first_use == u) &&
                      (u->next != NULL ? u->next->prev == u : x->last_use == u);
        if (!linked) {
            tn_verify_report(v, &op->loc, "operand %u is not among the uses of '%s'", i, x->name);
        }
    }
}

static bool in_range(uint32_t n, int32_t min, int32_t max) {
    return n >= (uint32_t)min && (max < 0 || n <= (uint32_t)max);
}

/* There may be fewer results than the table says: exporters leave out trailing ones that nobody
 * reads. */
static void check_arity(tn_verifier *v, const tn_op *op) {
    const tn_op_info *info = op->info;
    uint32_t code;
    if (op->info !=
            tn_op_set_row(v->m->op_set, op->domain, op->type, op->version, op->name, &code) ||
        op->code != code) {
        tn_verify_report(v, &op->loc, "the op's code is not that of its type");
        return;
    }
    if (op->code == TN_OP_EXTERN) {
        return;
    }
    tn_arity arity = tn_op_row(op)->arity;
    if (!in_range(op->n_operands, arity.least_in, arity.most_in)) {
        tn_verify_report(v, &op->loc, "%u operands where %s takes %d to %d", op->n_operands,
                         info->name, arity.least_in, arity.most_in);
    }
    if (!in_range(op->n_results, 0, arity.most_out)) {
        tn_verify_report(v, &op->loc, "%u results where %s has at most %d", op->n_results,
                         info->name, arity.most_out);
    }
}

static void check_region(tn_verifier *v, const tn_op *op, const tn_attr *a, const tn_graph *g) {
    for (uint32_t i = 0; i < op->n_regions; i++) {
        if (op->regions[i] == g) {
            return;
        }
    }
    tn_verify_report(v, &op->loc, "attribute '%s' names a graph that is no region of the op",
                     a->name);
}

static void check_attrs(tn_verifier *v, const tn_op *op) {
    for (uint32_t i = 0; i < op->n_attrs; i++) {
        const tn_attr *a = &op->attrs[i];
        if (a->kind == TN_ATTR_GRAPH) {
            check_region(v, op, a, a->u.g);
        } else if (a->kind == TN_ATTR_TENSOR) {
            tn_verify_tensor(v, &op->loc, a->name, a->u.t);
        }
        for (uint32_t k = 0; a->kind == TN_ATTR_GRAPHS && k < a->n; k++) {
            check_region(v, op, a, a->u.graphs[k]);
        }
        for (uint32_t k = 0; a->kind == TN_ATTR_TENSORS && k < a->n; k++) {
            tn_verify_tensor(v, &op->loc, a->name, a->u.tensors[k]);
        }
    }
    for (uint32_t i = 0; i < op->n_regions; i++) {
        if (op->regions[i]->owner != op) {
            tn_verify_report(v, &op->loc, "region %u belongs to another op", i);
        }
    }
}

/* ---- reads ---- */

static bool within(const tn_verifier *v, const tn_graph *inner, const tn_graph *outer) {
    return v->enter[outer->id] <= v->enter[inner->id] && v->leave[inner->id] <= v->leave[outer->id];
}

/* Whether a read in graph `g` at position `at` sees `x`. Initialization graphs also see the inputs
 * and constants of the main graph. */
static void check_read(tn_verifier *v, const tn_value *x, const tn_graph *g, uint32_t at,
                       bool ordered, const tn_loc *loc) {
    if (tn_verify_is_gone(x)) {
        tn_verify_report(v, loc, "value '%s' was defined by an op that has been erased", x->name);
        return;
    }
    bool shared = x->graph == v->m->main && x->kind != TN_VALUE_RESULT && !within(v, g, v->m->main);
    if (!shared && !within(v, g, x->graph)) {
        tn_verify_report(v, loc, "value '%s' of graph '%s' cannot be seen here", x->name,
                         x->graph->path);
    } else if (ordered && x->kind == TN_VALUE_RESULT && at <= v->op_end[x->def->id]) {
        tn_verify_report(v, loc, "value '%s' is read before it is defined", x->name);
    }
}

static void number_stops(tn_verifier *v, const tn_graph *root, uint32_t *at) {
    tn_walk walk = tn_walk_start(root);
    for (tn_walk_stop stop; (stop = tn_walk_next(&walk)) != TN_WALK_DONE;) {
        ++*at;
        if (stop == TN_WALK_ENTER) {
            v->enter[walk.graph->id] = *at;
        } else if (stop == TN_WALK_LEAVE) {
            v->leave[walk.graph->id] = *at;
        } else if (stop == TN_WALK_END) {
            v->op_end[walk.op->id] = *at;
        }
    }
}

static void check_reads_in(tn_verifier *v, const tn_graph *root, uint32_t *at, bool ordered) {
    tn_walk walk = tn_walk_start(root);
    for (tn_walk_stop stop; (stop = tn_walk_next(&walk)) != TN_WALK_DONE;) {
        const tn_graph *g = walk.graph;
        ++*at;
        if (stop == TN_WALK_OP) {
            for (uint32_t i = 0; i < walk.op->n_operands; i++) {
                const tn_value *x = walk.op->operands[i].value;
                if (x != NULL) {
                    check_read(v, x, g, *at, ordered, &walk.op->loc);
                }
            }
        } else if (stop == TN_WALK_LEAVE) {
            tn_loc loc = tn_verify_graph_loc(g);
            for (uint32_t i = 0; i < g->n_outputs; i++) {
                check_read(v, g->outputs[i], g, *at, ordered, &loc);
            }
        }
    }
}

/* ---- all ---- */

/* False when the links are broken and nothing else can be looked at safely. */
static bool check_links(tn_verifier *v) {
    const tn_module *m = v->m;
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        check_graph_links(v, m->graphs[i], i);
    }
    for (uint32_t i = 0; i < m->n_values; i++) {
        if (m->values[i]->id != i) {
            tn_verify_report(v, NULL, "value '%s' has id %u, which is not its place in the module",
                             m->values[i]->name, m->values[i]->id);
        }
    }
    for (uint32_t i = 0; i < m->n_graphs && v->n_reports == 0; i++) {
        const tn_op *owner = m->graphs[i]->owner;
        v->alive[i] = owner == NULL || (!owner->erased && v->alive[owner->graph->id]);
    }
    return v->n_reports == 0;
}

static void check_definitions(tn_verifier *v) {
    const tn_module *m = v->m;
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        if (!v->alive[i]) {
            continue;
        }
        check_graph_values(v, m->graphs[i]);
        TN_FOR_OPS(op, m->graphs[i]) {
            check_results(v, op);
            check_operand_links(v, op);
            check_arity(v, op);
            check_attrs(v, op);
        }
    }
    for (uint32_t i = 0; i < m->n_values; i++) {
        const tn_value *value = m->values[i];
        if (v->alive[value->graph->id] && !tn_verify_is_gone(value)) {
            tn_verify_facts(v, value);
            tn_verify_uses(v, value);
        }
    }
    tn_verify_alias_forest(v);
}

static void check_bindings(tn_verifier *v) {
    for (uint32_t i = 0; i < v->m->n_bindings; i++) {
        const tn_binding *b = &v->m->bindings[i];
        if (b->state == NULL || b->value == NULL || tn_verify_is_gone(b->state) ||
            tn_verify_is_gone(b->value)) {
            tn_verify_report(v, NULL, "binding %u names a value that is not there", i);
        }
    }
    for (uint32_t i = 0; i < v->m->n_assignments; i++) {
        const tn_assignment *a = &v->m->assignments[i];
        if (a->value == NULL || tn_verify_is_gone(a->value) ||
            (a->value->flags & TN_VF_OUTPUT) == 0) {
            tn_verify_report(v, NULL, "what '%s' starts with is no output", a->name);
        }
    }
}

static void check_reads(tn_verifier *v, bool ordered) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < v->m->n_graphs; i++) {
        if (v->m->graphs[i]->kind != TN_GRAPH_BODY) {
            number_stops(v, v->m->graphs[i], &at);
        }
    }
    at = 0;
    for (uint32_t i = 0; i < v->m->n_graphs; i++) {
        if (v->m->graphs[i]->kind != TN_GRAPH_BODY) {
            check_reads_in(v, v->m->graphs[i], &at, ordered);
        }
    }
}

tn_status tn_module_verify(const tn_module *m, bool ordered) {
    tn_arena *scratch = tn_arena_new(m->ctx);
    tn_verifier v = {.m = m, .scratch = scratch, .names = tn_map_make(scratch)};
    v.listed = TN_ARRAY(scratch, uint8_t, m->n_values);
    v.is_output = TN_ARRAY(scratch, uint8_t, m->n_values);
    v.enter = TN_ARRAY(scratch, uint32_t, m->n_graphs);
    v.leave = TN_ARRAY(scratch, uint32_t, m->n_graphs);
    v.alive = TN_ARRAY(scratch, bool, m->n_graphs);
    v.op_end = TN_ARRAY(scratch, uint32_t, m->n_ops);
    if (check_links(&v)) {
        check_definitions(&v);
        check_bindings(&v);
    }
    if (v.n_reports == 0) {
        check_reads(&v, ordered);
    }
    if (v.n_reports > TN_VERIFY_MAX_REPORTS) {
        tn_note(m->ctx, NULL, "%u more", v.n_reports - TN_VERIFY_MAX_REPORTS);
    }
    tn_status status = v.n_reports == 0 ? TN_OK : TN_ERROR;
    tn_arena_drop(scratch);
    return status;
}
