/* Model-local functions. A call becomes an op whose region 0 is the body. The body is read from the
 * file once a call, because the attributes of the call are put into it. */
#include "frontends/onnx/import_t.h"

static const char *key_of(tn_onnx *imp, const char *domain, const char *name,
                          const char *overload) {
    return tn_internf(imp->ctx, "%s\n%s\n%s", domain, name, overload);
}

void tn_onnx_read_function(tn_onnx *imp, tn_bytes message) {
    tn_arena *scratch = tn_arena_new(imp->ctx);
    const Onnx__FunctionProto *proto = tn_proto_unpack(
        &imp->src, scratch, &onnx__function_proto__descriptor, message,
        TN_FIELD(PB_FUNCTION_NAME) | TN_FIELD(PB_FUNCTION_INPUT) | TN_FIELD(PB_FUNCTION_OUTPUT) |
            TN_FIELD(PB_FUNCTION_OPSET_IMPORT) | TN_FIELD(PB_FUNCTION_DOMAIN));
    tn_onnx_function *fn = TN_NEW(imp->arena, tn_onnx_function);
    fn->name = tn_onnx_name(imp, proto->name);
    fn->domain = tn_onnx_domain(imp, proto->domain);
    fn->overload = tn_onnx_overload(imp, message, PB_FUNCTION_OVERLOAD);
    fn->message = message;
    fn->defaults = tn_onnx_collect_attrs(imp, message, PB_FUNCTION_DEFAULTS);
    fn->inputs = tn_onnx_name_list(imp, proto->input, proto->n_input);
    fn->n_inputs = (uint32_t)proto->n_input;
    fn->outputs = tn_onnx_name_list(imp, proto->output, proto->n_output);
    fn->n_outputs = (uint32_t)proto->n_output;
    fn->opsets = tn_onnx_read_opsets(imp, proto->opset_import, proto->n_opset_import,
                                     tn_internf(imp->ctx, "function '%s'", fn->name));
    tn_arena_drop(scratch);
    const char *key = key_of(imp, fn->domain, fn->name, fn->overload);
    if (tn_map_or(&imp->functions, tn_str_id(key), 0) != 0) {
        tn_loc loc = tn_loc_file(imp->src.file);
        tn_fail(imp->ctx, &loc, "function '%s' of domain '%s' is defined twice", fn->name,
                fn->domain);
    }
    tn_map_put(&imp->functions, tn_str_id(key), (uint64_t)(uintptr_t)fn);
}

const tn_onnx_function *tn_onnx_find_function(tn_onnx *imp, const char *domain, const char *name,
                                              const char *overload) {
    if (imp->functions.len == 0) {
        return NULL;
    }
    const char *key = key_of(imp, domain, name, overload);
    return (const tn_onnx_function *)(uintptr_t)tn_map_or(&imp->functions, tn_str_id(key), 0);
}

static void check_call(tn_onnx *imp, const tn_onnx_frame *frame, const tn_op *op,
                       const tn_onnx_function *fn, uint32_t n_operands) {
    for (const tn_onnx_env *e = frame->env; e != NULL; e = e->outer) {
        if (e->fn == fn) {
            tn_fail(imp->ctx, &op->loc, "function '%s' calls itself", fn->name);
        }
    }
    if (n_operands > fn->n_inputs) {
        tn_fail(imp->ctx, &op->loc, "%u operands for function '%s', which takes %u", n_operands,
                fn->name, fn->n_inputs);
    }
    if (op->n_results > fn->n_outputs) {
        tn_fail(imp->ctx, &op->loc, "%u results of function '%s', which gives %u", op->n_results,
                fn->name, fn->n_outputs);
    }
}

void tn_onnx_instantiate(tn_onnx *imp, const tn_onnx_frame *frame, tn_op *op,
                         const tn_onnx_function *fn, tn_bytes call, uint32_t n_operands) {
    check_call(imp, frame, op, fn, n_operands);
    tn_onnx_env *env = TN_NEW(imp->arena, tn_onnx_env);
    env->fn = fn;
    env->attrs = tn_onnx_collect_attrs(imp, call, PB_NODE_ATTRIBUTE);
    env->outer = frame->env;
    env->outer_space = frame->space;
    tn_graph *body = tn_graph_new(imp->m, fn->name, op);
    tn_onnx_frame next = {.source = TN_ONNX_FUNCTION,
                          .message = fn->message,
                          .graph = body,
                          .where = body->path,
                          .env = env,
                          .space = ++imp->n_spaces};
    tn_onnx_push(imp, next);
}
