/* Calls of model-local functions, and If. */
#include "ir/infer/by_data.h"
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

/* Who reads the argument reads the operand (ir/infer/used.c). */
static void pass_content(tn_infer *in, uint32_t k, tn_value *arg) {
    const tn_value *v = tn_operand(in->op, k);
    uint32_t n;
    const tn_dim *dims = tn_in_known(in, k, &n);
    if (dims != NULL) {
        const tn_dim *kept =
            v->content == dims ? dims : tn_arena_regrow(in->arena, dims, n, n, sizeof *dims);
        tn_infer_bind_content(in, arg, n, kept, NULL);
        return;
    }
    const double *floats = tn_in_known_floats(in, k, &n);
    if (floats != NULL) {
        tn_infer_bind_content(in, arg, n, NULL, floats);
    }
}

static void answer_content(tn_infer *in, uint32_t r, const tn_value *out) {
    if (out->content != NULL) {
        tn_out_content(in, r, out->n_content, out->content);
    } else if (out->float_content != NULL) {
        tn_out_floats(in, r, out->n_content, out->float_content);
    }
}

static void answer(tn_infer *in, uint32_t r, const tn_value *out) {
    tn_out_type(in, r, out->type);
    answer_content(in, r, out);
    if (out->unplanned != NULL) {
        tn_out_as_inside(in, r, out->unplanned);
    }
}

void tn_shape_call(tn_infer *in) {
    tn_graph *body = in->op->regions[0];
    if (in->phase == 0) {
        for (uint32_t i = 0; i < body->n_inputs; i++) {
            tn_infer_bind(in, body->inputs[i], tn_in_type(in, i), true);
            if (tn_in_has(in, i)) {
                pass_content(in, i, body->inputs[i]);
            }
        }
        in->region = body;
        return;
    }
    for (uint32_t i = 0; i < body->n_outputs && i < in->op->n_results; i++) {
        answer(in, i, body->outputs[i]);
    }
}

/* ---- If ---- */

/* The branch a constant condition picks, NULL when the condition is not known. */
static const tn_graph *picked_branch(tn_infer *in) {
    uint32_t n;
    const int64_t *cond = tn_in_ints(in, 0, &n);
    if (cond == NULL || n != 1) {
        return NULL;
    }
    const tn_attr *branch = tn_op_attr(in->op, cond[0] != 0 ? "then_branch" : "else_branch");
    return branch != NULL && branch->kind == TN_ATTR_GRAPH ? branch->u.g : NULL;
}

static bool is_complete(tn_infer *in, const tn_type *t) {
    return tn_type_bytes(in->dims, t) != TN_DIM_UNKNOWN;
}

/* Where the branches give one rank and extents that differ, the larger one is the most there can
 * be; `both` is what they have in common. */
static const tn_type *limit_extents(tn_infer *in, uint32_t r, const tn_type *both) {
    const tn_op *op = in->op;
    if (both->kind != TN_TYPE_TENSOR || !both->has_rank) {
        return both;
    }
    tn_dim *dims = tn_dims_unknown(in, both->rank);
    for (uint32_t k = 0; k < both->rank; k++) {
        tn_dim most = tn_in_const(in, 0);
        for (uint32_t b = 0; b < op->n_regions; b++) {
            tn_dim extent = op->regions[b]->outputs[r]->type->dims[k];
            most = tn_dim_max(in->dims, most, tn_dim_most(in->dims, extent));
        }
        dims[k] =
            both->dims[k] != TN_DIM_UNKNOWN ? both->dims[k] : tn_extent_by_data(in, r, k, most);
    }
    return tn_type_tensor(in->arena, both->dtype, both->rank, dims);
}

static void join_branches(tn_infer *in, uint32_t r) {
    const tn_op *op = in->op;
    const tn_type *both = op->regions[0]->outputs[r]->type;
    const char *why = NULL;
    for (uint32_t b = 0; b < op->n_regions; b++) {
        const tn_value *out = op->regions[b]->outputs[r];
        both = tn_infer_join(in, both, out->type);
        why = why == NULL ? out->unplanned : why;
    }
    if (op->results[r] != NULL && !is_complete(in, both)) {
        both = limit_extents(in, r, both);
        if (why != NULL) {
            tn_out_as_inside(in, r, why);
        } else {
            tn_out_depends(in, r, 0);
        }
    }
    tn_out_type(in, r, both);
}

/* A branch that a known condition leaves out is planned all the same, but does not influence the
 * types of the results. */
void tn_shape_if(tn_infer *in) {
    const tn_op *op = in->op;
    const tn_graph *picked = picked_branch(in);
    if (in->phase < op->n_regions) {
        in->region = op->regions[in->phase];
        in->idle = picked != NULL && in->region != picked;
        return;
    }
    for (uint32_t b = 0; b < op->n_regions; b++) {
        if (op->regions[b]->n_outputs != op->n_results) {
            tn_infer_conflict(in, "branch '%s' has %u outputs for %u results", op->regions[b]->name,
                              op->regions[b]->n_outputs, op->n_results);
            return;
        }
    }
    for (uint32_t r = 0; r < op->n_results && op->n_regions > 0; r++) {
        if (picked != NULL) {
            answer(in, r, picked->outputs[r]);
        } else {
            join_branches(in, r);
        }
    }
}
