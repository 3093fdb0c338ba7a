/* Joins and parts as training graphs have them: extents are operands. */
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

void tn_shape_split_training(tn_infer *in) {
    uint32_t rank, axis, n;
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    const tn_dim *split = tn_in_content(in, 1, &n);
    if (dims == NULL || !tn_in_axis(in, tn_attr_int(in->op, "axis", 0), rank, &axis)) {
        return;
    }
    if (split != NULL && n != in->op->n_results) {
        tn_infer_conflict(in, "%u extents for %u parts", n, in->op->n_results);
        return;
    }
    for (uint32_t r = 0; r < in->op->n_results; r++) {
        dims[axis] = split != NULL ? split[r] : TN_DIM_UNKNOWN;
        tn_out(in, r, tn_in_dtype(in, 0), rank, dims);
        tn_out_depends(in, r, 1);
    }
}

/* Result 1 holds the extents of the operands along the axis. */
void tn_shape_concat_training(tn_infer *in) {
    uint32_t rank, axis, n = in->op->n_operands;
    tn_out_vector(in, 1, TN_DT_INT64, tn_in_const(in, n));
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (dims == NULL || !tn_in_axis(in, tn_attr_int(in->op, "axis", 0), rank, &axis)) {
        return;
    }
    tn_dim *lengths = tn_dims_unknown(in, n);
    tn_dim total = tn_in_const(in, 0);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t r;
        if (tn_in_rank(in, k, &r) && r != rank) {
            tn_infer_conflict(in, "operands of rank %u and %u are joined", rank, r);
            return;
        }
        lengths[k] = tn_in_dim(in, k, axis);
        total = tn_dim_add(in->dims, total, lengths[k]);
    }
    dims[axis] = total;
    tn_out(in, 0, tn_in_dtype_any(in, 0, n), rank, dims);
    tn_out_content(in, 1, n, lengths);
}

void tn_shape_view_training(tn_infer *in) {
    for (uint32_t r = 0; r < in->op->n_results; r++) {
        uint32_t n;
        const tn_dim *shape = tn_in_content(in, r + 1, &n);
        if (shape != NULL) {
            tn_out(in, r, tn_in_dtype(in, 0), n, shape);
        } else {
            tn_out_unranked(in, r, tn_in_dtype(in, 0));
            tn_out_depends(in, r, r + 1);
        }
    }
}

void tn_shape_all_gather(tn_infer *in) {
    uint32_t rank, axis;
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (dims == NULL || !tn_in_axis(in, tn_attr_int(in->op, "axis", 0), rank, &axis)) {
        return;
    }
    tn_dim group = tn_in_const(in, tn_attr_int(in->op, "group_size", 1));
    dims[axis] = tn_dim_mul(in->dims, dims[axis], group);
    tn_out(in, 0, tn_in_dtype(in, 0), rank, dims);
}

/* The first dimension of the input becomes the two that operand 2 names. */
void tn_shape_pad_and_unflatten(tn_infer *in) {
    uint32_t rank, n;
    tn_dim *dims = tn_in_dims(in, 0, 1, &rank);
    const tn_dim *two = tn_in_content(in, 2, &n);
    if (dims == NULL || rank == 0) {
        return;
    }
    for (uint32_t i = rank; i > 1; i--) {
        dims[i] = dims[i - 1];
    }
    bool known = two != NULL && n == 2;
    dims[0] = known ? two[0] : TN_DIM_UNKNOWN;
    dims[1] = known ? two[1] : TN_DIM_UNKNOWN;
    tn_out(in, 0, tn_in_dtype(in, 0), rank + 1, dims);
    tn_out_depends(in, 0, 2);
}

void tn_shape_flatten_and_unpad(tn_infer *in) {
    uint32_t rank;
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    tn_out_vector(in, 1, TN_DT_INT64, tn_in_const(in, 2));
    if (dims == NULL || rank < 2) {
        return;
    }
    tn_out_content(in, 1, 2, dims);
    dims[1] = tn_in_dim(in, 1, 0);
    tn_out(in, 0, tn_in_dtype(in, 0), rank - 1, dims + 1);
}
