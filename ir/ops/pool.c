/* Pooling over windows, whole images and regions. */
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

/* Result 0 has the operand's element type; a second one, where the op has it, holds indices. */
static void out_pooled(tn_infer *in, uint32_t rank, const tn_dim *dims) {
    tn_out(in, 0, tn_in_dtype(in, 0), rank, dims);
    tn_out(in, 1, TN_DT_INT64, rank, dims);
}

void tn_shape_pool(tn_infer *in) {
    uint32_t rank, n;
    const int64_t *kernel = tn_attr_ints(in->op, "kernel_shape", &n);
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (dims == NULL && kernel != NULL && n < UINT32_MAX - 2) {
        tn_out_rank(in, 0, tn_in_dtype(in, 0), n + 2);
        tn_out_rank(in, 1, TN_DT_INT64, n + 2);
        return;
    }
    if (dims == NULL || kernel == NULL) {
        return;
    }
    if (rank < 2 || n != rank - 2) {
        tn_infer_conflict(in, "kernel_shape has %u entries, the operand rank %u", n, rank);
        return;
    }
    tn_window *w = tn_attr_windows(in, n);
    for (uint32_t i = 0; w != NULL && i < n; i++) {
        w[i].kernel = tn_in_const(in, kernel[i]);
        dims[i + 2] = tn_window_out(in, dims[i + 2], &w[i]);
    }
    if (w != NULL) {
        out_pooled(in, rank, dims);
    }
}

void tn_shape_global_pool(tn_infer *in) {
    uint32_t rank;
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (dims == NULL) {
        tn_out_unranked(in, 0, tn_in_dtype(in, 0));
        return;
    }
    for (uint32_t i = 2; i < rank; i++) {
        dims[i] = tn_in_const(in, 1);
    }
    tn_out(in, 0, tn_in_dtype(in, 0), rank, dims);
}

/* The extents that pooled to the operand's: (x - 1) * stride + kernel - pads, unless operand 2 or
 * its absence says otherwise. */
void tn_shape_max_unpool(tn_infer *in) {
    uint32_t rank, n;
    tn_dims *d = in->dims;
    tn_dtype dtype = tn_in_dtype(in, 0);
    if (tn_in_has(in, 2)) {
        const tn_dim *shape = tn_in_shape_operand(in, 2, &rank);
        if (shape != NULL) {
            tn_out(in, 0, dtype, rank, shape);
        } else {
            tn_out_unranked(in, 0, dtype);
            tn_out_depends(in, 0, 2);
        }
        return;
    }
    const int64_t *kernel = tn_attr_ints(in->op, "kernel_shape", &n);
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    tn_window *w = dims != NULL && kernel != NULL && rank == n + 2 ? tn_attr_windows(in, n) : NULL;
    if (w == NULL) {
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        tn_dim steps = tn_dim_sub(d, dims[i + 2], tn_in_const(in, 1));
        tn_dim span = tn_dim_mul(d, steps, tn_in_const(in, w[i].stride));
        tn_dim pads = tn_dim_add(d, tn_in_const(in, w[i].pad_begin), tn_in_const(in, w[i].pad_end));
        dims[i + 2] = tn_dim_sub(d, tn_dim_add(d, span, tn_in_const(in, kernel[i])), pads);
    }
    tn_out(in, 0, dtype, rank, dims);
}

/* One (channels, height, width) for each region. */
static void out_regions(tn_infer *in, int64_t height, int64_t width) {
    tn_dim dims[4] = {tn_in_dim(in, 1, 0), tn_in_dim(in, 0, 1), tn_in_const(in, height),
                      tn_in_const(in, width)};
    tn_out(in, 0, tn_in_dtype(in, 0), 4, dims);
}

void tn_shape_max_roi_pool(tn_infer *in) {
    uint32_t n;
    const int64_t *pooled = tn_attr_ints(in->op, "pooled_shape", &n);
    if (pooled != NULL && n == 2) {
        out_regions(in, pooled[0], pooled[1]);
    }
}

void tn_shape_roi_align(tn_infer *in) {
    out_regions(in, tn_attr_int(in->op, "output_height", 1),
                tn_attr_int(in->op, "output_width", 1));
}
