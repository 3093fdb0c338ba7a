/* Convolutions: (batch, channels, spatial...) with weights (channels out, channels in, kernel...).
 */
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

/* The extent of the kernel along spatial axis i: attribute kernel_shape, or the weights. */
static tn_dim kernel_extent(tn_infer *in, uint32_t weights, uint32_t i) {
    uint32_t n;
    const int64_t *given = tn_attr_ints(in->op, "kernel_shape", &n);
    return given != NULL && i < n ? tn_in_const(in, given[i]) : tn_in_dim(in, weights, i + 2);
}

/* Rank of the image, or of the weights, which is the same number; 0 when not known. */
static uint32_t conv_rank(tn_infer *in, uint32_t x, uint32_t weights) {
    uint32_t rank = 0;
    if (!tn_in_rank(in, x, &rank) && !tn_in_rank(in, weights, &rank)) {
        return 0;
    }
    if (rank < 2) {
        tn_infer_conflict(in, "a convolution needs rank 2 or more, not %u", rank);
        return 0;
    }
    return rank;
}

static void conv(tn_infer *in, tn_dtype dtype, uint32_t x, uint32_t weights) {
    uint32_t rank = conv_rank(in, x, weights);
    tn_window *w = rank != 0 ? tn_attr_windows(in, rank - 2) : NULL;
    if (w == NULL) {
        if (!in->failed) {
            tn_out_unranked(in, 0, dtype);
        }
        return;
    }
    tn_dim *out = tn_dims_unknown(in, rank);
    out[0] = tn_in_dim(in, x, 0);
    out[1] = tn_in_dim(in, weights, 0);
    for (uint32_t i = 0; i + 2 < rank; i++) {
        w[i].kernel = kernel_extent(in, weights, i);
        out[i + 2] = tn_window_out(in, tn_in_dim(in, x, i + 2), &w[i]);
    }
    tn_out(in, 0, dtype, rank, out);
}

void tn_shape_conv(tn_infer *in) {
    conv(in, tn_in_dtype_any(in, 0, 2), 0, 1);
}

void tn_shape_conv_integer(tn_infer *in) {
    conv(in, TN_DT_INT32, 0, 1);
}

/* x, its scale and zero point, w, its scale and zero point, the result's scale and zero point. */
void tn_shape_qlinear_conv(tn_infer *in) {
    conv(in, tn_in_dtype(in, 7), 0, 3);
}

void tn_shape_deform_conv(tn_infer *in) {
    conv(in, tn_in_dtype_any(in, 0, 2), 0, 1);
}

static const int64_t *last_ints(tn_infer *in, const char *name, uint32_t n) {
    uint32_t have;
    const int64_t *ints = tn_attr_ints(in->op, name, &have);
    return ints != NULL && have >= n ? ints + (have - n) : NULL;
}

/* Windows laid out from n inputs: stride * (n - 1) + reach + output padding - pads. */
static tn_dim transposed_extent(tn_infer *in, tn_dim x, const tn_window *w, int64_t extra) {
    tn_dims *d = in->dims;
    tn_dim one = tn_in_const(in, 1), stride = tn_in_const(in, w->stride);
    if (w->same) {
        return tn_dim_mul(d, x, stride);
    }
    tn_dim reach = tn_dim_add(
        d, tn_dim_mul(d, tn_dim_sub(d, w->kernel, one), tn_in_const(in, w->dilation)), one);
    tn_dim span = tn_dim_mul(d, tn_dim_sub(d, x, one), stride);
    tn_dim pads = tn_dim_add(d, tn_in_const(in, w->pad_begin), tn_in_const(in, w->pad_end));
    tn_dim full = tn_dim_add(d, tn_dim_add(d, span, reach), tn_in_const(in, extra));
    return tn_dim_sub(d, full, pads);
}

static void conv_transpose(tn_infer *in, tn_dtype dtype, uint32_t weights) {
    uint32_t rank = conv_rank(in, 0, weights);
    tn_window *w = rank != 0 ? tn_attr_windows(in, rank - 2) : NULL;
    if (w == NULL) {
        if (!in->failed) {
            tn_out_unranked(in, 0, dtype);
        }
        return;
    }
    /* Some exporters list all extents of output_shape, the standard only the spatial ones. */
    const int64_t *given = last_ints(in, "output_shape", rank - 2);
    const int64_t *extra = last_ints(in, "output_padding", rank - 2);
    tn_dim *out = tn_dims_unknown(in, rank);
    out[0] = tn_in_dim(in, 0, 0);
    tn_dim groups = tn_in_const(in, tn_attr_int(in->op, "group", 1));
    out[1] = tn_dim_mul(in->dims, tn_in_dim(in, weights, 1), groups);
    for (uint32_t i = 0; i + 2 < rank; i++) {
        w[i].kernel = kernel_extent(in, weights, i);
        out[i + 2] = given != NULL ? tn_in_const(in, given[i])
                                   : transposed_extent(in, tn_in_dim(in, 0, i + 2), &w[i],
                                                       extra != NULL ? extra[i] : 0);
    }
    tn_out(in, 0, dtype, rank, out);
}

void tn_shape_conv_transpose(tn_infer *in) {
    conv_transpose(in, tn_in_dtype_any(in, 0, 2), 1);
}

void tn_shape_qlinear_conv_transpose(tn_infer *in) {
    conv_transpose(in, tn_in_dtype(in, 7), 3);
}

/* (batch, channels, length) with weights (channels, 1, k); the state holds the last k - 1 inputs.
 */
void tn_shape_causal_conv(tn_infer *in) {
    tn_out_type(in, 0, tn_in_type(in, 0));
    tn_dim state[3] = {tn_in_dim(in, 0, 0), tn_in_dim(in, 0, 1),
                       tn_dim_sub(in->dims, tn_in_dim(in, 1, 2), tn_in_const(in, 1))};
    for (uint32_t i = 0; i < 3; i++) {
        state[i] = tn_same_dim(in, state[i], tn_in_dim(in, 3, i), "carried state");
    }
    if (!in->failed) {
        tn_out(in, 1, tn_in_dtype_any(in, 0, 4), 3, state);
    }
}
