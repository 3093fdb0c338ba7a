/* ir.h: building graphs and ops. */

#include "ir/base/limits.h"
#include "lib/api/api_ir_t.h"

/* ---- graphs ---- */

static tn_status add_input(tn_ctx *ctx, void *arg) {
    tn_edit *e = arg;
    const tn_type *type;
    (void)ctx;
    tn_status status = tn_edit_name(e, "name", e->name);
    if (status == TN_OK) {
        status = tn_edit_type(e, e->text, &type);
    }
    e->made = status == TN_OK ? tn_graph_add_input(e->graph, e->name, type) : NULL;
    return status;
}

tenure_value *tenure_graph_add_input(tenure_graph *graph, const char *name, const char *type) {
    tn_edit e = tn_edit_graph("tenure_graph_add_input", graph);
    e.name = name;
    e.text = type;
    tenure_status status = tn_edit_run(&e, type == NULL ? "type" : NULL, add_input);
    return status == TENURE_OK ? e.made : NULL;
}

static tn_status add_constant(tn_ctx *ctx, void *arg) {
    tn_edit *e = arg;
    const tn_tensor *tensor;
    (void)ctx;
    tn_status status = tn_edit_name(e, "name", e->name);
    if (status == TN_OK) {
        status = tn_edit_tensor(e, &tensor);
    }
    e->made = status == TN_OK ? tn_graph_add_const(e->graph, e->name, tensor) : NULL;
    return status;
}

tenure_value *tenure_graph_add_constant(tenure_graph *graph, const char *name,
                                        const tenure_tensor *tensor, const void *data,
                                        tenure_data how) {
    tn_edit e = tn_edit_graph("tenure_graph_add_constant", graph);
    e.name = name;
    e.tensor = tensor;
    e.data = data;
    e.how = how;
    tenure_status status = tn_edit_run(&e, tensor == NULL ? "tensor" : NULL, add_constant);
    return status == TENURE_OK ? e.made : NULL;
}

static tn_status may_read_all(const tn_edit *e) {
    tn_status status = TN_OK;
    if (e->n > TN_MAX_OPERANDS) {
        return tn_edit_refuse(e, "%zu values are more than the limit of %u", e->n, TN_MAX_OPERANDS);
    }
    for (size_t i = 0; i < e->n && status == TN_OK; i++) {
        status = tn_edit_may_read(e, e->values[i]);
    }
    return status;
}

static tn_status add_output(tn_ctx *ctx, void *arg) {
    const tn_edit *e = arg;
    (void)ctx;
    tn_status status = tn_edit_may_read(e, e->by);
    if (status == TN_OK) {
        tn_graph_add_output(e->graph, e->by);
    }
    return status;
}

tenure_status tenure_graph_add_output(tenure_graph *graph, tenure_value *value) {
    tn_edit e = tn_edit_graph("tenure_graph_add_output", graph);
    e.by = api_value(value);
    return tn_edit_run(&e, value == NULL ? "value" : NULL, add_output);
}

static tn_status set_outputs(tn_ctx *ctx, void *arg) {
    const tn_edit *e = arg;
    (void)ctx;
    tn_status status = may_read_all(e);
    for (size_t i = 0; i < e->n && status == TN_OK; i++) {
        status = e->values[i] != NULL ? TN_OK : tn_edit_refuse(e, "output %zu is NULL", i);
    }
    if (status == TN_OK) {
        tn_graph_set_outputs(e->graph, e->values, (uint32_t)e->n);
    }
    return status;
}

tenure_status tenure_graph_set_outputs(tenure_graph *graph, tenure_value *const *values,
                                       size_t count) {
    tn_edit e = tn_edit_graph("tenure_graph_set_outputs", graph);
    e.values = (tn_value *const *)values;
    e.n = count;
    return tn_edit_run(&e, values == NULL && count > 0 ? "values" : NULL, set_outputs);
}

/* ---- ops ---- */

static tn_loc next_loc(const tn_graph *g) {
    tn_loc loc = tn_loc_file(g->module->file);
    loc.graph = g->path;
    loc.node = g->last != NULL ? g->last->loc.node + 1 : 0;
    return loc;
}

static tn_status add_op(tn_ctx *ctx, void *arg) {
    tn_edit *e = arg;
    (void)ctx;
    tn_status status = tn_edit_name(e, "name", e->name);
    if (status == TN_OK) {
        status = tn_edit_name(e, "domain", e->domain);
    }
    if (status == TN_OK) {
        status = e->text[0] != '\0' ? tn_edit_name(e, "type", e->text)
                                    : tn_edit_refuse(e, "an op needs a type");
    }
    if (status == TN_OK) {
        status = may_read_all(e);
    }
    if (status != TN_OK) {
        return status;
    }
    tn_op *op = tn_op_new(e->graph, e->domain, e->text, tn_module_opset(e->m, e->domain), e->name,
                          next_loc(e->graph));
    for (size_t i = 0; i < e->n; i++) {
        tn_op_add_operand(op, e->values[i]);
    }
    e->made = op;
    return TN_OK;
}

