/* What ops with nested graphs pass into their bodies and out of them. */
#include <string.h>

#include "ir/check/check_t.h"

/* How many leading results of a repeating op are states carried from one iteration to the next;
 * the others are filled while it runs. Loop: operands less trip count and condition. Scan: operands
 * less scanned inputs, and in version 8 none, since there each batch entry is a run of its own. An
 * op not known here may fill all of them. */
uint32_t tn_check_states(const tn_op *op) {
    if (op->domain[0] != '\0') {
        return 0;
    }
    if (strcmp(op->type, "Loop") == 0) {
        return op->n_operands > 2 ? op->n_operands - 2 : 0;
    }
    if (strcmp(op->type, "Scan") == 0 && op->version != 8) {
        int64_t scanned = tn_attr_int(op, "num_scan_inputs", op->n_operands);
        return scanned >= 0 && scanned < op->n_operands ? op->n_operands - (uint32_t)scanned : 0;
    }
    return 0;
}

/* Position of the first state among operands, which is that among the body's arguments, and among
 * the body's outputs: a Loop has trip count and condition, and a condition, before them. */
static uint32_t first_operand(const tn_op *op) {
    return strcmp(op->type, "Loop") == 0 ? 2 : 0;
}

static uint32_t first_output(const tn_op *op) {
    return strcmp(op->type, "Loop") == 0 ? 1 : 0;
}

/* Whether u comes after x among the forms of a state of the loop `op`: its operand, the argument
 * and the output of the body, the result. */
static bool is_state_pair(const tn_checking *c, const tn_op *op, const tn_value *u,
                          const tn_value *x) {
    const tn_graph *body = op->n_regions == 1 ? op->regions[0] : NULL;
    uint32_t in = first_operand(op), out = first_output(op), n = tn_check_states(op);
    const tn_value *argument = u->kind == TN_VALUE_INPUT ? u : x;
    uint32_t k = n;
    if (u->def == op) {
        k = u->def_index;
    } else if (argument->kind == TN_VALUE_INPUT && argument->graph == body) {
        k = c->position[argument->id] - in; /* what comes before the states wraps round */
    }
    if (body == NULL || k >= n || in + k >= body->n_inputs || out + k >= body->n_outputs) {
        return false;
    }
    const tn_value *output = body->outputs[out + k];
    bool own = output->graph == body && output->kind == TN_VALUE_RESULT;
    argument = body->inputs[in + k];
    return (u == argument && x == tn_operand(op, in + k)) ||
           (u == output && own && x == argument) ||
           (u == tn_result(op, k) && (x == argument || (x == output && own)));
}

/* Bodies with arguments may run again, but for a called function's. */
static bool is_way_out(const tn_value *u, const tn_value *x) {
    const tn_graph *body = x->graph;
    return body->owner != NULL && body->owner == u->def &&
           (tn_op_is_call(u->def) || body->n_inputs == 0) && u->def_index < body->n_outputs &&
           body->outputs[u->def_index] == x;
}

bool tn_check_is_carried(const tn_checking *c, const tn_value *u, const tn_value *x) {
    const tn_op *around = u->graph->owner;
    if (tn_check_is_const(x)) {
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
    uint32_t at = first_output(u->def) + u->def_index;
    return at < body->n_outputs && body->outputs[at] == x;
}
