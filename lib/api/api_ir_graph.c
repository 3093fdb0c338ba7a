/* ir.h: reading graphs and ops. */
#include "lib/api/api_ir_t.h"

/* ---- graphs ---- */

const char *tenure_graph_name(const tenure_graph *graph) {
    return graph != NULL ? api_graph(graph)->name : NULL;
}

const char *tenure_graph_path(const tenure_graph *graph) {
    return graph != NULL ? api_graph(graph)->path : NULL;
}

tenure_op *tenure_graph_owner(const tenure_graph *graph) {
    return graph != NULL ? (tenure_op *)api_graph(graph)->owner : NULL;
}

tenure_model *tenure_graph_model(const tenure_graph *graph) {
    return graph != NULL ? (tenure_model *)api_graph(graph)->module : NULL;
}

static tenure_value *at(tn_value *const *values, uint32_t n, size_t index) {
    return index < n ? (tenure_value *)values[index] : NULL;
}

tenure_value *tenure_graph_input(const tenure_graph *graph, size_t index) {
    const tn_graph *g = api_graph(graph);
    return g != NULL ? at(g->inputs, g->n_inputs, index) : NULL;
}

tenure_value *tenure_graph_constant(const tenure_graph *graph, size_t index) {
    const tn_graph *g = api_graph(graph);
    return g != NULL ? at(g->consts, g->n_consts, index) : NULL;
}

tenure_value *tenure_graph_output(const tenure_graph *graph, size_t index) {
    const tn_graph *g = api_graph(graph);
    return g != NULL ? at(g->outputs, g->n_outputs, index) : NULL;
}

tenure_op *tenure_graph_first(const tenure_graph *graph) {
    return graph != NULL ? (tenure_op *)api_graph(graph)->first : NULL;
}

size_t tenure_graph_op_count(const tenure_graph *graph) {
    return graph != NULL ? api_graph(graph)->n_ops : 0;
}

tenure_value *tenure_graph_find(const tenure_graph *graph, const char *name) {
    return graph != NULL && name != NULL
               ? (tenure_value *)tn_graph_find_value(api_graph(graph), name)
               : NULL;
}

/* ---- ops ---- */

const char *tenure_op_domain(const tenure_op *op) {
    return op != NULL ? api_op(op)->domain : NULL;
}

const char *tenure_op_type(const tenure_op *op) {
    return op != NULL ? api_op(op)->type : NULL;
}

const char *tenure_op_name(const tenure_op *op) {
    return op != NULL ? api_op(op)->name : NULL;
}

int64_t tenure_op_version(const tenure_op *op) {
    return op != NULL ? api_op(op)->version : -1;
}

tenure_graph *tenure_op_graph(const tenure_op *op) {
    return op != NULL ? (tenure_graph *)api_op(op)->graph : NULL;
}

tenure_op *tenure_op_next(const tenure_op *op) {
    return op != NULL ? (tenure_op *)api_op(op)->next : NULL;
}

int tenure_op_is_removed(const tenure_op *op) {
    return op != NULL && api_op(op)->erased;
}

size_t tenure_op_operand_count(const tenure_op *op) {
    return op != NULL ? api_op(op)->n_operands : 0;
}

tenure_value *tenure_op_operand(const tenure_op *op, size_t index) {
    bool there = op != NULL && index < api_op(op)->n_operands;
    return there ? (tenure_value *)api_op(op)->operands[index].value : NULL;
}

size_t tenure_op_result_count(const tenure_op *op) {
    return op != NULL ? api_op(op)->n_results : 0;
}

tenure_value *tenure_op_result(const tenure_op *op, size_t index) {
    return op != NULL ? at(api_op(op)->results, api_op(op)->n_results, index) : NULL;
}

int tenure_op_attribute(const tenure_op *op, size_t index, tenure_attribute *out) {
    return op != NULL && index < api_op(op)->n_attrs &&
           tn_api_attribute(&api_op(op)->attrs[index], out);
}

int tenure_op_find_attribute(const tenure_op *op, const char *name, tenure_attribute *out) {
    const tn_attr *a = op != NULL && name != NULL ? tn_op_attr(api_op(op), name) : NULL;
    return a != NULL && tn_api_attribute(a, out);
}

tenure_graph *tenure_op_body(const tenure_op *op, size_t index) {
    bool there = op != NULL && index < api_op(op)->n_regions;
    return there ? (tenure_graph *)api_op(op)->regions[index] : NULL;
}

const char *tenure_op_body_attribute(const tenure_op *op, size_t index) {
    bool there = op != NULL && index < api_op(op)->n_regions;
    return there ? tn_op_body_attr(api_op(op), (uint32_t)index) : NULL;
}
