/* Convolutions and pools with channels first, last, or in blocks (com.microsoft.nchwc keeps the
 * logical shape N, C, H, W; blocks are a matter of storage). */
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

/* Where the window ops find things. */
typedef struct window_form {
    uint32_t rank, n_spatial;
    uint32_t channel, first; /* axes of the channels and of the first spatial dimension */
} window_form;

static bool read_form(tn_infer *in, bool last, window_form *f) {
    if (!tn_in_rank(in, 0, &f->rank)) {
        return false;
    }
    if (f->rank < 3) {
        tn_infer_conflict(in, "a window moves over a tensor of rank %u, at least 3 is needed",
                          f->rank);
        return false;
    }
    f->n_spatial = f->rank - 2;
    f->channel = last ? f->rank - 1 : 1;
    f->first = last ? 1 : 2;
    return true;
}

/* Kernel extents from the attribute, else from the spatial dims of weight operand `kw`. */
static bool read_kernel(tn_infer *in, const window_form *f, uint32_t kw, tn_window *w) {
    uint32_t n;
    const int64_t *kernel = tn_attr_ints(in->op, "kernel_shape", &n);
    if (kernel != NULL && n != f->n_spatial) {
        tn_infer_conflict(in, "kernel_shape has %u entries for %u spatial dimensions", n,
                          f->n_spatial);
        return false;
    }
    for (uint32_t i = 0; i < f->n_spatial; i++) {
        w[i].kernel = kernel != NULL        ? tn_in_const(in, kernel[i])
                      : kw != TN_NO_OPERAND ? tn_in_dim(in, kw, 2 + i)
                                            : TN_DIM_UNKNOWN;
    }
    return true;
}

/* kw TN_NO_OPERAND: a pool, which keeps its channels. */
static void window_op(tn_infer *in, tn_dtype dtype, bool last, uint32_t kw) {
    window_form f;
    uint32_t rank;
    if (!read_form(in, last, &f)) {
        return;
    }
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    tn_window *w = tn_attr_windows(in, f.n_spatial);
    if (w == NULL || !read_kernel(in, &f, kw, w)) {
        return;
    }
    for (uint32_t i = 0; i < f.n_spatial; i++) {
        dims[f.first + i] = tn_window_out(in, dims[f.first + i], &w[i]);
    }
    if (kw != TN_NO_OPERAND) {
        dims[f.channel] = tn_in_dim(in, kw, 0);
    }
    tn_out(in, 0, dtype, rank, dims);
}

static bool channels_last(const tn_infer *in) {
    return tn_attr_int(in->op, "channels_last", 0) != 0;
}

void tn_shape_ms_conv(tn_infer *in) {
    window_op(in, tn_in_dtype(in, 0), false, 1);
}

void tn_shape_ms_conv_nhwc(tn_infer *in) {
    window_op(in, tn_in_dtype(in, 0), true, 1);
}

void tn_shape_ms_qlinear_conv(tn_infer *in) {
    window_op(in, tn_in_dtype(in, 7), channels_last(in), 3);
}

void tn_shape_ms_pool(tn_infer *in) {
    window_op(in, tn_in_dtype(in, 0), channels_last(in), TN_NO_OPERAND);
}

void tn_shape_ms_pool_nhwc(tn_infer *in) {
    window_op(in, tn_in_dtype(in, 0), true, TN_NO_OPERAND);
}

void tn_shape_ms_global_pool(tn_infer *in) {
    window_form f;
    uint32_t rank;
    if (!read_form(in, channels_last(in), &f)) {
        return;
    }
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    for (uint32_t i = 0; i < f.n_spatial; i++) {
        dims[f.first + i] = tn_in_const(in, 1);
    }
    tn_out(in, 0, tn_in_dtype(in, 0), rank, dims);
}

