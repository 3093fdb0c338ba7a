/* Resize, in all versions, and Upsample. */
#include <math.h>
#include <string.h>

#include "ir/infer/common.h"
#include "ir/infer/fold.h"
#include "ir/ops/op_rules.h"

/* Operand numbers moved between versions; TN_NO_OPERAND where a version has none. */
typedef struct resize {
    uint32_t n;     /* resized axes */
    uint32_t *axes; /* which */
    uint32_t roi, scales, sizes;
} resize;

/* A scale applied to an open extent, when it is a fraction of small numbers. */
static tn_dim scale_open(tn_infer *in, tn_dim extent, double scale) {
    for (int64_t q = 1; q <= 64; q++) {
        double p = scale * (double)q;
        if (p == floor(p) && p >= 1 && p < 1 << 20) {
            return tn_dim_floordiv(in->dims,
                                   tn_dim_mul(in->dims, extent, tn_in_const(in, (int64_t)p)),
                                   tn_in_const(in, q));
        }
    }
    return TN_DIM_UNKNOWN;
}

/* Runtimes multiply in single precision, and so does this: the last bit can decide the floor. */
static tn_dim scaled(tn_infer *in, tn_dim extent, double scale) {
    int64_t n;
    if (!tn_dim_is_const(in->dims, extent, &n)) {
        return scale_open(in, extent, scale);
    }
    float product = (float)n * (float)scale;
    return product >= 0 && product < 9.0e18F ? tn_in_const(in, (int64_t)floorf(product))
                                             : TN_DIM_UNKNOWN;
}

/* With crop-and-resize the scale applies to the region, given as starts then ends in parts of 1. */
static bool read_regions(tn_infer *in, const resize *r, const double **roi) {
    uint32_t n;
    *roi = NULL;
    if (strcmp(tn_attr_string(in->op, "coordinate_transformation_mode", "half_pixel"),
               "tf_crop_and_resize") != 0 ||
        r->roi == TN_NO_OPERAND) {
        return true;
    }
    *roi = tn_in_floats(in, r->roi, &n);
    return *roi != NULL && n == 2 * r->n;
}

static void by_scales(tn_infer *in, const resize *r, uint32_t n, const double *scales,
                      tn_dim *dims) {
    const double *roi;
    if (n != r->n) {
        tn_infer_conflict(in, "%u scales for %u axes", n, r->n);
        return;
    }
    bool known = read_regions(in, r, &roi);
    for (uint32_t i = 0; i < n; i++) {
        double part = roi != NULL && known ? roi[n + i] - roi[i] : 1;
        tn_dim *slot = &dims[r->axes[i]];
        *slot = known ? scaled(in, *slot, scales[i] * part) : TN_DIM_UNKNOWN;
    }
}

/* keep_aspect_ratio_policy: one scale for all axes, so that no extent exceeds (or all reach) its
 * size; halves are rounded up. */
static void by_ratio(tn_infer *in, const resize *r, const tn_dim *sizes, bool larger,
                     tn_dim *dims) {
    double scale = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        int64_t from, to;
        if (!tn_dim_is_const(in->dims, dims[r->axes[i]], &from) || from <= 0 ||
            !tn_dim_is_const(in->dims, sizes[i], &to)) {
            scale = NAN;
            break;
        }
        double each = (double)to / (double)from;
        scale = i == 0 || (larger ? each > scale : each < scale) ? each : scale;
    }
    for (uint32_t i = 0; i < r->n; i++) {
        int64_t from = 0;
        tn_dim *slot = &dims[r->axes[i]];
        bool known = scale >= 0 && tn_dim_is_const(in->dims, *slot, &from) &&
                     scale * (double)from < INT32_MAX;
        *slot =
            known ? tn_in_const(in, (int64_t)floor(scale * (double)from + 0.5)) : TN_DIM_UNKNOWN;
    }
}

static void by_sizes(tn_infer *in, const resize *r, tn_dim *dims) {
    uint32_t n;
    const char *policy = tn_attr_string(in->op, "keep_aspect_ratio_policy", "stretch");
    const tn_dim *sizes = tn_in_shape_operand(in, r->sizes, &n);
    if (sizes == NULL) {
        sizes = tn_dims_unknown(in, n = r->n);
    }
    if (n != r->n) {
        tn_infer_conflict(in, "%u sizes for %u axes", n, r->n);
        return;
    }
    if (strcmp(policy, "stretch") != 0) {
        by_ratio(in, r, sizes, strcmp(policy, "not_smaller") == 0, dims);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        dims[r->axes[i]] = sizes[i];
    }
}

/* Scales as floats; opset 1 of Upsample has two for images, opset 7 an attribute. */
static const double *read_scales(tn_infer *in, const resize *r, uint32_t *n) {
    const tn_attr *attr = tn_op_attr(in->op, "scales");
    if (attr != NULL && attr->kind == TN_ATTR_FLOATS) {
        *n = attr->n;
        return attr->u.floats;
    }
    if (tn_op_attr(in->op, "height_scale") != NULL) {
        double *scales = TN_ARRAY(in->scratch, double, 4);
        *n = 4;
        scales[0] = scales[1] = 1;
        scales[2] = tn_attr_float(in->op, "height_scale", 1);
        scales[3] = tn_attr_float(in->op, "width_scale", 1);
        return scales;
    }
    return r->scales != TN_NO_OPERAND ? tn_in_floats(in, r->scales, n) : NULL;
}

static bool is_empty(tn_infer *in, uint32_t k) {
    uint32_t n;
    return tn_in_length(in, k, &n) && n == 0;
}

static bool read_axes(tn_infer *in, uint32_t rank, resize *r) {
    tn_axes axes;
    if (!tn_in_axes(in, "axes", TN_NO_OPERAND, rank, &axes)) {
        return false;
    }
    r->n = axes.known ? axes.n : rank;
    r->axes = axes.at;
    if (!axes.known) {
        r->axes = TN_ARRAY(in->scratch, uint32_t, rank + 1u);
        for (uint32_t i = 0; i < rank; i++) {
            r->axes[i] = i;
        }
    }
    return true;
}

/* Upsample, and Resize of opset 10, have the scales as operand 1; later ones a region there, then
 * scales and sizes, of which one is empty or missing. */
void tn_shape_resize(tn_infer *in) {
    uint32_t rank, n;
    tn_dtype dtype = tn_in_dtype(in, 0);
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    bool old = in->op->n_operands <= 2;
    resize r = {
        .roi = old ? TN_NO_OPERAND : 1, .scales = old ? 1 : 2, .sizes = old ? TN_NO_OPERAND : 3};
    if (dims == NULL) {
        tn_out_unranked(in, 0, dtype);
        return;
    }
    if (!read_axes(in, rank, &r)) {
        return;
    }
    bool sized = r.sizes != TN_NO_OPERAND && tn_in_has(in, r.sizes) && !is_empty(in, r.sizes);
    const double *scales = sized ? NULL : read_scales(in, &r, &n);
    if (sized) {
        by_sizes(in, &r, dims);
    } else if (scales != NULL) {
        by_scales(in, &r, n, scales, dims);
    } else {
        for (uint32_t i = 0; i < r.n; i++) {
            dims[r.axes[i]] = TN_DIM_UNKNOWN;
        }
        tn_out_depends(in, 0, r.scales);
    }
    if (!in->failed) {
        tn_out(in, 0, dtype, rank, dims);
    }
}
