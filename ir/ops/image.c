/* Images: sampling, patches, boxes. */
#include <string.h>

#include "ir/base/limits.h"
#include "ir/infer/by_data.h"
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

/* (batch, channels, spatial...) sampled at (batch, spatial..., coordinates). */
void tn_shape_grid_sample(tn_infer *in) {
    uint32_t rank = 0;
    if ((!tn_in_rank(in, 0, &rank) && !tn_in_rank(in, 1, &rank)) || rank < 2) {
        tn_out_unranked(in, 0, tn_in_dtype(in, 0));
        return;
    }
    tn_dim *out = tn_dims_unknown(in, rank);
    out[0] = tn_same_dim(in, tn_in_dim(in, 0, 0), tn_in_dim(in, 1, 0), "batch extents");
    out[1] = tn_in_dim(in, 0, 1);
    for (uint32_t i = 2; i < rank; i++) {
        out[i] = tn_in_dim(in, 1, i - 1);
    }
    if (!in->failed) {
        tn_out(in, 0, tn_in_dtype(in, 0), rank, out);
    }
}

/* `size` is (batch, channels, spatial...); the grid (batch, spatial..., coordinates). */
void tn_shape_affine_grid(tn_infer *in) {
    uint32_t n;
    const tn_dim *size = tn_in_shape_operand(in, 1, &n);
    if (size == NULL || n < 3 || n > TN_MAX_RANK) {
        tn_out_unranked(in, 0, tn_in_dtype(in, 0));
        return;
    }
    tn_dim *out = tn_dims_unknown(in, n);
    out[0] = size[0] != TN_DIM_UNKNOWN ? size[0] : tn_in_dim(in, 0, 0);
    for (uint32_t i = 2; i < n; i++) {
        out[i - 1] = size[i];
    }
    out[n - 1] = tn_in_const(in, n - 2);
    tn_out(in, 0, tn_in_dtype(in, 0), n, out);
}

/* (batch, channels * block, blocks) to (batch, channels, image...). */
void tn_shape_col2im(tn_infer *in) {
    uint32_t n, n_block;
    const tn_dim *image = tn_in_shape_operand(in, 1, &n);
    const tn_dim *block = tn_in_shape_operand(in, 2, &n_block);
    if (image == NULL || block == NULL || n + 2 > TN_MAX_RANK) {
        tn_out_unranked(in, 0, tn_in_dtype(in, 0));
        return;
    }
    tn_dim *out = tn_dims_unknown(in, n + 2);
    out[0] = tn_in_dim(in, 0, 0);
    out[1] = tn_dim_floordiv(in->dims, tn_in_dim(in, 0, 1), tn_dims_product(in, block, 0, n_block));
    for (uint32_t i = 0; i < n; i++) {
        out[i + 2] = image[i];
    }
    tn_out(in, 0, tn_in_dtype(in, 0), n + 2, out);
}

/* (height, width, channels) of the picture in the file. */
void tn_shape_image_decoder(tn_infer *in) {
    bool gray = strcmp(tn_attr_string(in->op, "pixel_format", "RGB"), "Grayscale") == 0;
    tn_dim dims[3] = {TN_DIM_UNKNOWN, TN_DIM_UNKNOWN, tn_in_const(in, gray ? 1 : 3)};
    tn_out(in, 0, TN_DT_UINT8, 3, dims);
    tn_out_depends(in, 0, 0);
}

void tn_shape_image_encoder(tn_infer *in) {
    tn_out_vector(in, 0, TN_DT_UINT8, TN_DIM_UNKNOWN);
    tn_out_depends(in, 0, 0);
}

/* Of the boxes of one class of one batch, as many as the third operand allows: none without it. */
static tn_dim most_boxes(tn_infer *in) {
    int64_t most;
    tn_dim all = tn_in_dim(in, 1, 2);
    if (!tn_in_has(in, 2)) {
        return tn_in_const(in, 0);
    }
    if (!tn_in_scalar(in, 2, &most)) {
        return all;
    }
    return most > 0 ? tn_dim_min(in->dims, all, tn_in_const(in, most)) : tn_in_const(in, 0);
}

/* One row (batch, class, box) for each box that is left. */
void tn_shape_non_max_suppression(tn_infer *in) {
    tn_dims *d = in->dims;
    tn_dim classes = tn_dim_mul(d, tn_in_dim(in, 1, 0), tn_in_dim(in, 1, 1));
    tn_dim most = tn_dim_mul(d, classes, most_boxes(in));
    tn_dim dims[2] = {tn_extent_by_data(in, 0, 0, most), tn_in_const(in, 3)};
    tn_out(in, 0, TN_DT_INT64, 2, dims);
    tn_out_depends(in, 0, 1);
}