tenure_op *tenure_graph_add_op(tenure_graph *graph, const char *domain, const char *type,
                               const char *name, tenure_value *const *operands, size_t count) {
    tn_edit e = tn_edit_graph("tenure_graph_add_op", graph);
    e.domain = domain;
    e.text = type;
    e.name = name;
    e.values = (tn_value *const *)operands;
    e.n = count;
    const char *missing = domain == NULL                  ? "domain"
                          : type == NULL                  ? "type"
                          : operands == NULL && count > 0 ? "operands"
                                                          : NULL;
    return tn_edit_run(&e, missing, add_op) == TENURE_OK ? e.made : NULL;
}

static tn_status has_room(const tn_edit *e, const char *what, uint32_t n, uint32_t limit) {
    return n < limit ? TN_OK : tn_edit_refuse(e, "the op has %u %s, which is the limit", n, what);
}

/* Workspace stands behind the results, so these come first. */
static tn_status may_have_result(const tn_edit *e) {
    if (e->op->n_workspace > 0) {
        return tn_edit_refuse(e, "the op has been given workspace; results are added before that");
    }
    return has_room(e, "results", e->op->n_results, TN_MAX_OPERANDS);
}

static tn_status add_result(tn_ctx *ctx, void *arg) {
    tn_edit *e = arg;
    const tn_type *type;
    (void)ctx;
    tn_status status = may_have_result(e);
    if (status == TN_OK) {
        status = tn_edit_name(e, "name", e->name);
    }
    if (status == TN_OK) {
        status = tn_edit_type(e, e->text, &type);
    }
    e->made = status == TN_OK ? tn_op_add_result(e->op, e->name, type) : NULL;
    return status;
}

tenure_value *tenure_op_add_result(tenure_op *op, const char *name, const char *type) {
    tn_edit e = tn_edit_op("tenure_op_add_result", op);
    e.name = name;
    e.text = type;
    return tn_edit_run(&e, NULL, add_result) == TENURE_OK ? e.made : NULL;
}

static tn_status skip_result(tn_ctx *ctx, void *arg) {
    const tn_edit *e = arg;
    (void)ctx;
    tn_status status = may_have_result(e);
    if (status == TN_OK) {
        tn_op_add_no_result(e->op);
    }
    return status;
}

tenure_status tenure_op_skip_result(tenure_op *op) {
    tn_edit e = tn_edit_op("tenure_op_skip_result", op);
    return tn_edit_run(&e, NULL, skip_result);
}

static tn_status add_operand(tn_ctx *ctx, void *arg) {
    const tn_edit *e = arg;
    (void)ctx;
    tn_status status = has_room(e, "operands", e->op->n_operands, TN_MAX_OPERANDS);
    if (status == TN_OK) {
        status = tn_edit_may_read(e, e->by);
    }
    if (status == TN_OK) {
        tn_op_add_operand(e->op, e->by);
    }
    return status;
}

tenure_status tenure_op_add_operand(tenure_op *op, tenure_value *value) {
    tn_edit e = tn_edit_op("tenure_op_add_operand", op);
    e.by = api_value(value);
    return tn_edit_run(&e, NULL, add_operand);
}

/* ---- bodies ---- */

static tn_status may_have_body(const tn_edit *e) {
    bool function = e->name[0] == '\0';
    if (tn_op_attr(e->op, e->name) != NULL) {
        return tn_edit_refuse(e, "the op has an attribute '%s' already", e->name);
    }
    if (e->op->n_regions > 0 && (function || tn_op_is_call(e->op))) {
        return tn_edit_refuse(e, "the body of a called function is the only one of its op");
    }
    if (function && (e->op->info->traits & TN_T_CONTROL) != 0) {
        return tn_edit_refuse(e, "%s calls no function; its bodies have attributes", e->op->type);
    }
    if (e->graph->depth + 1 >= TN_MAX_NESTING) {
        return tn_edit_refuse(e, "graphs are nested deeper than the limit of %u", TN_MAX_NESTING);
    }
    return has_room(e, "attributes", e->op->n_attrs, TN_MAX_ATTRS);
}

static tn_status add_body(tn_ctx *ctx, void *arg) {
    tn_edit *e = arg;
    (void)ctx;
    tn_status status = tn_edit_name(e, "name", e->text);
    if (status == TN_OK) {
        status = tn_edit_name(e, "attribute", e->name);
    }
    if (status == TN_OK) {
        status = may_have_body(e);
    }
    if (status != TN_OK) {
        return status;
    }
    tn_attr attr = {.name = e->name, .kind = TN_ATTR_GRAPH};
    attr.u.g = tn_graph_new(e->m, e->text, e->op);
    if (e->name[0] != '\0') {
        tn_op_add_attr(e->op, attr);
    }
    e->made = attr.u.g;
    return TN_OK;
}

tenure_graph *tenure_op_add_body(tenure_op *op, const char *attribute, const char *name) {
    tn_edit e = tn_edit_op("tenure_op_add_body", op);
    e.name = attribute;
    e.text = name;
    const char *missing = attribute == NULL ? "attribute" : name == NULL ? "name" : NULL;
    return tn_edit_run(&e, missing, add_body) == TENURE_OK ? e.made : NULL;
}
