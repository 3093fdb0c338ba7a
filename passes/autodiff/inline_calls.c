#include "passes/autodiff/inline_calls.h"

#include <stdlib.h>

#include "ir/mutate.h"
#include "ir/ops/sig.h"

/* Bodies inside the bodies of a function are copied by recursion. */
enum { MAX_DEPTH = 64 };

typedef struct copying {
    tn_emitter *e;
    tn_op *call;
    tn_map of; /* id of a value of the body -> id + 1 of what stands for it */
} copying;

static tn_value *stand_in(const copying *c, tn_value *v) {
    uint64_t id = v != NULL ? tn_map_or(&c->of, v->id, 0) : 0;
    return id != 0 ? c->e->m->values[id - 1] : v;
}

static void put_stand_in(copying *c, const tn_value *v, const tn_value *made) {
    tn_map_put(&c->of, v->id, made->id + 1u);
}

static const char *inner_name(const copying *c, const char *name) {
    const char *call = c->call->name[0] != '\0' ? c->call->name : c->call->type;
    return tn_emit_name(c->e, tn_internf(c->e->ctx, "%s/%s", call, name));
}

/* The version in which what op `version` has was introduced. */
static int64_t since(const tn_op_info *info, int64_t version) {
    const char *at = info->versions;
    int64_t found = 0;
    for (tn_word w; tn_word_next(&at, 0, &w);) {
        int64_t v = strtol(w.text, NULL, 10);
        found = v <= version || version == 0 ? v : found;
    }
    return found;
}

/* An op is written in the version that the model imports. */
static tn_status check_version(const copying *c, const tn_op *op) {
    int64_t have = tn_module_opset(c->e->m, op->domain);
    if (op->code == TN_OP_EXTERN || have == op->version || have == 0 ||
        since(op->info, have) == since(op->info, op->version)) {
        return TN_OK;
    }
    return tn_error(
        c->e->ctx, &op->loc,
        "function %s imports version %lld of '%s', the model version %lld, in which %s is "
        "another op: it cannot be inlined; convert the function first",
        c->call->type, (long long)op->version, op->domain[0] != '\0' ? op->domain : "ai.onnx",
        (long long)have, op->type);
}

static tn_status copy_graph(copying *c, const tn_graph *from, tn_graph *to, uint32_t depth);

static tn_status copy_region(copying *c, const tn_op *op, tn_op *made, tn_attr *a, uint32_t depth) {
    const tn_graph *from = a->u.g;
    tn_graph *to = tn_graph_new(c->e->m, from->name, made);
    a->u.g = to;
    (void)op;
    for (uint32_t i = 0; i < from->n_inputs; i++) {
        const tn_value *v = from->inputs[i];
        put_stand_in(c, v, tn_graph_add_input(to, inner_name(c, v->name), v->type));
    }
    for (uint32_t i = 0; i < from->n_consts; i++) {
        const tn_value *v = from->consts[i];
        put_stand_in(c, v, tn_graph_add_const(to, inner_name(c, v->name), v->tensor));
    }
    tn_status status = copy_graph(c, from, to, depth + 1);
    for (uint32_t i = 0; i < from->n_outputs && status == TN_OK; i++) {
        tn_graph_add_output(to, stand_in(c, from->outputs[i]));
    }
    return status;
}

