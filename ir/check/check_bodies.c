/* What ops with nested graphs pass into their bodies and out of them. */
#include "ir/check/check_t.h"

/* A state of the loop `op` is four values in this order: the loop's operand, the argument of its
 * body, the output of the body, the loop's result. Whether x and u belong to one state, and u comes
 * after x in that order. */
static bool is_state_pair(const tn_checking *c, const tn_op *op, const tn_value *u,
                          const tn_value *x) {
    const tn_graph *body = op->n_regions == 1 ? op->regions[0] : NULL;
    tn_states s = tn_op_states(op);
    uint32_t in = s.operand, out = s.output;
    const tn_value *argument = u->kind == TN_VALUE_INPUT ? u : x;
    uint32_t k = s.n;
    if (u->def == op) {
        k = u->def_index;
    } else if (argument->kind == TN_VALUE_INPUT && argument->graph == body) {
        k = c->position[argument->id] - in; /* what comes before the states wraps round */
    }
    if (body == NULL || k >= s.n || in + k >= body->n_inputs || out + k >= body->n_outputs) {
        return false;
    }
    const tn_value *output = body->outputs[out + k];
    bool own = output->graph == body && output->kind == TN_VALUE_RESULT;
    argument = body->inputs[in + k];
    return (u == argument && x == tn_operand(op, in + k)) ||
           (u == output && own && x == argument) ||
           (u == tn_result(op, k) && (x == argument || (x == output && own)));
}

bool tn_check_chooses(const tn_op *op) {
    return (op->info->traits & TN_T_CONTROL) != 0 && op->n_regions > 0 && !tn_is_loop(op);
}

/* Whether u is the result that output x of a body becomes, and the body runs once: it is that of a
 * called function, or a branch. */
static bool is_way_out(const tn_value *u, const tn_value *x) {
    const tn_graph *body = x->graph;
    return body->owner != NULL && body->owner == u->def &&
           (tn_op_is_call(u->def) || tn_check_chooses(u->def)) && u->def_index < body->n_outputs &&
           body->outputs[u->def_index] == x;
}

bool tn_check_is_carried(const tn_checking *c, const tn_value *u, const tn_value *x) {
    const tn_op *around = u->graph->owner;
    if (tn_is_const(x)) {
        return false;
    }
    if (u->kind == TN_VALUE_RESULT && u->def->n_regions > 0 &&
        (is_way_out(u, x) || is_state_pair(c, u->def, u, x))) {
        return true;
    }
    return around != NULL && is_state_pair(c, around, u, x);
}

bool tn_check_stays(const tn_value *u, const tn_value *x) {
    const tn_graph *body = x->graph;
    if (x->kind != TN_VALUE_INPUT || body->owner == NULL || u->def != body->owner) {
        return true;
    }
    uint32_t at = tn_op_states(u->def).output + u->def_index;
    return at < body->n_outputs && body->outputs[at] == x;
}
