/* Products of matrices and of stacks of them. */
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

void tn_out_product(tn_infer *in, tn_dtype dtype, uint32_t ra, const tn_dim *a, uint32_t rb,
                    const tn_dim *b) {
    if (ra == 0 || rb == 0) {
        tn_infer_conflict(in, "a matrix product of a scalar");
        return;
    }
    tn_same_dim(in, a[ra - 1], b[rb > 1 ? rb - 2 : 0], "inner extents");
    uint32_t batch_a = ra > 2 ? ra - 2 : 0, batch_b = rb > 2 ? rb - 2 : 0;
    uint32_t batch = batch_a > batch_b ? batch_a : batch_b, n = batch;
    tn_dim *out = tn_dims_unknown(in, batch + 2);
    for (uint32_t i = 0; i < batch; i++) {
        out[i] = tn_in_const(in, 1);
    }
    tn_broadcast_into(in, batch, out, batch_a, a);
    tn_broadcast_into(in, batch, out, batch_b, b);
    if (ra > 1) {
        out[n++] = a[ra - 2];
    }
    if (rb > 1) {
        out[n++] = b[rb - 1];
    }
    if (!in->failed) {
        tn_out(in, 0, dtype, n, out);
    }
}

static void matmul(tn_infer *in, tn_dtype dtype, uint32_t left, uint32_t right) {
    uint32_t ra, rb;
    tn_dim *a = tn_in_dims(in, left, 0, &ra), *b = tn_in_dims(in, right, 0, &rb);
    if (a == NULL || b == NULL) {
        tn_out_unranked(in, 0, dtype);
        return;
    }
    tn_out_product(in, dtype, ra, a, rb, b);
}

void tn_shape_matmul(tn_infer *in) {
    matmul(in, tn_in_dtype_any(in, 0, 2), 0, 1);
}

void tn_shape_matmul_integer(tn_infer *in) {
    matmul(in, TN_DT_INT32, 0, 1);
}

/* a, its scale and zero point, b, its scale and zero point, the result's scale and zero point. */
void tn_shape_qlinear_matmul(tn_infer *in) {
    matmul(in, tn_in_dtype(in, 7), 0, 3);
}

/* The last two extents of operand k, swapped when attribute `attr` says so. */
static tn_dim *in_transposed(tn_infer *in, uint32_t k, const char *attr, uint32_t *rank) {
    tn_dim *dims = tn_in_dims(in, k, 0, rank);
    if (dims != NULL && *rank >= 2 && tn_attr_int(in->op, attr, 0) != 0) {
        tn_dim last = dims[*rank - 1];
        dims[*rank - 1] = dims[*rank - 2];
        dims[*rank - 2] = last;
    }
    return dims;
}

/* The third operand is spread over the product, and never the other way round. */
static void check_addend(tn_infer *in, tn_dim rows, tn_dim columns) {
    uint32_t rank;
    const tn_dim *c = tn_in_dims(in, 2, 0, &rank);
    const tn_dim of_product[2] = {columns, rows};
    if (c != NULL && rank > 2) {
        tn_infer_conflict(in, "C has rank %u, expected at most 2", rank);
    }
    for (uint32_t i = 0; c != NULL && i < rank && !in->failed; i++) {
        int64_t extent;
        if (!tn_dim_is_const(in->dims, c[rank - 1 - i], &extent) || extent != 1) {
            (void)tn_same_dim(in, of_product[i], c[rank - 1 - i], "the product and C");
        }
    }
}

/* Always a matrix, so the rank is known even when the operands' is not. Some training exporters
 * write Gemm for stacks of matrices too, and mean MatMul with transposes. */
void tn_shape_gemm(tn_infer *in) {
    uint32_t ra = 2, rb = 2;
    const tn_dim *a = in_transposed(in, 0, "transA", &ra), *b = in_transposed(in, 1, "transB", &rb);
    tn_dtype dtype = tn_in_dtype_any(in, 0, 3);
    if (ra < 2 || rb < 2) {
        tn_infer_conflict(in, "operands have ranks %u and %u, expected matrices", ra, rb);
    } else if (a != NULL && b != NULL) {
        if (ra == 2 && rb == 2) {
            check_addend(in, a[0], b[1]);
        }
        tn_out_product(in, dtype, ra, a, rb, b);
    } else if (ra == 2 && rb == 2) {
        tn_dim out[2] = {a != NULL ? a[0] : TN_DIM_UNKNOWN, b != NULL ? b[1] : TN_DIM_UNKNOWN};
        tn_out(in, 0, dtype, 2, out);
    }
}
