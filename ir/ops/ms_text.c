/* Positions, padding and text generation in com.microsoft. */
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

void tn_shape_ms_gemma_rotary(tn_infer *in) {
    tn_out_type(in, 0, tn_in_type(in, 1));
    tn_out_type(in, 1, tn_in_type(in, 3));
}

static tn_dim content_of(const tn_infer *in, uint32_t k) {
    uint32_t n;
    const tn_dim *content = tn_in_content(in, k, &n);
    return content != NULL && n == 1 ? content[0] : TN_DIM_UNKNOWN;
}

void tn_shape_ms_relative_position_bias(tn_infer *in) {
    tn_dim dims[4] = {tn_in_const(in, 1), tn_in_dim(in, 0, 1), content_of(in, 1),
                      content_of(in, 2)};
    tn_out(in, 0, tn_in_dtype(in, 0), 4, dims);
    tn_out_depends(in, 0, 1);
}

void tn_shape_ms_gated_relative_position_bias(tn_infer *in) {
    uint32_t from = tn_in_has(in, 6) ? 6 : 0;
    tn_dim length = tn_in_dim(in, from, 1);
    int64_t heads = tn_attr_int(in->op, "num_heads", 0);
    tn_dim dims[4] = {tn_in_dim(in, from, 0), tn_in_const(in, heads), length, length};
    tn_out(in, 0, tn_in_dtype(in, 0), 4, dims);
}

void tn_shape_ms_remove_padding(tn_infer *in) {
    tn_dim batch = tn_in_dim(in, 0, 0), one = tn_in_const(in, 1);
    tn_dim tokens[2] = {TN_DIM_UNKNOWN, tn_in_dim(in, 0, 2)};
    tn_dim offsets[2] = {batch, tn_in_dim(in, 0, 1)};
    tn_out(in, 0, tn_in_dtype(in, 0), 2, tokens);
    tn_out_depends(in, 0, 1);
    tn_out(in, 1, TN_DT_INT32, 2, offsets);
    tn_out_vector(in, 2, TN_DT_INT32, tn_dim_add(in->dims, batch, one));
    tn_out_vector(in, 3, TN_DT_INT32, one);
}

void tn_shape_ms_restore_padding(tn_infer *in) {
    tn_dim dims[3] = {tn_in_dim(in, 1, 0), tn_in_dim(in, 1, 1), tn_in_dim(in, 0, 1)};
    tn_out(in, 0, tn_in_dtype(in, 0), 3, dims);
}

void tn_shape_ms_bifurcation_detector(tn_infer *in) {
    tn_out_vector(in, 0, TN_DT_INT64, TN_DIM_UNKNOWN);
    tn_out_depends(in, 0, 0);
    tn_out_type(in, 1, tn_in_type(in, 2));
}

void tn_shape_ms_dynamic_time_warping(tn_infer *in) {
    tn_dim dims[2] = {tn_in_const(in, 2), TN_DIM_UNKNOWN};
    tn_out(in, 0, TN_DT_INT32, 2, dims);
    tn_out_depends(in, 0, 0);
}

void tn_shape_ms_ngram_hash(tn_infer *in) {
    tn_dim orders = tn_in_const(in, tn_attr_int(in->op, "max_ngram_size", 0));
    tn_dim before = tn_dim_sub(in->dims, orders, tn_in_const(in, 1));
    tn_dim hashes =
        tn_dim_mul(in->dims, before, tn_in_const(in, tn_attr_int(in->op, "n_head_per_ngram", 0)));
    tn_dim ids[3] = {tn_in_dim(in, 0, 0), tn_in_dim(in, 0, 1), hashes};
    tn_dim present[2] = {tn_in_dim(in, 0, 0), before};
    tn_out(in, 0, tn_in_dtype(in, 0), 3, ids);
    tn_out(in, 1, tn_in_dtype(in, 0), 2, present);
}

/* ---- generation ---- */

/* The decoders run many times with growing caches, which their declared inputs describe; nothing
 * flows into them from the op's operands in a way that would refine those. */
static bool walk_regions(tn_infer *in) {
    if (in->phase < in->op->n_regions) {
        in->region = in->op->regions[in->phase];
        return true;
    }
    return false;
}

/* Attribute vocab_size, or the width of the decoder's logits. */
static tn_dim vocabulary(const tn_infer *in) {
    int64_t size = tn_attr_int(in->op, "vocab_size", 0);
    if (size > 0) {
        return tn_in_const(in, size);
    }
    const tn_attr *decoder = tn_op_attr(in->op, "decoder");
    if (decoder == NULL || decoder->kind != TN_ATTR_GRAPH || decoder->u.g->n_outputs == 0) {
        return TN_DIM_UNKNOWN;
    }
    const tn_type *logits = decoder->u.g->outputs[0]->type;
    return logits->has_rank && logits->rank > 0 ? logits->dims[logits->rank - 1] : TN_DIM_UNKNOWN;
}

void tn_shape_ms_beam_search(tn_infer *in) {
    if (walk_regions(in)) {
        return;
    }
    tn_dim batch = tn_in_dim(in, 0, 0), length = content_of(in, 1), returned = content_of(in, 4);
    tn_dim sequences[3] = {batch, returned, length};
    tn_dim steps = tn_dim_sub(in->dims, length, tn_in_dim(in, 0, 1));
    tn_dim scores[4] = {steps, batch, content_of(in, 3), vocabulary(in)};
    tn_dtype real = tn_in_has(in, 5) ? tn_in_dtype(in, 5) : TN_DT_FLOAT;
    tn_out(in, 0, TN_DT_INT32, 3, sequences);
    tn_out_depends(in, 0, length == TN_DIM_UNKNOWN ? 1 : 4);
    tn_out(in, 1, real, 2, sequences);
    tn_out_depends(in, 1, 4);
    tn_out(in, 2, real, 4, scores);
    tn_out_depends(in, 2, length == TN_DIM_UNKNOWN ? 1 : 3);
    tn_out(in, 3, TN_DT_FLOAT, 5, tn_dims_unknown(in, 5));
    tn_out_dynamic(in, 3, "depends on how many tokens are generated");
    tn_out_vector(in, 4, real, batch);
}

void tn_shape_ms_greedy_search(tn_infer *in) {
    if (walk_regions(in)) {
        return;
    }
    tn_dim sequences[2] = {tn_in_dim(in, 0, 0), content_of(in, 1)};
    tn_dim logits[2] = {tn_in_dim(in, 0, 0), vocabulary(in)};
    tn_out(in, 0, TN_DT_INT32, 2, sequences);
    tn_out_depends(in, 0, 1);
    tn_out(in, 1, TN_DT_FLOAT, 2, logits);
}
