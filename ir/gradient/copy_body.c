#include "ir/gradient/copy_body.h"

#include <stdlib.h>

#include "ir/mutate.h"
#include "ir/ops/sig.h"

/* Bodies inside bodies are copied by recursion. A loop is unrolled into so many ops at most. */
enum { MAX_DEPTH = 64, MAX_COPIES = 100000 };

tn_copying tn_copying_of(tn_emitter *e, const tn_op *owner, const char *stem) {
    return (tn_copying){e, owner, stem, tn_map_make(e->scratch)};
}

tn_value *tn_copy_of(const tn_copying *c, tn_value *v) {
    uint64_t id = v != NULL ? tn_map_or(&c->of, v->id, 0) : 0;
    return id != 0 ? c->e->m->values[id - 1] : v;
}

void tn_copy_let(tn_copying *c, const tn_value *v, tn_value *made) {
    tn_map_put(&c->of, v->id, made->id + 1u);
}

static const char *inner_name(const tn_copying *c, const char *name) {
    return tn_emit_name(c->e, tn_internf(c->e->ctx, "%s/%s", c->stem, name));
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
static void check_version(const tn_copying *c, const tn_op *op) {
    int64_t have = tn_module_opset(c->e->m, op->domain);
    if (op->code == TN_OP_EXTERN || have == op->version || have == 0 ||
        since(op->info, have) == since(op->info, op->version)) {
        return;
    }
    tn_fail(c->e->ctx, &op->loc,
            "function %s imports version %lld of '%s', the model version %lld, in which %s is "
            "another op: it cannot be inlined; convert the function first",
            c->owner->type, (long long)op->version, op->domain[0] != '\0' ? op->domain : "ai.onnx",
            (long long)have, op->type);
}

static void copy_ops(tn_copying *c, const tn_graph *from, tn_graph *to, uint32_t depth);

static void put_consts(tn_copying *c, const tn_graph *from, tn_graph *to) {
    for (uint32_t i = 0; i < from->n_consts; i++) {
        const tn_value *v = from->consts[i];
        if (v->n_uses == 0 && (v->flags & TN_VF_OUTPUT) == 0) {
            continue;
        }
        tn_copy_let(c, v, tn_graph_add_const(to, inner_name(c, v->name), v->tensor));
    }
}

static void copy_region(tn_copying *c, tn_op *made, tn_attr *a, uint32_t depth) {
    const tn_graph *from = a->u.g;
    tn_graph *to = tn_graph_new(c->e->m, from->name, made);
    a->u.g = to;
    for (uint32_t i = 0; i < from->n_inputs; i++) {
        const tn_value *v = from->inputs[i];
        tn_copy_let(c, v, tn_graph_add_input(to, inner_name(c, v->name), v->type));
    }
    put_consts(c, from, to);
    copy_ops(c, from, to, depth + 1);
    for (uint32_t i = 0; i < from->n_outputs; i++) {
        tn_graph_add_output(to, tn_copy_of(c, from->outputs[i]));
    }
}

static void copy_attrs(tn_copying *c, const tn_op *op, tn_op *made, uint32_t depth) {
    for (uint32_t i = 0; i < op->n_attrs; i++) {
        tn_attr a = op->attrs[i];
        a.as_read = false;
        if (a.kind == TN_ATTR_GRAPHS || (a.kind == TN_ATTR_GRAPH && depth == MAX_DEPTH)) {
            tn_fail(c->e->ctx, &op->loc, "bodies are nested too deeply to be inlined");
        }
        if (a.kind == TN_ATTR_GRAPH) {
            copy_region(c, made, &a, depth);
        }
        tn_op_add_attr(made, a);
    }
    if (tn_op_is_call(op)) { /* its body is no attribute */
        tn_attr body = {.kind = TN_ATTR_GRAPH};
        body.u.g = op->regions[0];
        copy_region(c, made, &body, depth);
    }
}

static void copy_op(tn_copying *c, const tn_op *op, tn_graph *to, uint32_t depth) {
    check_version(c, op);
    tn_op *made = tn_op_new(to, op->domain, op->type, op->version,
                            op->name[0] != '\0' ? inner_name(c, op->name) : "", op->loc);
    for (uint32_t k = 0; k < op->n_operands; k++) {
        tn_op_add_operand(made, tn_copy_of(c, op->operands[k].value));
    }
    for (uint32_t r = 0; r < op->n_results; r++) {
        const tn_value *v = op->results[r];
        if (v == NULL) {
            tn_op_add_no_result(made);
        } else {
            tn_copy_let(c, v, tn_op_add_result(made, inner_name(c, v->name), v->type));
        }
    }
    copy_attrs(c, op, made, depth);
    if (depth == 0) {
        tn_emit_type(c->e, made);
    }
}

/* A Constant that was copied for an earlier round. */
static bool serves_again(const tn_copying *c, const tn_op *op, uint32_t depth) {
    return depth == 0 && op->n_operands == 0 && op->n_results == 1 &&
           (op->info->traits & TN_T_CONSTANT) != 0 &&
           tn_copy_of(c, op->results[0]) != op->results[0];
}

static void copy_ops(tn_copying *c, const tn_graph *from, tn_graph *to, uint32_t depth) {
    TN_FOR_OPS(op, from) {
        if (!serves_again(c, op, depth)) {
            copy_op(c, op, to, depth);
        }
        if (c->e->m->n_ops - c->e->first_copy > MAX_COPIES) {
            tn_fail(c->e->ctx, &c->owner->loc,
                    "the body of %s would become more than %d ops where it is copied",
                    c->owner->type, MAX_COPIES);
        }
    }
}

void tn_copy_consts(tn_copying *c, const tn_graph *body) {
    put_consts(c, body, c->e->graph);
}

void tn_copy_body(tn_copying *c, const tn_graph *body) {
    copy_ops(c, body, c->e->graph, 0);
}

static bool is_dead(const tn_op *op) {
    bool dead = (op->info->traits & (TN_T_SIDE_EFFECT | TN_T_RANDOM | TN_T_UPDATE)) == 0;
    for (uint32_t r = 0; r < op->n_results && dead; r++) {
        const tn_value *v = op->results[r];
        dead = v == NULL || (v->n_uses == 0 && (v->flags & TN_VF_OUTPUT) == 0);
    }
    return dead;
}

void tn_erase_unread(tn_op *op) {
    if (is_dead(op)) {
        tn_op_erase_all(op);
    }
}

void tn_sweep_unread(tn_graph *g, uint32_t first) {
    for (tn_op *op = g->last, *before; op != NULL; op = before) {
        before = op->prev;
        if (op->id >= first) {
            tn_erase_unread(op);
        }
    }
}
