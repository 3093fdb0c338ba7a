/* Recurrences of com.microsoft: linear attention, convolutions that carry a state, LSTMs. */
#include <string.h>

#include "ir/infer/carried.h"
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

static tn_dim positive(const tn_infer *in, const char *attr) {
    int64_t n = tn_attr_int(in->op, attr, 0);
    return n > 0 ? tn_in_const(in, n) : TN_DIM_UNKNOWN;
}

static tn_dim quotient(const tn_infer *in, tn_dim a, tn_dim b) {
    return b != TN_DIM_UNKNOWN ? tn_dim_floordiv(in->dims, a, b) : TN_DIM_UNKNOWN;
}

/* A state, or with attribute state_window a stack of the last ones. */
static void out_state(tn_infer *in, uint32_t r, tn_dtype dtype, uint32_t rank, const tn_dim *dims) {
    const tn_type *t = tn_type_tensor(in->arena, dtype, rank, dims);
    int64_t window = tn_attr_int(in->op, "state_window", 0);
    tn_out_type(in, r, window > 0 ? tn_type_stack(in, t, 0, tn_in_const(in, window)) : t);
}

void tn_shape_ms_linear_attention(tn_infer *in) {
    tn_dim q = positive(in, "q_num_heads"), kv = positive(in, "kv_num_heads");
    tn_dim dk = quotient(in, tn_in_dim(in, 1, 2), kv), dv = quotient(in, tn_in_dim(in, 2, 2), kv);
    tn_dim out[3] = {tn_in_dim(in, 0, 0), tn_in_dim(in, 0, 1),
                     tn_dim_mul(in->dims, tn_dim_max(in->dims, q, kv), dv)};
    tn_out(in, 0, tn_in_dtype(in, 0), 3, out);
    if (tn_in_has(in, 3)) {
        tn_out_type(in, 1, tn_in_type(in, 3));
        return;
    }
    tn_dim state[4] = {tn_in_dim(in, 0, 0), kv, dk, dv};
    out_state(in, 1, tn_in_dtype(in, 0), 4, state);
}

/* Heads and their width are the last two dimensions; one or two stand before them. */
void tn_shape_ms_gated_delta_net(tn_infer *in) {
    uint32_t rank;
    tn_dim *out = tn_in_dims(in, 2, 0, &rank);
    if (out == NULL || rank < 3) {
        return;
    }
    tn_dim q = tn_in_dim(in, 0, rank - 2), v = out[rank - 2];
    tn_dim k = tn_in_dim(in, 1, rank - 2), dk = tn_in_dim(in, 1, rank - 1), dv = out[rank - 1];
    out[rank - 2] = tn_dim_max(in->dims, q, v);
    tn_out(in, 0, tn_in_dtype(in, 0), rank, out);
    tn_dim batch = tn_in_has(in, 6) ? tn_in_dim(in, 6, 0) : TN_DIM_UNKNOWN;
    if (batch == TN_DIM_UNKNOWN && tn_in_has(in, 3)) {
        batch = tn_dim_sub(in->dims, tn_in_dim(in, 3, 0), tn_in_const(in, 1));
    }
    tn_dim state[4] = {batch, v, dv, dk};
    tn_out(in, 1, TN_DT_FLOAT, 4, state);
    tn_dim factors = tn_dim_add(in->dims, v, tn_dim_mul(in->dims, k, dk));
    factors = tn_dim_add(in->dims, factors, tn_dim_mul(in->dims, v, dv));
    tn_dim capacity = tn_in_const(in, tn_attr_int(in->op, "state_update_capacity", 0));
    tn_dim update[2] = {batch, tn_dim_mul(in->dims, capacity, factors)};
    tn_out(in, 2, TN_DT_FLOAT, 2, update);
}

void tn_shape_ms_causal_conv(tn_infer *in) {
    tn_out_type(in, 0, tn_in_type(in, 0));
    uint32_t rank, taps;
    if (tn_in_has(in, 3)) {
        tn_out_type(in, 1, tn_in_type(in, 3));
        return;
    }
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (dims == NULL || rank < 3 || !tn_in_rank(in, 1, &taps) || taps == 0) {
        return;
    }
    tn_dim reach = tn_dim_sub(in->dims, tn_in_dim(in, 1, taps - 1), tn_in_const(in, 1));
    tn_dim dilation = tn_in_const(in, tn_attr_int(in->op, "dilation", 1));
    bool last = tn_attr_int(in->op, "channels_last", 0) != 0;
    dims[last ? 1 : rank - 1] = tn_dim_mul(in->dims, reach, dilation);
    out_state(in, 1, tn_in_dtype(in, 0), rank, dims);
}

/* X is [length, batch, features], R [directions, hidden, 4 * hidden]. */
void tn_shape_ms_lstm(tn_infer *in) {
    const char *direction = tn_attr_string(in->op, "direction", "forward");
    tn_dim directions = tn_in_const(in, strcmp(direction, "bidirectional") == 0 ? 2 : 1);
    tn_dim hidden = positive(in, "hidden_size");
    tn_dim length = tn_in_dim(in, 0, 0), batch = tn_in_dim(in, 0, 1);
    tn_dim all[4] = {length, directions, batch, hidden};
    tn_dim last[3] = {directions, batch, hidden};
    tn_out(in, 0, tn_in_dtype(in, 0), 4, all);
    tn_out(in, 1, tn_in_dtype(in, 0), 3, last);
    tn_out(in, 2, tn_in_dtype(in, 0), 3, last);
}
