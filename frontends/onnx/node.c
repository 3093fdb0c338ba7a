/* NodeProto to tn_op, with everything but its operands. */
#include "frontends/core/arity.h"
#include "frontends/onnx/import_t.h"

#include <string.h>

#include "ir/base/limits.h"

static void add_results(tn_onnx *imp, tn_onnx_frame *frame, tn_op *op,
                        const Onnx__NodeProto *node) {
    if (node->n_output > TN_MAX_OPERANDS) {
        tn_fail(imp->ctx, &op->loc, "the node has %zu outputs, the limit is %u", node->n_output,
                TN_MAX_OPERANDS);
    }
    for (size_t i = 0; i < node->n_output; i++) {
        const char *name = tn_onnx_name(imp, node->output[i]);
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
    tn_arena *scratch = tn_arena_new(imp->ctx);
    const Onnx__NodeProto *node = tn_proto_unpack(
        &imp->src, scratch, &onnx__node_proto__descriptor, message,
        TN_FIELD(PB_NODE_INPUT) | TN_FIELD(PB_NODE_OUTPUT) | TN_FIELD(PB_NODE_NAME) |
            TN_FIELD(PB_NODE_OP_TYPE) | TN_FIELD(PB_NODE_DOMAIN));
    tn_loc loc = tn_loc_file(imp->src.file);
    loc.graph = frame->where;
    loc.node = frame->n_nodes++;
    loc.name = tn_onnx_name(imp, node->name);
    loc.op = tn_onnx_name(imp, node->op_type);
    loc.first = node->n_output > 0 ? tn_onnx_name(imp, node->output[0]) : NULL;
    if (loc.op[0] == '\0') {
        tn_fail(imp->ctx, &loc, "the node has no op type");
    }
    const char *domain = tn_onnx_domain(imp, node->domain);
    const tn_onnx_function *fn = tn_onnx_find_function(
        imp, domain, loc.op, tn_onnx_overload(imp, message, PB_NODE_OVERLOAD));
    int64_t version = tn_onnx_version(imp, frame->env, domain, fn == NULL);
    count_instance(imp, frame, &loc);
    tn_op *op = tn_op_new(frame->graph, domain, loc.op, version, loc.name, loc);
    tn_vec_push(imp->m->arena, &imp->file->ops, message);
    tn_onnx_reads reads = {tn_onnx_name_list(imp, node->input, node->n_input),
                           (uint32_t)node->n_input};
    tn_vec_push(imp->arena, &imp->reads, reads);
    note_name(imp, frame, loc.name);
    add_results(imp, frame, op, node);
    tn_check_arity(imp->ctx, op, reads.n);
    if (fn != NULL) {
        tn_onnx_instantiate(imp, frame, op, fn, message, reads.n);
    }
    add_attrs(imp, frame, op, fn != NULL, message);
    tn_arena_drop(scratch);
}
