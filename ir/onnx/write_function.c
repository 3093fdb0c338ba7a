/* Functions whose bodies are not as the file has them, or come from no file: each call gets one of
 * its own, because the attributes of the call have become part of the body. */
#include "ir/base/diag.h"
#include "ir/onnx/write_t.h"
#include "ir/walk.h"

/* The first call keeps its name where no file has a function of that name. */
static bool is_taken(const tn_onnx_writer *w, const tn_op *call, const char *name) {
    for (uint32_t i = 0; i < w->m->n_ops; i++) {
        bool own = w->file == NULL && name == call->type;
        if (w->m->ops[i]->type == name && !own) {
            return true;
        }
    }
    for (uint32_t i = 0; i < w->calls.len; i++) {
        if (w->calls.data[i].name == name) {
            return true;
        }
    }
    return false;
}

const char *tn_onnx_name_call(tn_onnx_writer *w, const tn_op *op) {
    const char *name = op->type;
    for (uint32_t k = 0; is_taken(w, op, name); k++) {
        name = tn_internf(w->ctx, "%s_%u", op->type, k);
    }
    tn_vec_push(w->arena, &w->calls, (tn_onnx_call){op->regions[0], name});
    return name;
}

static void put_opset(tn_onnx_writer *w, uint32_t number, const char *domain, int64_t version) {
    tn_wire_mark mark = tn_wire_begin(&w->out, number);
    tn_onnx_put_name(w, PB_OPSET_DOMAIN, domain);
    tn_wire_put_int(&w->out, PB_OPSET_VERSION, version);
    tn_wire_end(&w->out, &mark, NULL);
}

/* Functions are in domains without a version; 1 is as good as any. */
static int64_t version_of(const tn_onnx_writer *w, const tn_op *op) {
    if (op->version <= 0 && !tn_op_is_call(op) && op->code != TN_OP_EXTERN) {
        tn_fail(w->ctx, &op->loc,
                "cannot be written: no operator set of domain '%s' is imported, so the version of "
                "%s is not known",
                op->domain[0] != '\0' ? op->domain : "ai.onnx", op->type);
    }
    return op->version > 0 ? op->version : 1;
}

void tn_onnx_put_opsets(tn_onnx_writer *w, uint32_t number, const tn_graph *graph) {
    const tn_module *m = w->m;
    tn_map known = tn_map_make(w->arena);
    bool stated = w->file != NULL;
    for (uint32_t i = 0; i < m->origin.opsets.len && graph == NULL; i++) {
        const tn_opset *o = &m->origin.opsets.data[i];
        if (!stated || i >= w->file->n_opsets) {
            put_opset(w, number, o->domain, o->version);
        }
        tn_map_put(&known, tn_str_id(o->domain), 1);
    }
    if (stated && graph == NULL && !w->order->changed) {
        return;
    }
    TN_FOR_ALL_OPS(op, graph != NULL ? graph : m->main) {
        if (tn_map_or(&known, tn_str_id(op->domain), 0) == 0) {
            tn_map_put(&known, tn_str_id(op->domain), 1);
            put_opset(w, number, op->domain, version_of(w, op));
        }
    }
}

/* A function has no initializers. */
static void put_constants(tn_onnx_writer *w, const tn_graph *body) {
    tn_loc loc = tn_loc_file(w->m->file);
    loc.graph = body->path;
    for (uint32_t i = 0; i < body->n_consts; i++) {
        const tn_value *v = body->consts[i];
        tn_wire_mark node = tn_wire_begin(&w->out, PB_FUNCTION_NODE);
        tn_onnx_put_name(w, PB_NODE_OUTPUT, v->name);
        tn_onnx_put_name(w, PB_NODE_OP_TYPE, "Constant");
        tn_wire_mark attr = tn_wire_begin(&w->out, PB_NODE_ATTRIBUTE);
        tn_onnx_put_name(w, PB_ATTRIBUTE_NAME, "value");
        tn_onnx_put_tensor(w, PB_ATTRIBUTE_T, v->tensor, NULL, &loc);
        tn_wire_put_int(&w->out, PB_ATTRIBUTE_TYPE, PB_ATTRIBUTE_TYPE_TENSOR);
        tn_wire_end(&w->out, &attr, NULL);
        tn_wire_end(&w->out, &node, NULL);
    }
}

static bool step_function(tn_onnx_writer *w, tn_onnx_level *l) {
    if (l->at < l->end) {
        tn_onnx_push_node(w, w->order->ops[l->at++], PB_FUNCTION_NODE, NULL);
        return true;
    }
    tn_onnx_put_opsets(w, PB_FUNCTION_OPSET_IMPORT, l->graph);
    tn_wire_end(&w->out, &l->mark, NULL);
    return false;
}

void tn_onnx_push_function(tn_onnx_writer *w, const tn_onnx_call *call) {
    const tn_graph *body = call->body;
    tn_onnx_level l = {.step = step_function, .graph = body, .whole = true};
    l.at = w->order->first[body->id];
    l.end = w->order->first[body->id + 1];
    l.mark = tn_wire_begin(&w->out, PB_MODEL_FUNCTIONS);
    tn_onnx_put_name(w, PB_FUNCTION_NAME, call->name);
    tn_onnx_put_name(w, PB_FUNCTION_DOMAIN, body->owner->domain);
    for (uint32_t i = 0; i < body->n_inputs; i++) {
        tn_onnx_put_name(w, PB_FUNCTION_INPUT, body->inputs[i]->name);
    }
    for (uint32_t i = 0; i < body->n_outputs; i++) {
        tn_onnx_put_name(w, PB_FUNCTION_OUTPUT, body->outputs[i]->name);
    }
    put_constants(w, body);
    tn_onnx_push_level(w, l);
}
