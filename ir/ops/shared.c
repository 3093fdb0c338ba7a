/* Rules that serve many families: results with the types of operands. */
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

void tn_shape_same(tn_infer *in) {
    tn_out_type(in, 0, tn_in_type(in, 0));
}

static void like(tn_infer *in, uint32_t r, uint32_t k) {
    if (tn_in_has(in, k)) {
        tn_out_type(in, r, tn_in_type(in, k));
    }
}

void tn_shape_like_1(tn_infer *in) {
    like(in, 0, 1);
}

void tn_shape_each(tn_infer *in) {
    for (uint32_t r = 0; r < in->op->n_results; r++) {
        like(in, r, r);
    }
}

void tn_shape_each_1(tn_infer *in) {
    for (uint32_t r = 0; r < in->op->n_results; r++) {
        like(in, r, r + 1);
    }
}

void tn_shape_all_like_0(tn_infer *in) {
    for (uint32_t r = 0; r < in->op->n_results; r++) {
        like(in, r, 0);
    }
}

/* Gradients of element-wise ops: the incoming gradient and the saved value have one shape. Either
 * may be the better known; where they differ the saved value is right, since it comes from the
 * forward part. */
void tn_shape_like_0_and_1(tn_infer *in) {
    bool clash;
    tn_out_type(in, 0, tn_infer_merge(in, tn_in_type(in, 1), tn_in_type(in, 0), &clash));
    if (clash) {
        tn_infer_conflict(in, "the gradient and the value it belongs to differ in type");
    }
}

void tn_shape_scalar_bool(tn_infer *in) {
    tn_out_scalar(in, 0, TN_DT_BOOL);
}
