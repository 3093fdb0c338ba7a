/* Ops of which not the table says what they compute, but kernels' facts or a plug-in: rows that the
 * model has (ir/ops/op_set.h), not the plan. A plan that is emitted with a model that does not have
 * them calls kernels from outside. */
#include <string.h>

#include "backends/core/program.h"

const tn_op *tn_cp_op(const tn_cp *c, const tn_plan_step *s) {
    s = s->clone_of != TN_NO_ID ? &c->p->steps[s->clone_of] : s;
    for (uint32_t i = 0; i < s->results.len; i++) {
        uint32_t value = s->results.data[i],
                 id = value != TN_NO_ID ? c->in_module[value] : TN_NO_ID;
        const tn_op *op = id != TN_NO_ID ? c->model->values[id]->def : NULL;
        if (op != NULL && strcmp(op->type, s->op) == 0 && strcmp(op->domain, s->domain) == 0) {
            return op;
        }
    }
    return NULL;
}

const tn_op_info *tn_cp_own_row(const tn_cp *c, const tn_plan_step *s) {
    const tn_op_info *known = tn_cp_row(s);
    const tn_op *op = known == NULL || known->compute == NULL ? tn_cp_op(c, s) : NULL;
    return op != NULL && op->info->compute != NULL && tn_kernel_exists(op->info) ? op->info : NULL;
}

/* ---- channels last ---- */

static bool is_one(const tn_plan_value *v) {
    for (uint32_t i = 0; i < v->rank; i++) {
        if (v->dims[i] != 1) {
            return false;
        }
    }
    return true;
}

/* Element-wise ops may be computed along the axes in the order in which they lie, where that is the
 * same in all values that have them. */
static bool turn(const tn_cp *c, tn_ids ids, uint32_t rank, tn_compute_value *values) {
    for (uint32_t i = 0; i < ids.len; i++) {
        const tn_plan_value *v = ids.data[i] != TN_NO_ID ? &c->p->values[ids.data[i]] : NULL;
        if (v == NULL || is_one(v)) {
            continue;
        }
        if (!v->channels_last || v->rank != rank || rank < 3) {
            return false;
        }
        int64_t *dims = TN_ARRAY(c->arena, int64_t, rank);
        dims[0] = v->dims[0];
        memcpy(dims + 1, v->dims + 2, (rank - 2) * sizeof *dims);
        dims[rank - 1] = v->dims[1];
        values[i].dims = dims;
    }
    return true;
}

bool tn_cp_own_values(const tn_cp *c, const tn_plan_step *s, tn_compute *ask) {
    tn_arena *arena = c->arena;
    tn_compute_value *operands = tn_arena_regrow(arena, ask->operands, ask->n_operands,
                                                 ask->n_operands + 1u, sizeof *operands);
    tn_compute_value *results =
        tn_arena_regrow(arena, ask->results, ask->n_results, ask->n_results + 1u, sizeof *results);
    for (uint32_t i = 0; i < s->shape_only.len; i++) {
        operands[s->shape_only.data[i]].there = false; /* nobody gives the kernel its elements */
    }
    ask->operands = operands;
    ask->results = results;
    uint32_t rank = c->p->values[s->results.data[0]].rank; /* of the only one */
    return tn_cp_layout(c, s)[0] == '\0' ||
           (turn(c, s->operands, rank, operands) && turn(c, s->results, rank, results));
}

/* ---- what nobody may miss ---- */

static bool is_open(const tn_cp *c, tn_ids ids) {
    for (uint32_t i = 0; i < ids.len; i++) {
        if (ids.data[i] != TN_NO_ID && tn_cp_has_open_extents(c, ids.data[i])) {
            return true;
        }
    }
    return false;
}

void tn_cp_warn_own(const tn_cp *c, const tn_plan_step *s) {
    const char *why = s->n_workspace > 0 ? "kernels' facts give it a workspace"
                      : is_open(c, s->operands) || is_open(c, s->results) ? "extents are open"
                      : s->n_claims > 0 || s->n_parts > 0 || tn_cp_layout(c, s)[0] != '\0'
                          ? "types and extents do not go with it, or the plan asks for an order or "
                            "a layout that loops over elements do not have"
                          : "types or extents of operands and results do not go with it";
    tn_warn(c->p->ctx, &tn_cp_op(c, s)->loc, "no kernel is made of the formula of the op: %s", why);
}
