/* ai.onnx.preview.training: results are new versions of groups of operands. */
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

/* Operands are the values of xs, then of zs; results are the derivatives by xs. */
void tn_shape_training_gradient(tn_infer *in) {
    for (uint32_t r = 0; r < in->op->n_results; r++) {
        tn_out_type(in, r, tn_in_type(in, r));
    }
}

/* Operands after R and T: `groups` groups of n, the second of which holds gradients; results: the
 * other groups. */
static void updated(tn_infer *in, uint32_t groups) {
    if (in->op->n_operands < 2 + groups || (in->op->n_operands - 2) % groups != 0) {
        tn_infer_conflict(in, "%u operands after R and T are no multiple of %u",
                          in->op->n_operands < 2 ? 0 : in->op->n_operands - 2, groups);
        return;
    }
    uint32_t n = (in->op->n_operands - 2) / groups;
    for (uint32_t r = 0; r < in->op->n_results; r++) {
        uint32_t from = r < n ? r : r + n;
        tn_out_type(in, r, tn_in_type(in, 2 + from));
    }
}

void tn_shape_training_two_states(tn_infer *in) {
    updated(in, 3);
}

void tn_shape_training_three_states(tn_infer *in) {
    updated(in, 4);
}