/* stride * (x - 1) + output padding + reach of the kernel - pads; pads are operand 2. */
void tn_shape_ms_conv_transpose_dynamic_pads(tn_infer *in) {
    window_form f;
    uint32_t rank, n_pads = 0, n_extra;
    if (!read_form(in, false, &f)) {
        return;
    }
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    tn_window *w = tn_attr_windows(in, f.n_spatial);
    const tn_dim *pads = tn_in_content(in, 2, &n_pads);
    const int64_t *extra = tn_attr_ints(in->op, "output_padding", &n_extra);
    if (w == NULL || !read_kernel(in, &f, 1, w)) {
        return;
    }
    tn_dims *d = in->dims;
    tn_dim one = tn_in_const(in, 1);
    for (uint32_t i = 0; i < f.n_spatial; i++) {
        tn_dim span = tn_dim_mul(d, tn_dim_sub(d, dims[2 + i], one), tn_in_const(in, w[i].stride));
        tn_dim reach =
            tn_dim_mul(d, tn_dim_sub(d, w[i].kernel, one), tn_in_const(in, w[i].dilation));
        tn_dim out = tn_dim_add(d, tn_dim_add(d, span, reach), one);
        out = tn_dim_add(d, out, tn_in_const(in, extra != NULL && i < n_extra ? extra[i] : 0));
        if (pads != NULL && n_pads == 2 * f.n_spatial) {
            out = tn_dim_sub(d, out, tn_dim_add(d, pads[i], pads[f.n_spatial + i]));
        } else if (tn_in_has(in, 2)) {
            out = TN_DIM_UNKNOWN;
        }
        dims[2 + i] = out;
    }
    int64_t group = tn_attr_int(in->op, "group", 1);
    dims[1] = tn_dim_mul(d, tn_in_dim(in, 1, 1), tn_in_const(in, group));
    tn_out(in, 0, tn_in_dtype(in, 0), rank, dims);
    tn_out_depends(in, 0, 2);
}

/* ---- channels in blocks ---- */

/* Blocks are 8 or 16 channels wide, as the machine's vectors are; a count that is no multiple of 16
 * is filled up to one that only the machine knows. */
void tn_shape_nchwc_reorder_input(tn_infer *in) {
    uint32_t rank;
    int64_t channels;
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (dims == NULL || rank < 3) {
        return;
    }
    if (channels_last(in)) {
        tn_dim c = dims[rank - 1];
        for (uint32_t i = rank - 1; i > 1; i--) {
            dims[i] = dims[i - 1];
        }
        dims[1] = c;
    }
    if (!tn_dim_is_const(in->dims, dims[1], &channels) || channels % 16 != 0) {
        dims[1] = TN_DIM_UNKNOWN;
        tn_out_dynamic(in, 0, "the channels are filled up to the block size of the machine");
    }
    tn_out(in, 0, tn_in_dtype(in, 0), rank, dims);
}

void tn_shape_nchwc_reorder_output(tn_infer *in) {
    uint32_t rank;
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    int64_t channels = tn_attr_int(in->op, "channels", 0);
    if (dims == NULL || rank < 3 || channels < 1) {
        return;
    }
    dims[1] = tn_in_const(in, channels);
    if (channels_last(in)) {
        for (uint32_t i = 1; i + 1 < rank; i++) {
            dims[i] = dims[i + 1];
        }
        dims[rank - 1] = tn_in_const(in, channels);
    }
    tn_out(in, 0, tn_in_dtype(in, 0), rank, dims);
}

void tn_shape_nchwc_upsample(tn_infer *in) {
    uint32_t rank, n;
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    const int64_t *scales = tn_attr_ints(in->op, "scales", &n);
    if (dims == NULL || scales == NULL || n != rank) {
        return;
    }
    for (uint32_t i = 0; i < rank; i++) {
        dims[i] = tn_dim_mul(in->dims, dims[i], tn_in_const(in, scales[i]));
    }
    tn_out(in, 0, tn_in_dtype(in, 0), rank, dims);
}
