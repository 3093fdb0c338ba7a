/* Attention of com.microsoft. Names of extents: B batch, S positions of the queries, L of the new
 * keys, N heads, H elements of a head. */
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

static tn_dim heads(const tn_infer *in, const char *attr) {
    int64_t n = tn_attr_int(in->op, attr, 0);
    return n > 0 ? tn_in_const(in, n) : TN_DIM_UNKNOWN;
}

static bool has_rank(const tn_infer *in, uint32_t k, uint32_t rank) {
    uint32_t r;
    return tn_in_rank(in, k, &r) && r == rank;
}

static tn_dim div_dim(const tn_infer *in, tn_dim a, tn_dim b) {
    return b != TN_DIM_UNKNOWN ? tn_dim_floordiv(in->dims, a, b) : TN_DIM_UNKNOWN;
}

/* The part of merged projections, `columns` wide, that belongs to V. */
static tn_dim merged_v(const tn_infer *in, tn_dim columns) {
    uint32_t n;
    const int64_t *sizes = tn_attr_ints(in->op, "qkv_hidden_sizes", &n);
    return sizes != NULL && n == 3 ? tn_in_const(in, sizes[2])
                                   : div_dim(in, columns, tn_in_const(in, 3));
}

/* ---- Attention: merged projections, past and present in one tensor ---- */

static void merged_present(tn_infer *in, uint32_t past, tn_dtype dtype, tn_dim hidden) {
    if (tn_in_has(in, past) && tn_attr_int(in->op, "past_present_share_buffer", 0) != 0) {
        tn_out_type(in, 1, tn_in_type(in, past));
        return;
    }
    tn_dim n = heads(in, "num_heads");
    tn_dim length = tn_in_dim(in, 0, 1);
    if (tn_in_has(in, past)) {
        length = tn_dim_add(in->dims, length, tn_in_dim(in, past, 3));
    }
    tn_dim dims[5] = {tn_in_const(in, 2), tn_in_dim(in, 0, 0), n, length, div_dim(in, hidden, n)};
    tn_out(in, 1, dtype, 5, dims);
}

void tn_shape_ms_attention(tn_infer *in) {
    tn_dim v = merged_v(in, tn_in_dim(in, 1, 1));
    tn_dim dims[3] = {tn_in_dim(in, 0, 0), tn_in_dim(in, 0, 1), v};
    tn_out(in, 0, tn_in_dtype(in, 0), 3, dims);
    merged_present(in, 4, tn_in_dtype(in, 0), v);
}

void tn_shape_ms_qattention(tn_infer *in) {
    tn_dim v = merged_v(in, tn_in_dim(in, 1, 1));
    tn_dim dims[3] = {tn_in_dim(in, 0, 0), tn_in_dim(in, 0, 1), v};
    tn_out(in, 0, tn_in_dtype(in, 3), 3, dims);
    merged_present(in, 8, tn_in_dtype(in, 3), v);
}

void tn_shape_ms_qordered_attention(tn_infer *in) {
    tn_dim dims[3] = {tn_in_dim(in, 0, 0), tn_in_dim(in, 0, 1), tn_in_dim(in, 7, 1)};
    tn_out(in, 0, TN_DT_INT8, 3, dims);
}

void tn_shape_ms_packed_attention(tn_infer *in) {
    tn_dim dims[2] = {tn_in_dim(in, 0, 0), merged_v(in, tn_in_dim(in, 1, 1))};
    tn_out(in, 0, tn_in_dtype(in, 0), 2, dims);
}

void tn_shape_ms_packed_multi_head_attention(tn_infer *in) {
    tn_dim v = TN_DIM_UNKNOWN;
    if (has_rank(in, 0, 4)) {
        v = tn_dim_mul(in->dims, tn_in_dim(in, 0, 1), tn_in_dim(in, 0, 3));
    } else if (tn_in_has(in, 2)) {
        v = tn_in_dim(in, 2, 1);
    }
    tn_dim dims[2] = {tn_in_dim(in, 0, 0), v};
    tn_out(in, 0, tn_in_dtype(in, 0), 2, dims);
}

/* ---- MultiHeadAttention: projected operands in several layouts ---- */

