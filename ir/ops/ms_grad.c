/* Gradients. A gradient has the type of what it is the gradient of, so most rules only say which
 * operand that is. */
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

/* dB of a convolution: one number a channel of the result. */
static void out_bias(tn_infer *in, uint32_t r, tn_dim channels) {
    tn_out_vector(in, r, tn_in_dtype(in, 0), channels);
}

void tn_shape_conv_grad(tn_infer *in) {
    tn_out_type(in, 0, tn_in_type(in, 1));
    tn_out_type(in, 1, tn_in_type(in, 2));
    out_bias(in, 2, tn_in_dim(in, 2, 0));
}

void tn_shape_conv_transpose_grad(tn_infer *in) {
    tn_out_type(in, 0, tn_in_type(in, 1));
    tn_out_type(in, 1, tn_in_type(in, 2));
    out_bias(in, 2, tn_in_dim(in, 0, 1));
}

/* ---- gradients that must find the extent of X from that of Y ---- */

/* The extent that a window of stride 1 turns into `out`. With a longer stride several extents give
 * the same one, and guessing the smallest would plan too few bytes. */
static tn_dim before_window(const tn_infer *in, tn_dim out, const tn_window *w) {
    if (w->stride != 1) {
        return TN_DIM_UNKNOWN;
    }
    if (w->same) {
        return out;
    }
    tn_dims *d = in->dims;
    tn_dim reach =
        tn_dim_mul(d, tn_dim_sub(d, w->kernel, tn_in_const(in, 1)), tn_in_const(in, w->dilation));
    return tn_dim_sub(d, tn_dim_add(d, out, reach), tn_in_const(in, w->pad_begin + w->pad_end));
}

/* Kernel extents come from attribute kernel_shape, else from the weights in operand kw. */
static bool undo_windows(tn_infer *in, uint32_t rank, tn_dim *dims, uint32_t kw) {
    uint32_t n, n_spatial = rank - 2;
    const int64_t *kernel = tn_attr_ints(in->op, "kernel_shape", &n);
    tn_window *w = tn_attr_windows(in, n_spatial);
    if (w == NULL || (kernel != NULL && n != n_spatial)) {
        return false;
    }
    for (uint32_t i = 0; i < n_spatial; i++) {
        w[i].kernel = kernel != NULL ? tn_in_const(in, kernel[i]) : tn_in_dim(in, kw, 2 + i);
        dims[2 + i] = before_window(in, dims[2 + i], &w[i]);
    }
    return true;
}

static const char *const ambiguous = "several sizes have a gradient of this shape";

void tn_shape_conv_grad_x(tn_infer *in) {
    uint32_t rank;
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (dims == NULL || rank < 3 || !undo_windows(in, rank, dims, 1)) {
        return;
    }
    int64_t group = tn_attr_int(in->op, "group", 1);
    dims[1] = tn_dim_mul(in->dims, tn_in_dim(in, 1, 1), tn_in_const(in, group));
    tn_out(in, 0, tn_in_dtype(in, 0), rank, dims);
    tn_out_dynamic(in, 0, ambiguous);
}

void tn_shape_conv_grad_w(tn_infer *in) {
    uint32_t rank, n;
    const int64_t *kernel = tn_attr_ints(in->op, "kernel_shape", &n);
    int64_t group = tn_attr_int(in->op, "group", 1);
    tn_dim *dims = tn_in_dims(in, 1, 0, &rank);
    if (dims == NULL || rank < 3 || group < 1) {
        return;
    }
    dims[0] = tn_in_dim(in, 0, 1);
    dims[1] = tn_dim_floordiv(in->dims, dims[1], tn_in_const(in, group));
    for (uint32_t i = 2; i < rank; i++) {
        dims[i] = kernel != NULL && n == rank - 2 ? tn_in_const(in, kernel[i - 2]) : TN_DIM_UNKNOWN;
    }
    tn_out(in, 0, tn_in_dtype(in, 0), rank, dims);
}

void tn_shape_conv_grad_b(tn_infer *in) {
    out_bias(in, 0, tn_in_dim(in, 0, 1));
}

/* The indices of MaxPool lead back to the op that made them, whose operand is X. */
void tn_shape_pool_grad(tn_infer *in) {
    const tn_value *indices = tn_operand(in->op, 1);
    if (indices != NULL && indices->def != NULL && indices->def_index == 1 &&
        tn_operand(indices->def, 0) != NULL) {
        tn_out_type(in, 0, tn_operand(indices->def, 0)->type);
        return;
    }
    uint32_t rank;
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (dims != NULL && rank >= 3 && undo_windows(in, rank, dims, TN_NO_OPERAND)) {
        tn_out(in, 0, tn_in_dtype(in, 0), rank, dims);
        tn_out_dynamic(in, 0, ambiguous);
    }
}