/* In a body its op is the attributes; a copy goes where the call is. */
static tn_status copy_op(copying *c, const tn_op *op, tn_graph *to, uint32_t depth) {
    tn_status status = check_version(c, op);
    if (status != TN_OK) {
        return status;
    }
    tn_op *made = tn_op_new(to, op->domain, op->type, op->version,
                            op->name[0] != '\0' ? inner_name(c, op->name) : "", op->loc);
    for (uint32_t k = 0; k < op->n_operands; k++) {
        tn_op_add_operand(made, stand_in(c, op->operands[k].value));
    }
    for (uint32_t r = 0; r < op->n_results; r++) {
        const tn_value *v = op->results[r];
        if (v == NULL) {
            tn_op_add_no_result(made);
        } else {
            put_stand_in(c, v, tn_op_add_result(made, inner_name(c, v->name), v->type));
        }
    }
    for (uint32_t i = 0; i < op->n_attrs && status == TN_OK; i++) {
        tn_attr a = op->attrs[i];
        a.as_read = false;
        if (a.kind == TN_ATTR_GRAPHS || (a.kind == TN_ATTR_GRAPH && depth == MAX_DEPTH)) {
            return tn_error(c->e->ctx, &op->loc, "bodies are nested too deeply to be inlined");
        }
        if (a.kind == TN_ATTR_GRAPH) {
            status = copy_region(c, op, made, &a, depth);
        }
        tn_op_add_attr(made, a);
    }
    if (status == TN_OK && tn_op_is_call(op)) { /* a call in a function: its body is no attribute */
        tn_attr body = {.kind = TN_ATTR_GRAPH};
        body.u.g = op->regions[0];
        status = copy_region(c, op, made, &body, depth);
    }
    if (depth == 0) {
        tn_op_move_before(made, c->call);
    }
    return status;
}

static tn_status copy_graph(copying *c, const tn_graph *from, tn_graph *to, uint32_t depth) {
    tn_status status = TN_OK;
    for (const tn_op *op = from->first; op != NULL && status == TN_OK; op = op->next) {
        status = copy_op(c, op, to, depth);
    }
    return status;
}

/* What a result of the call becomes. An argument handed through, or a value handed out twice, gets
 * an op of its own, so that the result keeps its name. */
static void replace_result(copying *c, tn_value *result, tn_value *made, const tn_op *first_copy) {
    bool own = made->kind == TN_VALUE_RESULT && made->def->id >= first_copy->id &&
               (made->flags & TN_VF_OUTPUT) == 0 && made->graph == c->call->graph;
    if (!own || made->name == result->name) {
        made = tn_emit_copy(c->e, made);
        tn_op_move_before(made->def, c->call);
    }
    uint32_t flags = result->flags & ~(uint32_t)TN_VF_OUTPUT;
    const char *name = result->name;
    tn_replace_all_uses(result, made);
    tn_value_set_name(result, tn_emit_name(c->e, tn_internf(c->e->ctx, "%s_of_call", name)));
    tn_value_set_name(made, name);
    tn_value_set_flags(made, flags, 0);
}

static tn_status inline_call(tn_emitter *e, tn_op *call) {
    const tn_graph *body = call->regions[0];
    copying c = {e, call, tn_map_make(e->scratch)};
    tn_emit_for(e, &call->loc, call->name[0] != '\0' ? call->name : call->type);
    for (uint32_t i = 0; i < body->n_inputs; i++) {
        const tn_value *v = tn_operand(call, i);
        if (v != NULL) {
            put_stand_in(&c, body->inputs[i], v);
        } else if (body->inputs[i]->n_uses > 0) {
            return tn_error(e->ctx, &call->loc,
                            "argument '%s' of the function is left out: the call cannot be inlined",
                            body->inputs[i]->name);
        }
    }
    for (uint32_t i = 0; i < body->n_consts; i++) {
        const tn_value *v = body->consts[i];
        put_stand_in(&c, v, tn_graph_add_const(call->graph, inner_name(&c, v->name), v->tensor));
    }
    uint32_t first = e->m->n_ops;
    tn_status status = copy_graph(&c, body, call->graph, 0);
    if (status != TN_OK) {
        return status;
    }
    tn_op probe = {.id = first};
    for (uint32_t i = 0; i < call->n_results && i < body->n_outputs; i++) {
        if (call->results[i] != NULL) {
            replace_result(&c, call->results[i], stand_in(&c, body->outputs[i]), &probe);
        }
    }
    tn_op_erase_all(call);
    return TN_OK;
}

tn_status tn_inline_calls(tn_emitter *e, uint64_t *n) {
    tn_status status = TN_OK;
    for (tn_op *op = e->m->main->first; op != NULL && status == TN_OK;) {
        tn_op *before = op->prev, *next = op->next;
        if (tn_op_is_call(op) && op->n_regions == 1 && op->info->grad == NULL) {
            status = inline_call(e, op);
            ++*n;
            /* Again from its first op on: functions call functions. */
            next = before != NULL ? before->next : e->m->main->first;
        }
        op = next;
    }
    return status;
}
