/* Experimental operators of ai.onnx before opset 10. */
#include "ir/base/limits.h"
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

/* Borders are cut off, unless `scale` gives the extents that are kept. */
void tn_shape_crop(tn_infer *in) {
    uint32_t rank, n_border, n_scale;
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    const int64_t *border = tn_attr_ints(in->op, "border", &n_border);
    const int64_t *scale = tn_attr_ints(in->op, "scale", &n_scale);
    if (dims == NULL) {
        tn_out_rank(in, 0, tn_in_dtype(in, 0), 4);
        return;
    }
    if (rank != 4 || n_border != 4 || (scale != NULL && n_scale != 2)) {
        tn_infer_conflict(in, "rank %u, %u borders and a scale of %u; expected 4, 4 and 2", rank,
                          n_border, n_scale);
        return;
    }
    for (uint32_t i = 0; i < 2; i++) { /* left, top, right, bottom */
        tn_dim cut =
            tn_dim_add(in->dims, tn_in_const(in, border[1 - i]), tn_in_const(in, border[3 - i]));
        dims[2 + i] =
            scale != NULL ? tn_in_const(in, scale[i]) : tn_dim_sub(in->dims, dims[2 + i], cut);
    }
    tn_out(in, 0, tn_in_dtype(in, 0), rank, dims);
}

/* The shape without the extra one: an attribute, the operand's, or its elements. NULL when nothing
 * is known of it; space for `extra` more dims. */
static tn_dim *base_shape(tn_infer *in, uint32_t extra, uint32_t *rank) {
    if (tn_in_has(in, 0) && tn_attr_int(in->op, "input_as_shape", 0) == 0) {
        return tn_in_dims(in, 0, extra, rank);
    }
    const int64_t *ints = tn_attr_ints(in->op, "shape", rank);
    const tn_dim *elements = tn_in_has(in, 0) ? tn_in_shape_operand(in, 0, rank) : NULL;
    if (ints == NULL && elements == NULL) {
        return NULL;
    }
    tn_dim *dims = *rank <= TN_MAX_RANK ? tn_dims_unknown(in, *rank + extra) : NULL;
    for (uint32_t i = 0; dims != NULL && i < *rank; i++) {
        dims[i] = elements != NULL ? elements[i] : tn_in_const(in, ints[i]);
    }
    return dims;
}

void tn_shape_fill(tn_infer *in) {
    uint32_t n_extra, rank;
    const int64_t *extra = tn_attr_ints(in->op, "extra_shape", &n_extra);
    tn_dtype dtype = tn_attr_dtype(in, "dtype", TN_DT_FLOAT);
    tn_dim *dims = n_extra <= TN_MAX_RANK ? base_shape(in, n_extra, &rank) : NULL;
    if (dims == NULL) {
        tn_out_unranked(in, 0, dtype);
        return;
    }
    for (uint32_t i = 0; i < n_extra; i++) {
        dims[rank + i] = tn_in_const(in, extra[i]);
    }
    tn_out(in, 0, dtype, rank + n_extra, dims);
}
