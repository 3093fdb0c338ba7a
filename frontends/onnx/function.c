/* Model-local functions. A call becomes an op whose region 0 is the body, read anew from the file
 * for each call, because attributes make each one different. */
#include "frontends/onnx/import.h"

enum {
    F_NAME = 1,
    F_INPUT = 4,
    F_OUTPUT = 5,
    F_OPSET = 9,
    F_DOMAIN = 10,
    F_DEFAULT = 11,
    F_OVERLOAD = 13
};
enum { NODE_ATTRIBUTE = 5 };

static const char *key_of(tn_onnx *in, const char *domain, const char *name, const char *overload) {
    return tn_internf(in->ctx, "%s\n%s\n%s", domain, name, overload);
}

static const char *overload_of(tn_onnx *in, tn_bytes message) {
    tn_wire w = tn_wire_open(&in->src, message);
    tn_wire_field f;
    const char *overload = tn_intern(in->ctx, "");
    while (tn_wire_next(&w, &f)) {
        if (f.number == F_OVERLOAD) {
            tn_bytes b = tn_wire_content(&in->src, &f, "an overload");
            overload = tn_intern_n(in->ctx, (const char *)b.data, b.size);
        }
    }
    return overload;
}

void tn_onnx_read_function(tn_onnx *in, tn_bytes message) {
    tn_arena *scratch = tn_arena_new(in->ctx);
    const Onnx__FunctionProto *proto =
        tn_proto_unpack(&in->src, scratch, &onnx__function_proto__descriptor, message,
                        TN_FIELD(F_NAME) | TN_FIELD(F_INPUT) | TN_FIELD(F_OUTPUT) |
                            TN_FIELD(F_OPSET) | TN_FIELD(F_DOMAIN));
    tn_onnx_function *fn = TN_NEW(in->arena, tn_onnx_function);
    fn->name = tn_onnx_name(in, proto->name);
    fn->domain = tn_onnx_name(in, proto->domain);
    fn->overload = overload_of(in, message);
    fn->message = message;
    fn->defaults = tn_onnx_collect_attrs(in, message, F_DEFAULT);
    fn->inputs = tn_onnx_name_list(in, proto->input, proto->n_input);
    fn->n_inputs = (uint32_t)proto->n_input;
    fn->outputs = tn_onnx_name_list(in, proto->output, proto->n_output);
    fn->n_outputs = (uint32_t)proto->n_output;
    fn->opsets = tn_onnx_read_opsets(in, proto->opset_import, proto->n_opset_import,
                                     tn_internf(in->ctx, "function '%s'", fn->name));
    tn_arena_drop(scratch);
    const char *key = key_of(in, fn->domain, fn->name, fn->overload);
    if (tn_map_or(&in->functions, tn_str_id(key), 0) != 0) {
        tn_loc loc = tn_loc_file(in->src.file);
        tn_fail(in->ctx, &loc, "function '%s' of domain '%s' is defined twice", fn->name,
                fn->domain);
    }
    tn_map_put(&in->functions, tn_str_id(key), (uint64_t)(uintptr_t)fn);
}

const tn_onnx_function *tn_onnx_find_function(tn_onnx *in, const char *domain, const char *name,
                                              const char *overload) {
    if (in->functions.len == 0) {
        return NULL;
    }
    const char *key = key_of(in, domain, name, overload);
    return (const tn_onnx_function *)(uintptr_t)tn_map_or(&in->functions, tn_str_id(key), 0);
}

static void check_call(tn_onnx *in, const tn_onnx_frame *frame, const tn_op *op,
                       const tn_onnx_function *fn, uint32_t n_operands) {
    for (const tn_onnx_env *e = frame->env; e != NULL; e = e->outer) {
        if (e->fn == fn) {
            tn_fail(in->ctx, &op->loc, "function '%s' calls itself", fn->name);
        }
    }
    if (n_operands > fn->n_inputs) {
        tn_fail(in->ctx, &op->loc, "%u operands for function '%s', which takes %u", n_operands,
                fn->name, fn->n_inputs);
    }
    if (op->n_results > fn->n_outputs) {
        tn_fail(in->ctx, &op->loc, "%u results of function '%s', which gives %u", op->n_results,
                fn->name, fn->n_outputs);
    }
}

void tn_onnx_instantiate(tn_onnx *in, const tn_onnx_frame *frame, tn_op *op,
                         const tn_onnx_function *fn, tn_bytes call, uint32_t n_operands) {
    check_call(in, frame, op, fn, n_operands);
    tn_onnx_env *env = TN_NEW(in->arena, tn_onnx_env);
    env->fn = fn;
    env->attrs = tn_onnx_collect_attrs(in, call, NODE_ATTRIBUTE);
    env->outer = frame->env;
    env->outer_space = frame->space;
    tn_graph *body = tn_graph_new(in->m, fn->name, op);
    tn_onnx_frame next = {.source = TN_ONNX_FUNCTION,
                          .message = fn->message,
                          .graph = body,
                          .where = body->path,
                          .env = env,
                          .space = ++in->n_spaces};
    tn_onnx_push(in, next);
}
