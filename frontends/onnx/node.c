/* NodeProto to tn_op, with everything but its operands. */
#include "frontends/core/arity.h"
#include "frontends/onnx/import_t.h"

#include "ir/base/limits.h"

/* What a node says of itself; "" where it says nothing. */
typedef struct head {
    const char *name, *op_type, *domain, *overload;
} head;

static const char *text_of(tn_onnx *imp, const tn_wire_field *f) {
    tn_proto_check(&imp->src, &onnx__node_proto__descriptor, f);
    return tn_onnx_name_n(imp, (const char *)f->bytes.data, f->bytes.size);
}

/* The names of operands and results go to imp->inputs and imp->outputs. Nodes are most of a file:
 * they are read where they lie. */
static head read_head(tn_onnx *imp, tn_bytes message) {
    const char *none = tn_intern(imp->ctx, "");
    head h = {none, none, none, none};
    tn_wire w = tn_wire_open(&imp->src, message);
    tn_wire_field f;
    imp->inputs.len = imp->outputs.len = 0;
    while (tn_wire_next(&w, &f)) {
        switch (f.number) {
        case PB_NODE_INPUT:
            tn_vec_push(imp->arena, &imp->inputs, text_of(imp, &f));
            break;
        case PB_NODE_OUTPUT:
            tn_vec_push(imp->arena, &imp->outputs, text_of(imp, &f));
            break;
        case PB_NODE_NAME:
            h.name = text_of(imp, &f);
            break;
        case PB_NODE_OP_TYPE:
            h.op_type = text_of(imp, &f);
            break;
        case PB_NODE_DOMAIN:
            h.domain = tn_onnx_domain(imp, text_of(imp, &f));
            break;
        case PB_NODE_OVERLOAD: { /* the schema may be older */
            tn_bytes b = tn_wire_content(&imp->src, &f, "an overload");
            h.overload = tn_intern_n(imp->ctx, (const char *)b.data, b.size);
            break;
        }
        default:
            break;
        }
    }
    return h;
}

static tn_onnx_reads reads_of(tn_onnx *imp) {
    uint32_t n = imp->inputs.len;
    tn_onnx_demand_list(imp, n);
    return (tn_onnx_reads){
        tn_arena_regrow(imp->arena, imp->inputs.data, n, n, sizeof *imp->inputs.data), n};
}

static void add_results(tn_onnx *imp, tn_onnx_frame *frame, tn_op *op) {
    if (imp->outputs.len > TN_MAX_OPERANDS) {
        tn_fail(imp->ctx, &op->loc, "the node has %u outputs, the limit is %u", imp->outputs.len,
                TN_MAX_OPERANDS);
    }
    for (uint32_t i = 0; i < imp->outputs.len; i++) {
        const char *name = imp->outputs.data[i];
        if (name[0] == '\0') {
            tn_op_add_no_result(op);
        } else {
            const tn_type *type = tn_onnx_stored_type(frame, name);
            tn_onnx_define(imp, frame, tn_op_add_result(op, name, type));
        }
    }
}

static void note_name(tn_onnx *imp, tn_onnx_frame *frame, const char *name) {
    if (name[0] == '\0') {
        return;
    }
    if (tn_map_or(&frame->node_names, tn_str_id(name), 0) != 0) {
        tn_onnx_repaired(&imp->node_names, name);
    }
    tn_map_put(&frame->node_names, tn_str_id(name), 1);
}

/* Functions that call functions grow exponentially in the size of the file. */
static void count_instance(tn_onnx *imp, const tn_onnx_frame *frame, const tn_loc *loc) {
    if (frame->env != NULL && ++imp->n_instances > TN_MAX_INSTANCES) {
        tn_fail(imp->ctx, loc, "functions make more than %u ops", TN_MAX_INSTANCES);
    }
}

/* A graph attribute of a call becomes a region of the op in the body that refers to it. */
static void add_attrs(tn_onnx *imp, tn_onnx_frame *frame, tn_op *op, bool is_call,
                      tn_bytes message) {
    tn_wire w = tn_wire_open(&imp->src, message);
    tn_wire_field f;
    while (tn_wire_next(&w, &f)) {
        if (f.number == PB_NODE_ATTRIBUTE) {
            tn_bytes attr = tn_wire_content(&imp->src, &f, "an attribute");
            if (!is_call || !tn_onnx_attr_is_graph(imp, attr)) {
                tn_onnx_read_attr(imp, op, attr, frame->env, frame->space);
            }
        }
    }
}

void tn_onnx_read_node(tn_onnx *imp, tn_onnx_frame *frame, tn_bytes message) {
    head h = read_head(imp, message);
    tn_loc loc = tn_loc_file(imp->src.file);
    loc.graph = frame->where;
    loc.node = frame->n_nodes++;
    loc.name = h.name;
    loc.op = h.op_type;
    loc.first = imp->outputs.len > 0 ? imp->outputs.data[0] : NULL;
    if (loc.op[0] == '\0') {
        tn_fail(imp->ctx, &loc, "the node has no op type");
    }
    const tn_onnx_function *fn = tn_onnx_find_function(imp, h.domain, loc.op, h.overload);
    int64_t version = tn_onnx_version(imp, frame->env, h.domain, fn == NULL);
    count_instance(imp, frame, &loc);
    tn_op *op = tn_op_new(frame->graph, h.domain, loc.op, version, loc.name, loc);
    tn_vec_push(imp->m->arena, &imp->file->ops, message);
    tn_onnx_reads reads = reads_of(imp);
    tn_vec_push(imp->arena, &imp->reads, reads);
    note_name(imp, frame, loc.name);
    add_results(imp, frame, op);
    tn_check_arity(imp->ctx, op, reads.n);
    if (fn != NULL) {
        tn_onnx_instantiate(imp, frame, op, fn, message, reads.n);
    }
    add_attrs(imp, frame, op, fn != NULL, message);
}
