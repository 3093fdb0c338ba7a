/* Group normalisation in parts, as training graphs of Deeploy have it. */
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

void tn_shape_group_norm_stats(tn_infer *in) {
    tn_dim dims[3] = {tn_in_dim(in, 0, 0), tn_in_const(in, tn_attr_int(in->op, "num_groups", 1)),
                      tn_in_const(in, 2)};
    tn_out(in, 0, tn_in_dtype(in, 0), 3, dims);
}

void tn_shape_group_norm_grad_w(tn_infer *in) {
    tn_out_vector(in, 0, tn_in_dtype(in, 0), tn_in_dim(in, 0, 1));
}
