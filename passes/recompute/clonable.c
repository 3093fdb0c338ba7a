#include "passes/recompute/clonable.h"

#include "ir/ops/claims.h"

enum {
    NEVER = TN_T_RANDOM | TN_T_SIDE_EFFECT | TN_T_UPDATE | TN_T_CONTROL | TN_T_CALL |
            TN_T_SEQUENCE | TN_T_BARRIER | TN_T_CONSTANT | TN_T_DATA_SHAPE
};

static void mark_state(const tn_module *m, bool *state) {
    for (uint32_t i = 0; i < m->n_values; i++) {
        state[i] = (m->values[i]->flags & TN_VF_STATE) != 0;
    }
    for (uint32_t i = 0; i < m->n_bindings; i++) {
        state[m->bindings[i].value->id] = true;
    }
}

/* Whether somebody overwrites the value by definition. */
static bool is_overwritten(const tn_value *v) {
    for (const tn_use *u = v->first_use; u != NULL; u = u->next) {
        if (tn_op_overwrites(u->op, u->index, NULL)) {
            return true;
        }
    }
    return false;
}

static bool may(const tn_op *op, const bool *state) {
    if (!tn_op_in_table(op) || op->n_regions > 0 || op->n_parts > 0 ||
        (op->info->traits & NEVER) != 0 || op->info->update_groups > 0 ||
        (tn_op_carried(op) != 0 && !tn_op_updates_apart(op))) {
        return false;
    }
    for (uint32_t i = 0; i < op->n_workspace; i++) {
        if (tn_workspace(op, i)->flags & TN_VF_STATE) {
            return false;
        }
    }
    for (uint32_t i = 0; i < op->n_results; i++) {
        const tn_value *v = op->results[i];
        bool left_out = v != NULL && tn_is_carried(v); /* of a clone */
        if (v != NULL && !left_out && (state[v->id] || is_overwritten(v))) {
            return false;
        }
    }
    for (uint32_t i = 0; i < op->n_operands; i++) {
        const tn_value *v = op->operands[i].value;
        if (v != NULL && is_overwritten(v)) {
            return false;
        }
    }
    return op->n_results > 0;
}

const bool *tn_clonable_ops(const tn_module *m, tn_arena *arena) {
    bool *state = TN_ARRAY(arena, bool, m->n_values);
    bool *out = TN_ARRAY(arena, bool, m->n_ops);
    mark_state(m, state);
    TN_FOR_OPS(op, m->main) {
        out[op->id] = may(op, state);
    }
    return out;
}
