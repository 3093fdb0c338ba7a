#include "passes/alias/handed_on.h"

#include "ir/ops/claims.h"

/* Longer chains of ops that do nothing are taken for computing. */
enum { MAX_CHAIN = 64 };

uint32_t tn_n_loop_states(const tn_op *op) {
    tn_states s = tn_op_states(op);
    bool fits = op->n_regions == 1 && op->regions[0]->n_inputs == op->n_operands &&
                op->regions[0]->n_outputs >= s.n + s.output;
    return fits ? s.n : 0;
}

tn_loop_state tn_loop_state_get(const tn_op *op, uint32_t k) {
    tn_states s = tn_op_states(op);
    const tn_graph *body = op->regions[0];
    return (tn_loop_state){tn_operand(op, s.operand + k), body->inputs[s.operand + k],
                           body->outputs[s.output + k], tn_result(op, k)};
}

static bool fits(const tn_value *a, const tn_value *b) {
    return b != NULL && a->type->dtype == b->type->dtype &&
           ((a->flags ^ b->flags) & TN_VF_CHANNELS_LAST) == 0 &&
           tn_type_same_bytes(a->graph->module->dims, a->type, b->type);
}

tn_value *tn_same_data(const tn_value *v) {
    const tn_op *op = v->kind == TN_VALUE_RESULT ? v->def : NULL;
    tn_value *of = NULL;
    if (op != NULL && v->def_index < tn_n_loop_states(op)) {
        of = tn_is_handed_on(op, v->def_index) ? tn_loop_state_get(op, v->def_index).operand : NULL;
    } else if (op != NULL && v->def_index == 0) {
        tn_view_claim claim = tn_op_view(op);
        bool whole = claim.kind == TN_VIEW_WHOLE || claim.kind == TN_VIEW_IF_EQUAL;
        of = whole && claim.holds ? tn_operand(op, claim.operand) : NULL;
        of = of != NULL && claim.kind == TN_VIEW_IF_EQUAL && !tn_type_equal(v->type, of->type)
                 ? NULL
                 : of;
    }
    return fits(v, of) ? of : NULL;
}

bool tn_is_handed_on(const tn_op *op, uint32_t k) {
    tn_loop_state x = tn_loop_state_get(op, k);
    const tn_value *v = x.output;
    if (!fits(x.argument, x.operand)) {
        return false;
    }
    for (uint32_t n = 0; v != NULL && v != x.argument && n < MAX_CHAIN; n++) {
        v = v->graph == op->regions[0] ? tn_same_data(v) : NULL;
    }
    return v == x.argument;
}

tn_value *tn_handed_from(const tn_value *v) {
    const tn_op *op = v->kind == TN_VALUE_INPUT ? v->graph->owner : v->def;
    uint32_t n = op != NULL && op->n_regions > 0 ? tn_n_loop_states(op) : 0;
    for (uint32_t k = 0; k < n; k++) {
        tn_loop_state x = tn_loop_state_get(op, k);
        if (v == x.argument || v == x.result) {
            tn_value *of = v == x.argument ? x.operand : x.argument;
            return tn_is_handed_on(op, k) ? of : NULL;
        }
    }
    return tn_same_data(v);
}
