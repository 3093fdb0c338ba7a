/* Types of random tensors. */
#include "ir/base/limits.h"
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

void tn_shape_random(tn_infer *in) {
    uint32_t n;
    const int64_t *shape = tn_attr_ints(in->op, "shape", &n);
    if (n > TN_MAX_RANK) {
        return;
    }
    tn_dim *dims = tn_dims_unknown(in, n);
    for (uint32_t i = 0; shape != NULL && i < n; i++) {
        dims[i] = tn_in_const(in, shape[i]);
    }
    tn_out(in, 0, tn_attr_dtype(in, "dtype", TN_DT_FLOAT), n, dims);
}

void tn_shape_random_like(tn_infer *in) {
    tn_out_like(in, 0, tn_attr_dtype(in, "dtype", tn_in_dtype(in, 0)), 0);
}

void tn_shape_multinomial(tn_infer *in) {
    tn_dim dims[2] = {tn_in_dim(in, 0, 0), tn_in_const(in, tn_attr_int(in->op, "sample_size", 1))};
    tn_out(in, 0, tn_attr_dtype(in, "dtype", TN_DT_INT32), 2, dims);
}
