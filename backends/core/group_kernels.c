/* Kernels of steps that do several ops of the table in one go. */
#include <string.h>

#include "backends/core/program.h"
#include "ir/base/diag.h"
#include "ir/compute/by_rows.h"
#include "ir/compute/compute_ops.h"
#include "ir/ops/op_set.h"

/* A kernel that reads and writes in the order of the nest keeps what the plan promises. */
static bool keeps_promises(const tn_plan_step *s, const tn_compute *ask) {
    bool all = true;
    for (uint32_t i = 0; i < s->n_claims; i++) {
        tn_nest_over over = tn_compute_may_lie_over(ask, s->claims[i].operand);
        all = all && (over == TN_OVER_ELEMENTS ||
                      (over == TN_OVER_ROWS && s->claims[i].promise == TN_PROMISE_ROWS));
    }
    return all;
}

/* Whether a value of the plan is that of the model, or holds its elements computed once more. */
static bool is_operand(const tn_cp *c, uint32_t value, const tn_value *of) {
    const tn_plan_value *v = &c->p->values[value];
    return c->in_module[v->clone_of != TN_NO_ID ? v->clone_of : value] == of->id;
}

bool tn_cp_group_nests(const tn_cp *c, const tn_plan_step *s, tn_compute *ask) {
    const tn_op *op = tn_cp_op(c, s);
    tn_value **values;
    bool one = op != NULL && op->n_parts == s->n_parts &&
               tn_compute_of_ops(c->model, op->parts, op->n_parts, NULL, c->arena, ask, &values) &&
               (ask->rows != NULL ? ask->rows->n_values : ask->n_operands) == s->operands.len &&
               keeps_promises(s, ask);
    for (uint32_t i = 0; one && i < s->operands.len; i++) {
        one = is_operand(c, s->operands.data[i], values[i]);
    }
    for (uint32_t i = 0; one && i < ask->nests.len; i++) {
        tn_nest_join(&ask->nests.data[i]);
    }
    return one;
}

tn_status tn_cp_demand_groups(const tn_cp *c) {
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        const tn_plan_step *s = &c->p->steps[i];
        tn_compute ask;
        if (tn_is_group(s->domain, s->n_parts) && tn_cp_calls(c, i) &&
            !tn_cp_group_nests(c, s, &ask)) {
            return tn_error(c->p->ctx, NULL,
                            "c-program: step %u (%s '%s') does several nodes in one go, and the "
                            "model is not in the form that the plan was made of: check the plan "
                            "with the model first",
                            (unsigned)i, s->op, s->name);
        }
    }
    return TN_OK;
}