/* Some exporters give X, others the extents that were averaged. */
void tn_shape_global_pool_grad(tn_infer *in) {
    uint32_t rank, n;
    const int64_t *kernel = tn_attr_ints(in->op, "kernel_shape", &n);
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (tn_in_has(in, 1)) {
        tn_out_type(in, 0, tn_in_type(in, 1));
        return;
    }
    if (dims == NULL || rank < 3) {
        return;
    }
    for (uint32_t i = 2; i < rank; i++) {
        dims[i] = kernel != NULL && n == rank - 2 ? tn_in_const(in, kernel[i - 2]) : TN_DIM_UNKNOWN;
    }
    tn_out(in, 0, tn_in_dtype(in, 0), rank, dims);
    tn_out_dynamic(in, 0, ambiguous);
}

/* ---- normalisations and losses ---- */

/* dY and X have one shape, and scale and bias have another. */
void tn_shape_norm_grad(tn_infer *in) {
    tn_shape_like_0_and_1(in);
    tn_out_type(in, 1, tn_in_type(in, 2));
    tn_out_type(in, 2, tn_in_type(in, 2));
}

/* dY, a scalar, is left out by exporters that know it is 1: then the first two operands are the
 * probabilities and the labels. */
void tn_shape_softmax_loss_grad(tn_infer *in) {
    tn_out_type(in, 0, tn_in_type(in, in->op->n_operands == 2 ? 0 : 1));
}

/* ---- indexing ---- */

static void out_shape_operand(tn_infer *in, uint32_t shape, uint32_t gradient) {
    uint32_t rank;
    const tn_dim *dims = tn_in_shape_operand(in, shape, &rank);
    if (dims != NULL) {
        tn_out(in, 0, tn_in_dtype(in, gradient), rank, dims);
    } else {
        tn_out_unranked(in, 0, tn_in_dtype(in, gradient));
    }
    tn_out_depends(in, 0, shape);
}

void tn_shape_gather_grad(tn_infer *in) {
    out_shape_operand(in, 0, 2);
}

void tn_shape_gather_elements_grad(tn_infer *in) {
    out_shape_operand(in, 1, 0);
}

/* ---- BroadcastGradientArgs ---- */

typedef enum axis_side { SIDE_NONE, SIDE_A, SIDE_B, SIDE_OPEN } axis_side;

/* Whose gradient is summed along an axis. An extent that may or may not be 1 leaves it open. */
static axis_side side_of(const tn_infer *in, tn_dim a, tn_dim b) {
    int64_t x = 0, y = 0;
    bool ka = tn_dim_is_const(in->dims, a, &x), kb = tn_dim_is_const(in->dims, b, &y);
    if (a == b && a != TN_DIM_UNKNOWN) {
        return SIDE_NONE;
    }
    if (!ka || !kb) {
        return SIDE_OPEN;
    }
    return x == y ? SIDE_NONE : x == 1 ? SIDE_A : SIDE_B;
}

/* Axes in the order in which the kernel finds them, from the last to the first; the axes that only
 * one of the shapes has come last. */
void tn_shape_broadcast_gradient_args(tn_infer *in) {
    uint32_t na, nb, counts[2] = {0, 0};
    const tn_dim *a = tn_in_content(in, 0, &na), *b = tn_in_content(in, 1, &nb);
    if (a == NULL || b == NULL) {
        for (uint32_t r = 0; r < 2; r++) {
            tn_out_vector(in, r, TN_DT_INT64, TN_DIM_UNKNOWN);
            tn_out_depends(in, r, a == NULL ? 0 : 1);
        }
        return;
    }
    uint32_t rank = na > nb ? na : nb, least = na < nb ? na : nb;
    tn_dim *axes[2] = {tn_dims_unknown(in, rank), tn_dims_unknown(in, rank)};
    bool open = false;
    for (uint32_t i = 0; i < rank; i++) {
        axis_side side =
            i < least ? side_of(in, a[na - 1 - i], b[nb - 1 - i]) : (na < nb ? SIDE_A : SIDE_B);
        open = open || side == SIDE_OPEN;
        if (side == SIDE_A || side == SIDE_B) {
            uint32_t r = side == SIDE_A ? 0 : 1;
            axes[r][counts[r]++] = tn_in_const(in, (int64_t)rank - 1 - (int64_t)i);
        }
    }
    for (uint32_t r = 0; r < 2; r++) {
        tn_out_vector(in, r, TN_DT_INT64, open ? TN_DIM_UNKNOWN : tn_in_const(in, counts[r]));
        tn_out_dynamic(in, r, "depends on whether an open extent is 1");
        if (!open) {
            tn_out_content(in, r, counts[r], axes[r]);
        }
    }
}
