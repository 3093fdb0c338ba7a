/* Shapes, indexing and transforms of com.microsoft. */
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

/* The last axis is the signal; it becomes n / 2 + 1 pairs. */
void tn_shape_ms_rfft(tn_infer *in) {
    uint32_t rank;
    tn_dim *dims = tn_in_dims(in, 0, 1, &rank);
    if (dims == NULL || rank == 0) {
        return;
    }
    tn_dim half = tn_dim_floordiv(in->dims, dims[rank - 1], tn_in_const(in, 2));
    dims[rank - 1] = tn_dim_add(in->dims, half, tn_in_const(in, 1));
    dims[rank] = tn_in_const(in, 2);
    tn_out(in, 0, tn_in_dtype(in, 0), rank + 1, dims);
}

void tn_shape_ms_irfft(tn_infer *in) {
    uint32_t rank;
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (dims == NULL || rank < 2) {
        return;
    }
    tn_dim half = tn_dim_sub(in->dims, dims[rank - 2], tn_in_const(in, 1));
    dims[rank - 2] = tn_dim_mul(in->dims, half, tn_in_const(in, 2));
    tn_out(in, 0, tn_in_dtype(in, 0), rank - 1, dims);
}

void tn_shape_ms_range(tn_infer *in) {
    int64_t start, delta = 1;
    uint32_t n;
    const tn_dim *limit = tn_in_content(in, 1, &n);
    bool known = tn_in_scalar(in, 0, &start) && limit != NULL && n == 1 &&
                 (!tn_in_has(in, 2) || tn_in_scalar(in, 2, &delta)) && delta > 0;
    tn_dim length = TN_DIM_UNKNOWN;
    if (known) {
        tn_dim span = tn_dim_sub(in->dims, limit[0], tn_in_const(in, start));
        length = tn_dim_max(in->dims, tn_in_const(in, 0),
                            tn_dim_ceildiv(in->dims, span, tn_in_const(in, delta)));
    }
    tn_out_vector(in, 0, tn_in_dtype_any(in, 0, 2), length);
    tn_out_depends(in, 0, 1);
}

void tn_shape_ms_pad(tn_infer *in) {
    uint32_t rank, n;
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    const tn_dim *pads = tn_in_content(in, 1, &n);
    if (dims == NULL) {
        return;
    }
    for (uint32_t i = 0; i < rank; i++) {
        dims[i] = pads != NULL && n == 2 * rank
                      ? tn_dim_add(in->dims, dims[i], tn_dim_add(in->dims, pads[i], pads[rank + i]))
                      : TN_DIM_UNKNOWN;
    }
    tn_out(in, 0, tn_in_dtype(in, 0), rank, dims);
    tn_out_depends(in, 0, 1);
}

void tn_shape_ms_expand_dims(tn_infer *in) {
    uint32_t rank, at;
    int64_t axis;
    tn_dim *dims = tn_in_dims(in, 0, 1, &rank);
    if (dims == NULL) {
        return;
    }
    if (!tn_in_scalar(in, 1, &axis)) {
        tn_out_rank(in, 0, tn_in_dtype(in, 0), rank + 1);
        tn_out_depends(in, 0, 1);
        return;
    }
    if (!tn_in_axis(in, axis, rank + 1, &at)) {
        return;
    }
    for (uint32_t i = rank; i > at; i--) {
        dims[i] = dims[i - 1];
    }
    dims[at] = tn_in_const(in, 1);
    tn_out(in, 0, tn_in_dtype(in, 0), rank + 1, dims);
}

void tn_shape_ms_torch_embedding(tn_infer *in) {
    uint32_t rank;
    tn_dim *dims = tn_in_dims(in, 1, 1, &rank);
    if (dims != NULL) {
        dims[rank] = tn_in_dim(in, 0, 1);
        tn_out(in, 0, tn_in_dtype(in, 0), rank + 1, dims);
    }
}

/* Sequence is [..., characters]; each word becomes one vector, as wide as W has filters. */
void tn_shape_ms_word_conv_embedding(tn_infer *in) {
    uint32_t rank;
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    int64_t size = tn_attr_int(in->op, "embedding_size", 0);
    if (dims != NULL && rank > 0) {
        dims[rank - 1] = size > 0 ? tn_in_const(in, size) : tn_in_dim(in, 1, 0);
        tn_out(in, 0, tn_in_dtype(in, 1), rank, dims);
    }
}

void tn_shape_ms_crop_and_resize(tn_infer *in) {
    uint32_t n;
    const tn_dim *size = tn_in_content(in, 3, &n);
    bool known = size != NULL && n == 2;
    tn_dim dims[4] = {tn_in_dim(in, 1, 0), tn_in_dim(in, 0, 1), known ? size[0] : TN_DIM_UNKNOWN,
                      known ? size[1] : TN_DIM_UNKNOWN};
    tn_out(in, 0, tn_in_dtype(in, 0), 4, dims);
    tn_out_depends(in, 0, 3);
}

void tn_shape_ms_unfold(tn_infer *in) {
    uint32_t rank, axis;
    int64_t size = tn_attr_int(in->op, "size", 0), by = tn_attr_int(in->op, "step", 1);
    tn_dim *dims = tn_in_dims(in, 0, 1, &rank);
    if (dims == NULL || by < 1 || !tn_in_axis(in, tn_attr_int(in->op, "dim", -1), rank, &axis)) {
        return;
    }
    tn_dim span = tn_dim_sub(in->dims, dims[axis], tn_in_const(in, size));
    dims[axis] = tn_dim_add(in->dims, tn_dim_floordiv(in->dims, span, tn_in_const(in, by)),
                            tn_in_const(in, 1));
    dims[rank] = tn_in_const(in, size);
    tn_out(in, 0, tn_in_dtype(in, 0), rank + 1, dims);
}

void tn_shape_ms_cdist(tn_infer *in) {
    tn_dim dims[2] = {tn_in_dim(in, 0, 0), tn_in_dim(in, 1, 0)};
    tn_out(in, 0, tn_in_dtype(in, 0), 2, dims);
}

void tn_shape_ms_unique(tn_infer *in) {
    tn_out_vector(in, 0, tn_in_dtype(in, 0), TN_DIM_UNKNOWN);
    tn_out_vector(in, 1, TN_DT_INT64, tn_in_dim(in, 0, 0));
    tn_out_vector(in, 2, TN_DT_INT64, TN_DIM_UNKNOWN);
    tn_out_depends(in, 0, 0);
    tn_out_depends(in, 2, 0);
}

void tn_shape_ms_tokenizer(tn_infer *in) {
    uint32_t rank;
    tn_dim *dims = tn_in_dims(in, 0, 1, &rank);
    if (dims != NULL) {
        dims[rank] = TN_DIM_UNKNOWN;
        tn_out(in, 0, TN_DT_STRING, rank + 1, dims);
    }
}

void tn_shape_ms_murmur_hash(tn_infer *in) {
    bool positive = tn_attr_int(in->op, "positive", 1) != 0;
    tn_out_like(in, 0, positive ? TN_DT_UINT32 : TN_DT_INT32, 0);
}
