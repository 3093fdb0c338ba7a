/* Normalisations, activations and dropouts of com.microsoft. */
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

/* Results `first` and the next: one float for each group of elements that was normalised, in the
 * shape of operand 0 with the axes from `axis` on set to 1. */
static void out_statistics(tn_infer *in, uint32_t first, int64_t axis) {
    uint32_t rank, at;
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (dims == NULL || rank == 0 || !tn_in_axis(in, axis, rank, &at)) {
        return;
    }
    for (uint32_t i = at; i < rank; i++) {
        dims[i] = tn_in_const(in, 1);
    }
    tn_out(in, first, TN_DT_FLOAT, rank, dims);
    tn_out(in, first + 1, TN_DT_FLOAT, rank, dims);
}

void tn_shape_ms_skip_norm(tn_infer *in) {
    tn_out_type(in, 0, tn_in_type(in, 0));
    out_statistics(in, 1, -1);
    tn_out_type(in, 3, tn_in_type(in, 0));
}

void tn_shape_ms_simplified_norm(tn_infer *in) {
    tn_out_like(in, 0, tn_in_has(in, 1) ? tn_in_dtype(in, 1) : tn_in_dtype(in, 0), 0);
    out_statistics(in, 1, tn_attr_int(in->op, "axis", -1));
}

static void embed(tn_infer *in, tn_dtype dtype) {
    tn_dim dims[3] = {tn_in_dim(in, 0, 0), tn_in_dim(in, 0, 1), tn_in_dim(in, 2, 1)};
    tn_out(in, 0, dtype, 3, dims);
    tn_out_vector(in, 1, TN_DT_INT32, tn_in_dim(in, 0, 0));
    tn_out(in, 2, dtype, 3, dims);
}

void tn_shape_ms_embed_norm(tn_infer *in) {
    embed(in, tn_in_dtype_any(in, 2, 2));
}

void tn_shape_ms_qembed_norm(tn_infer *in) {
    embed(in, TN_DT_FLOAT);
}

void tn_shape_ms_bias_split_gelu(tn_infer *in) {
    uint32_t rank;
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (dims != NULL && rank > 0) {
        dims[rank - 1] = tn_dim_floordiv(in->dims, dims[rank - 1], tn_in_const(in, 2));
        tn_out(in, 0, tn_in_dtype(in, 0), rank, dims);
    }
}

void tn_shape_ms_dropout(tn_infer *in) {
    tn_out_type(in, 0, tn_in_type(in, 0));
    tn_out_like(in, 1, TN_DT_BOOL, 0);
}

void tn_shape_ms_bitmask_dropout(tn_infer *in) {
    tn_out_type(in, 0, tn_in_type(in, 0));
    tn_dim elements = tn_type_elements(in->dims, tn_in_type(in, 0));
    tn_out_vector(in, 1, TN_DT_UINT32, tn_dim_ceildiv(in->dims, elements, tn_in_const(in, 32)));
}

/* Streams lie grouped, (..., C, H), or with their number as an attribute in one axis, (..., C * H).
 */
void tn_shape_ms_stream_mix(tn_infer *in) {
    uint32_t rank;
    int64_t streams = tn_attr_int(in->op, "num_branches", 0);
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (dims == NULL || rank < (streams > 0 ? 1 : 2)) {
        tn_out_unranked(in, 0, tn_in_dtype(in, 0));
        return;
    }
    if (streams > 0) {
        dims[rank - 1] = tn_dim_floordiv(in->dims, dims[rank - 1], tn_in_const(in, streams));
    } else {
        dims[rank - 2] = dims[rank - 1];
        rank--;
    }
    tn_out(in, 0, tn_in_dtype(in, 0), rank, dims);
}
