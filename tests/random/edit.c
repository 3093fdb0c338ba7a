#include "tests/random/edit.h"

#include <string.h>

#include "ir/mutate.h"
#include "tests/random/rng.h"

static bool is_output(const tn_graph *g, const tn_value *v) {
    bool found = false;
    for (uint32_t i = 0; i < g->n_outputs; i++) {
        found = found || g->outputs[i] == v;
    }
    return found;
}

/* An op whose result has the type of its operand: it can be missing, and there twice. */
static bool is_plain(const tn_op *op) {
    static const char *const types[] = {"Relu", "Exp", "Neg", "Tanh", "Sigmoid", "Abs", "Sqrt"};
    bool plain = false;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        plain = plain || strcmp(op->type, types[i]) == 0;
    }
    return plain && op->domain[0] == '\0' && op->n_attrs == 0 && op->n_results == 1 &&
           op->results[0] != NULL && op->results[0]->n_uses > 0 &&
           !is_output(op->graph, op->results[0]);
}

static tn_op *draw(const tn_module *m, rng *r) {
    tn_op *found = NULL;
    uint32_t n = 0;
    TN_FOR_OPS(op, m->main) {
        if (is_plain(op) && rng_below(r, ++n) == 0) {
            found = op;
        }
    }
    return found;
}

/* Everybody who read the value reads what the new op makes of it. */
static void put_behind(tn_module *m, tn_op *op, const char *type) {
    tn_value *v = op->results[0];
    tn_op *more = tn_op_new(m->main, "", type, op->version, "one_more", op->loc);
    tn_value *made = tn_op_add_result(more, "one_more", v->type);
    tn_replace_all_uses(v, made);
    tn_op_add_operand(more, v);
    if (op->next != more) {
        tn_op_move_before(more, op->next);
    }
}

bool edit_module(tn_module *m, uint64_t seed) {
    enum { ADD, TAKE_OUT, CHANGE, KINDS };
    rng r = {seed};
    tn_op *op = draw(m, &r);
    uint32_t kind = rng_below(&r, KINDS);
    if (op == NULL || m->n_bindings > 0) {
        return false;
    }
    if (kind != TAKE_OUT) {
        put_behind(m, op, strcmp(op->type, "Exp") == 0 ? "Abs" : "Exp");
    }
    if (kind != ADD) {
        tn_replace_all_uses(op->results[0], op->operands[0].value);
        tn_op_erase(op);
    }
    return true;
}