typedef struct heads_form {
    tn_dim batch, queries, keys; /* B, S, L */
    tn_dim n, k_head, v_head, v; /* N, H of keys and of values, N * H of values */
} heads_form;

static heads_form packed_form(tn_infer *in, heads_form f) {
    f.keys = f.queries;
    f.k_head = f.v_head = tn_in_dim(in, 0, 4);
    return f;
}

/* Keys and values as [B, L, N * H], as [B, L, N, 2, H] together, or as [B, N, L, H] from a cache.
 */
static heads_form read_form(tn_infer *in) {
    heads_form f = {
        .batch = tn_in_dim(in, 0, 0), .queries = tn_in_dim(in, 0, 1), .n = heads(in, "num_heads")};
    if (has_rank(in, 0, 5)) {
        f = packed_form(in, f);
    } else if (has_rank(in, 1, 5)) {
        f.keys = tn_in_dim(in, 1, 1);
        f.k_head = f.v_head = tn_in_dim(in, 1, 4);
    } else if (has_rank(in, 1, 4)) {
        f.keys = tn_in_dim(in, 1, 2);
        f.k_head = tn_in_dim(in, 1, 3);
        f.v_head = has_rank(in, 2, 4) ? tn_in_dim(in, 2, 3) : f.k_head;
    } else if (has_rank(in, 1, 3)) {
        f.keys = tn_in_dim(in, 1, 1);
        f.k_head = div_dim(in, tn_in_dim(in, 1, 2), f.n);
        f.v = tn_in_has(in, 2) ? tn_in_dim(in, 2, 2) : tn_in_dim(in, 1, 2);
        f.v_head = div_dim(in, f.v, f.n);
    }
    if (f.v == TN_DIM_UNKNOWN) {
        f.v = tn_dim_mul(in->dims, f.n, f.v_head);
    }
    return f;
}

/* Result r: the cache in operand `past`, longer by L unless both are one buffer. */
static tn_dim present(tn_infer *in, const heads_form *f, uint32_t r, uint32_t past, bool shared,
                      tn_dim head) {
    if (tn_in_has(in, past) && shared) {
        tn_out_type(in, r, tn_in_type(in, past));
        return tn_in_dim(in, past, 2);
    }
    tn_dim total = f->keys;
    if (tn_in_has(in, past)) {
        total = tn_dim_add(in->dims, total, tn_in_dim(in, past, 2));
    }
    tn_dim dims[4] = {f->batch, f->n, total, head};
    tn_out(in, r, tn_in_dtype(in, 0), 4, dims);
    return total;
}

static void multi_head(tn_infer *in, uint32_t past_key, bool shared) {
    heads_form f = read_form(in);
    tn_dim out[3] = {f.batch, f.queries, f.v};
    tn_out(in, 0, tn_in_dtype(in, 0), 3, out);
    tn_dim total = present(in, &f, 1, past_key, shared, f.k_head);
    present(in, &f, 2, past_key + 1, shared, f.v_head);
    tn_dim qk[4] = {f.batch, f.n, f.queries, total};
    tn_out(in, 3, tn_in_dtype(in, 0), 4, qk);
}

void tn_shape_ms_multi_head_attention(tn_infer *in) {
    multi_head(in, 6, tn_in_has(in, 8));
}

void tn_shape_ms_decoder_attention(tn_infer *in) {
    multi_head(in, 5, tn_attr_int(in->op, "past_present_share_buffer", 0) != 0);
}

/* ---- grouped heads ---- */

typedef struct group_form {
    tn_dim n, kv, head, hidden; /* N, N of keys and values, H, N * H */
} group_form;

/* Without a key operand the first one holds queries, keys and values together. */
static group_form read_groups(tn_infer *in, tn_dim width) {
    group_form g = {.n = heads(in, "num_heads"), .kv = heads(in, "kv_num_heads")};
    if (tn_in_has(in, 1)) {
        g.hidden = width;
        g.head = div_dim(in, width, g.n);
    } else {
        tn_dim all = tn_dim_add(in->dims, g.n, tn_dim_mul(in->dims, tn_in_const(in, 2), g.kv));
        g.head = div_dim(in, width, all);
        g.hidden = tn_dim_mul(in->dims, g.n, g.head);
    }
    return g;
}

