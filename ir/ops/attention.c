/* Attention and what belongs to it. Operands are (batch, heads, sequence, size), or packed as
 * (batch, sequence, heads * size) with the numbers of heads as attributes. */
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

typedef struct heads {
    tn_dim count, sequence, size;
} heads;

static heads heads_of(tn_infer *in, uint32_t k, uint32_t rank, const char *attr) {
    if (rank == 4) {
        return (heads){tn_in_dim(in, k, 1), tn_in_dim(in, k, 2), tn_in_dim(in, k, 3)};
    }
    tn_dim count = tn_in_const(in, tn_attr_int(in->op, attr, 0));
    return (heads){count, tn_in_dim(in, k, 1),
                   tn_dim_floordiv(in->dims, tn_in_dim(in, k, 2), count)};
}

void tn_shape_attention(tn_infer *in) {
    uint32_t rank;
    tn_dtype dtype = tn_in_dtype(in, 0);
    if (!tn_in_rank(in, 0, &rank) || (rank != 3 && rank != 4)) {
        tn_out_unranked(in, 0, dtype);
        return;
    }
    heads q = heads_of(in, 0, rank, "q_num_heads"), k = heads_of(in, 1, rank, "kv_num_heads");
    heads v = heads_of(in, 2, rank, "kv_num_heads");
    tn_dim batch = tn_in_dim(in, 0, 0), total = k.sequence;
    if (tn_in_has(in, 4)) {
        total = tn_dim_add(in->dims, total, tn_in_dim(in, 4, 2));
    }
    tn_dim packed[3] = {batch, q.sequence, tn_dim_mul(in->dims, q.count, v.size)};
    tn_dim unpacked[4] = {batch, q.count, q.sequence, v.size};
    tn_dim keys[4] = {batch, k.count, total, k.size}, values[4] = {batch, k.count, total, v.size};
    tn_dim products[4] = {batch, q.count, q.sequence, total};
    tn_out(in, 0, dtype, rank, rank == 3 ? packed : unpacked);
    tn_out(in, 1, tn_in_dtype_any(in, 1, 1), 4, keys);
    tn_out(in, 2, tn_in_dtype_any(in, 2, 1), 4, values);
    tn_out(in, 3, dtype, 4, products);
}

/* Always packed; the state is (batch, key heads, key size, value size). */
void tn_shape_linear_attention(tn_infer *in) {
    heads q = heads_of(in, 0, 3, "q_num_heads"), k = heads_of(in, 1, 3, "kv_num_heads");
    heads v = heads_of(in, 2, 3, "kv_num_heads");
    tn_dim batch = tn_in_dim(in, 0, 0);
    tn_dim out[3] = {batch, q.sequence, tn_dim_mul(in->dims, q.count, v.size)};
    tn_dim state[4] = {batch, k.count, k.size, v.size};
    tn_out(in, 0, tn_in_dtype(in, 0), 3, out);
    tn_out(in, 1, tn_in_has(in, 3) ? tn_in_dtype(in, 3) : tn_in_dtype(in, 0), 4, state);
}

/* The modifiers map scores of all pairs of positions, in single precision unless said otherwise. */
static void bind_scores(tn_infer *in, const tn_graph *modifier) {
    tn_dtype wide = tn_in_dtype(in, 0) == TN_DT_DOUBLE ? TN_DT_DOUBLE : TN_DT_FLOAT;
    tn_dim scores[4] = {tn_in_dim(in, 0, 0), tn_in_dim(in, 0, 1), tn_in_dim(in, 0, 2),
                        tn_in_dim(in, 1, 2)};
    if (modifier->n_inputs == 1) {
        tn_dtype dtype = tn_attr_dtype(in, "softmax_precision", wide);
        tn_infer_bind(in, modifier->inputs[0], tn_type_tensor(in->arena, dtype, 4, scores), true);
    }
}

void tn_shape_flex_attention(tn_infer *in) {
    if (in->phase < in->op->n_regions) {
        bind_scores(in, in->op->regions[in->phase]);
        in->region = in->op->regions[in->phase];
        return;
    }
    tn_dim out[4] = {tn_in_dim(in, 0, 0), tn_in_dim(in, 0, 1), tn_in_dim(in, 0, 2),
                     tn_in_dim(in, 2, 3)};
    tn_out(in, 0, tn_in_dtype(in, 0), 4, out);
}
