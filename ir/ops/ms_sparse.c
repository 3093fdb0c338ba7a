/* com.microsoft: indexers of sparse attention, and recurrences over packed tokens. Packed requests
 * lie one behind the other, with n + 1 offsets for n of them. */
#include <string.h>

#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

/* How many positions are selected for a query: set by the attributes alone. */
static tn_dim capacity(const tn_infer *in) {
    int64_t blocks = tn_attr_int(in->op, "index_topk", 0);
    if (strcmp(tn_attr_string(in->op, "policy_mode", ""), "qsa") == 0) {
        int64_t ratio = tn_attr_int(in->op, "compress_ratio", 0);
        int64_t budget = tn_attr_int(in->op, "token_budget", 0);
        blocks = ratio > 0 && budget > 0 && budget <= INT32_MAX && ratio <= INT32_MAX
                     ? budget + ratio - 1
                     : 0;
    }
    return blocks > 0 ? tn_in_const(in, blocks) : TN_DIM_UNKNOWN;
}

static tn_dim attr_dim(const tn_infer *in, const char *name) {
    int64_t n = tn_attr_int(in->op, name, 0);
    return n >= 0 ? tn_in_const(in, n) : TN_DIM_UNKNOWN;
}

/* Compressed keys are emitted when a block is full; how full the current one is, is data in the
 * buffers. */
void tn_shape_ms_sparse_indexer(tn_infer *in) {
    tn_dim batch = tn_in_dim(in, 0, 0), length = tn_in_dim(in, 0, 1);
    tn_dim selected[3] = {batch, length, capacity(in)};
    tn_out(in, 0, TN_DT_INT32, 3, selected);
    if (tn_in_has(in, 12)) {
        tn_out_type(in, 1, tn_in_type(in, 7));
    } else {
        bool raw = strcmp(tn_attr_string(in->op, "policy_mode", ""), "qsa") == 0;
        tn_dim key[3] = {batch,
                         raw ? tn_dim_add(in->dims, tn_in_dim(in, 7, 1), length) : TN_DIM_UNKNOWN,
                         tn_in_dim(in, 7, 2)};
        tn_out(in, 1, tn_in_dtype_any(in, 7, 1), 3, key);
        if (!raw) {
            tn_out_dynamic(in, 1, "depends on how many tokens wait for a block to be full");
        }
    }
    tn_dim buffer[4] = {tn_in_const(in, 2), batch, TN_DIM_UNKNOWN, tn_in_dim(in, 13, 3)};
    tn_out(in, 2, tn_in_dtype(in, 0), 4, buffer);
    tn_out_dynamic(in, 2, "depends on how many tokens wait for a block to be full");
}

void tn_shape_ms_packed_sparse_indexer(tn_infer *in) {
    tn_dim selected[2] = {tn_in_dim(in, 0, 0), capacity(in)};
    tn_out(in, 0, TN_DT_INT32, 2, selected);
    tn_out(in, 1, TN_DT_INT32, 1, selected);
    for (uint32_t r = 2; r <= 5; r++) {
        tn_out_type(in, r, tn_in_type(in, r + 10));
    }
    tn_dim update[3] = {tn_in_dim(in, 12, 0), attr_dim(in, "state_update_capacity"),
                        tn_in_dim(in, 12, 2)};
    tn_out(in, 6, tn_in_dtype(in, 0), 3, update);
}

void tn_shape_ms_varlen_causal_conv(tn_infer *in) {
    tn_out_type(in, 0, tn_in_type(in, 0));
    tn_out_type(in, 1, tn_in_type(in, 4));
    tn_dim update[3] = {tn_in_dim(in, 4, 0), attr_dim(in, "state_update_capacity"),
                        tn_in_dim(in, 0, 1)};
    tn_out(in, 2, tn_in_dtype(in, 0), 3, update);
}

void tn_shape_ms_varlen_ngram_hash(tn_infer *in) {
    tn_dim requests = tn_dim_sub(in->dims, tn_in_dim(in, 3, 0), tn_in_const(in, 1));
    tn_dim before = tn_dim_sub(in->dims, attr_dim(in, "max_ngram_size"), tn_in_const(in, 1));
    tn_dim hashes[2] = {tn_in_dim(in, 0, 0),
                        tn_dim_mul(in->dims, before, attr_dim(in, "n_head_per_ngram"))};
    tn_dim present[2] = {requests, before};
    tn_dim update[3] = {requests, attr_dim(in, "state_update_capacity"), before};
    tn_out(in, 0, tn_in_dtype(in, 0), 2, hashes);
    tn_out(in, 1, tn_in_dtype(in, 0), 2, present);
    tn_out(in, 2, TN_DT_INT32, 2, present);
    tn_out(in, 3, tn_in_dtype(in, 0), 3, update);
}