/* The cache grows to the total length (operand `k`), but a longer buffer given as past is kept. */
static tn_dim cache_length(tn_infer *in, uint32_t k) {
    uint32_t n;
    const tn_dim *total = tn_in_content(in, k, &n);
    if (!tn_in_has(in, 3)) {
        return tn_in_has(in, 1) ? tn_in_dim(in, 1, 1) : tn_in_dim(in, 0, 1);
    }
    if (tn_attr_int(in->op, "sliding_window_cache", 0) != 0) {
        return tn_in_dim(in, 3, 2);
    }
    return total != NULL && n == 1 ? tn_dim_max(in->dims, tn_in_dim(in, 3, 2), total[0])
                                   : TN_DIM_UNKNOWN;
}

/* The result and both caches, when operand `total` is the total length. */
static void out_grouped(tn_infer *in, const group_form *g, uint32_t total) {
    tn_dim out[3] = {tn_in_dim(in, 0, 0), tn_in_dim(in, 0, 1), g->hidden};
    tn_out(in, 0, tn_in_dtype(in, 0), 3, out);
    tn_dim length = cache_length(in, total);
    for (uint32_t r = 1; r <= 2; r++) {
        bool cached = tn_in_has(in, r + 2);
        tn_dim dims[4] = {tn_in_dim(in, 0, 0), g->kv, length,
                          cached ? tn_in_dim(in, r + 2, 3) : g->head};
        tn_out(in, r, cached ? tn_in_dtype(in, r + 2) : tn_in_dtype(in, 0), 4, dims);
        tn_out_depends(in, r, total);
    }
}

void tn_shape_ms_dynamic_sparse_attention(tn_infer *in) {
    group_form g = read_groups(in, tn_in_dim(in, 0, 2));
    out_grouped(in, &g, 10);
}

void tn_shape_ms_group_query_attention(tn_infer *in) {
    group_form g = read_groups(in, tn_in_dim(in, 0, 2));
    out_grouped(in, &g, 6);
    uint32_t n;
    const tn_dim *total = tn_in_content(in, 6, &n);
    tn_dim qk[4] = {tn_in_dim(in, 0, 0), g.n, tn_in_dim(in, 0, 1),
                    total != NULL && n == 1 ? total[0] : TN_DIM_UNKNOWN};
    tn_out(in, 3, tn_in_dtype(in, 0), 4, qk);
}

void tn_shape_ms_sparse_attention(tn_infer *in) {
    group_form g = read_groups(in, tn_in_dim(in, 0, 2));
    tn_dim out[3] = {tn_in_dim(in, 0, 0), tn_in_dim(in, 0, 1), g.hidden};
    tn_out(in, 0, tn_in_dtype(in, 0), 3, out);
    tn_out_type(in, 1, tn_in_type(in, 3));
    tn_out_type(in, 2, tn_in_type(in, 4));
}

void tn_shape_ms_paged_attention(tn_infer *in) {
    group_form g = read_groups(in, tn_in_dim(in, 0, 1));
    int64_t v_head = tn_attr_int(in->op, "v_head_size", 0);
    tn_dim width = v_head > 0 ? tn_dim_mul(in->dims, g.n, tn_in_const(in, v_head)) : g.hidden;
    tn_dim out[2] = {tn_in_dim(in, 0, 0), width};
    tn_out(in, 0, tn_in_dtype(in, 0), 2, out);
    tn_out_type(in, 1, tn_in_type(in, 3));
    tn_out_type(in, 2, tn_in_type(in, 4));
}

/* Queries are [S, B, hidden]; which of the caches grow is decided by operands at run time. */
void tn_shape_ms_decoder_layer_attention(tn_infer *in) {
    tn_dim n = heads(in, "num_heads");
    tn_out_type(in, 0, tn_in_type(in, 0));
    tn_dim dims[4] = {tn_in_dim(in, 0, 1), n, TN_DIM_UNKNOWN, div_dim(in, tn_in_dim(in, 0, 2), n)};
    for (uint32_t r = 1; r <= 2; r++) {
        tn_out(in, r, tn_in_dtype(in, 0), 4, dims);
        tn_out_depends(in, r, 9);
    }
}
