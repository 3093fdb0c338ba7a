/* Quantised element-wise ops, joins and reductions of com.microsoft. */
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

void tn_shape_ms_same_i8(tn_infer *in) {
    tn_out_like(in, 0, TN_DT_INT8, 0);
}

void tn_shape_ms_same_to(tn_infer *in) {
    tn_out_like(in, 0, tn_attr_dtype(in, "to", TN_DT_FLOAT), 0);
}

/* How many bytes the blocks take depends on the format. */
void tn_shape_ms_quantize_bfp(tn_infer *in) {
    uint32_t rank;
    tn_out_vector(in, 0, TN_DT_UINT8, TN_DIM_UNKNOWN);
    tn_out_dynamic(in, 0, "the packed size depends on the block format");
    tn_dim length = tn_in_rank(in, 0, &rank) ? tn_in_const(in, rank) : TN_DIM_UNKNOWN;
    tn_out_vector(in, 1, TN_DT_INT64, length);
    tn_out_vector(in, 2, TN_DT_INT64, length);
    if (length != TN_DIM_UNKNOWN) {
        tn_out_content(in, 1, rank, tn_in_type(in, 0)->dims);
    }
}

void tn_shape_ms_dequantize_bfp(tn_infer *in) {
    uint32_t n;
    const tn_dim *shape = tn_in_content(in, 1, &n);
    if (shape != NULL) {
        tn_out(in, 0, tn_attr_dtype(in, "dtype", TN_DT_FLOAT), n, shape);
    }
}

/* ---- broadcasting operands that do not stand side by side ---- */

static void out_broadcast(tn_infer *in, tn_dtype dtype, uint32_t n, const uint32_t *operands) {
    uint32_t rank = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t r;
        if (!tn_in_rank(in, operands[i], &r)) {
            tn_out_unranked(in, 0, dtype);
            return;
        }
        rank = r > rank ? r : rank;
    }
    tn_dim *dims = tn_dims_unknown(in, rank);
    for (uint32_t i = 0; i < rank; i++) {
        dims[i] = tn_in_const(in, 1);
    }
    for (uint32_t i = 0; i < n; i++) {
        const tn_type *t = tn_in_type(in, operands[i]);
        tn_broadcast_into(in, rank, dims, t->rank, t->dims);
    }
    if (!in->failed) {
        tn_out(in, 0, dtype, rank, dims);
    }
}

void tn_shape_ms_qlinear_binary(tn_infer *in) {
    out_broadcast(in, tn_in_dtype(in, 0), 2, (const uint32_t[]){0, 3});
}

void tn_shape_ms_mul_integer(tn_infer *in) {
    out_broadcast(in, TN_DT_INT32, 2, (const uint32_t[]){0, 2});
}

void tn_shape_ms_qlinear_where(tn_infer *in) {
    out_broadcast(in, tn_in_dtype(in, 1), 3, (const uint32_t[]){0, 1, 4});
}

/* ---- joins and reductions ---- */

/* Tensors are operands 2, 5, 8, ..., each followed by its scale and zero point. */
void tn_shape_ms_qlinear_concat(tn_infer *in) {
    uint32_t rank, axis;
    tn_dim *dims = tn_in_dims(in, 2, 0, &rank);
    if (dims == NULL || !tn_in_axis(in, tn_attr_int(in->op, "axis", 0), rank, &axis)) {
        return;
    }
    for (uint32_t k = 5; k < in->op->n_operands; k += 3) {
        uint32_t r;
        if (!tn_in_rank(in, k, &r)) {
            tn_out_rank(in, 0, tn_in_dtype(in, 2), rank);
            return;
        }
        if (r != rank) {
            tn_infer_conflict(in, "operands of rank %u and %u are joined", rank, r);
            return;
        }
        dims[axis] = tn_dim_add(in->dims, dims[axis], tn_in_dim(in, k, axis));
    }
    tn_out(in, 0, tn_in_dtype(in, 2), rank, dims);
}

static tn_dtype reduced_dtype(const tn_infer *in) {
    tn_dtype dtype = tn_in_dtype(in, 0);
    if (tn_in_has(in, 1)) {
        return dtype; /* QLinearReduceMean stays in 8 bits */
    }
    return dtype == TN_DT_UINT8 ? TN_DT_UINT32 : TN_DT_INT32;
}

void tn_shape_ms_reduce(tn_infer *in) {
    uint32_t rank, n = 0;
    tn_axes axes;
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (dims == NULL || !tn_in_axes(in, "axes", TN_NO_OPERAND, rank, &axes)) {
        return;
    }
    bool all = axes.n == 0, keep = tn_attr_int(in->op, "keepdims", 1) != 0;
    const bool *reduced = tn_axes_flags(in, &axes, rank);
    for (uint32_t i = 0; i < rank; i++) {
        if (!all && !reduced[i]) {
            dims[n++] = dims[i];
        } else if (keep) {
            dims[n++] = tn_in_const(in, 1);
        }
    }
    tn_out(in, 0, reduced_dtype(in), n, dims);
}

/* Gather; bytes that hold several elements are unpacked along the last axis. */
void tn_shape_ms_gather_block_quantized(tn_infer *in) {
    uint32_t rank, picks, axis, n = 0;
    int64_t bits = tn_attr_int(in->op, "bits", 4);
    tn_dim *data = tn_in_dims(in, 0, 0, &rank);
    tn_dim *indices = tn_in_dims(in, 1, 0, &picks);
    if (data == NULL || indices == NULL || rank == 0 || bits < 1 || bits > 8 ||
        !tn_in_axis(in, tn_attr_int(in->op, "gather_axis", 0), rank, &axis)) {
        return;
    }
    if (tn_in_dtype(in, 0) == TN_DT_UINT8) {
        data[rank - 1] = tn_dim_mul(in->dims, data[rank - 1], tn_in_const(in, 8 / bits));
    }
    tn_dim *dims = tn_dims_unknown(in, rank + picks);
    for (uint32_t i = 0; i < rank; i++) {
        if (i != axis) {
            dims[n++] = data[i];
            continue;
        }
        for (uint32_t k = 0; k < picks; k++) {
            dims[n++] = indices[k];
        }
    }
    tn_out(in, 0, tn_in_dtype(in, 2), n, dims);
}
