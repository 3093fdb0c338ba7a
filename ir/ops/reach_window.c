/* Rules for ops that look at windows, products of matrices, and images in another size. */
#include <math.h>
#include <string.h>

#include "ir/ops/op_attrs.h"
#include "ir/ops/op_rules.h"
#include "ir/ops/reach.h"

/* The windows of one axis. */
typedef struct windows {
    int64_t kernel, stride, dilation, pad; /* pad: at the begin */
} windows;

/* The first element at or behind the operand's start that window c holds; -1 where it lies in the
 * padding as a whole. */
static int64_t first_of(const windows *w, int64_t c, int64_t in) {
    int64_t at = c * w->stride - w->pad;
    int64_t skipped = at < 0 ? (-at + w->dilation - 1) / w->dilation : 0;
    at += skipped * w->dilation;
    return skipped < w->kernel && at < in ? at : -1;
}

static const int64_t *ints_of(const tn_attr *attrs, uint32_t n, const char *name, uint32_t *len) {
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(attrs[i].name, name) == 0 && attrs[i].kind == TN_ATTR_INTS) {
            *len = attrs[i].n;
            return attrs[i].u.ints;
        }
    }
    *len = 0;
    return NULL;
}

static bool in_range(const windows *w) {
    return w->kernel >= 1 && w->kernel <= INT32_MAX && w->stride >= 1 && w->stride <= INT32_MAX &&
           w->dilation >= 1 && w->dilation <= INT32_MAX && w->pad >= 0 && w->pad <= INT32_MAX;
}

/* Windows over the spatial axes of an image with channels on axis 1, from the resolved attributes.
 */
static bool spatial(const tn_op *op, tn_reach *r) {
    uint32_t n, k, s, d, p, axes = r->rank - 2;
    const tn_attr *attrs = tn_op_resolve_attrs(op->graph->module, op, r->arena, &n);
    const int64_t *kernel = ints_of(attrs, n, "kernel_shape", &k);
    const int64_t *strides = ints_of(attrs, n, "strides", &s);
    const int64_t *dilations = ints_of(attrs, n, "dilations", &d);
    const int64_t *pads = ints_of(attrs, n, "pads", &p);
    if (k != axes || s != axes || p != 2 * axes || (dilations != NULL && d != axes)) {
        return false;
    }
    for (uint32_t i = 0; i < axes; i++) {
        windows w = {kernel[i], strides[i], dilations != NULL ? dilations[i] : 1, pads[i]};
        if (!in_range(&w)) {
            return false;
        }
        int64_t *low = tn_reach_table(r, i + 2, i + 2);
        for (int64_t c = 0; c < r->extent[i + 2]; c++) {
            low[c] = first_of(&w, c, r->in[i + 2]);
        }
    }
    return true;
}

static bool is_image(const tn_reach *r) {
    return r->rank >= 3 && r->rank == r->in_rank && r->extent[0] == r->in[0];
}

/* Pooling: each channel by itself. */
bool tn_reach_pool(const tn_op *op, tn_reach *r) {
    return is_image(r) && tn_reach_same_axes(r, 2) && spatial(op, r);
}

/* Convolution: all channels of the group. */
bool tn_reach_conv(const tn_op *op, tn_reach *r) {
    int64_t groups = tn_attr_int(op, "group", 1);
    if (!is_image(r) || !tn_reach_same(r, 0, 0) || groups < 1 || r->extent[1] % groups != 0 ||
        r->in[1] % groups != 0 || r->extent[1] == 0) {
        return false;
    }
    int64_t *low = tn_reach_table(r, 1, 1), each = r->extent[1] / groups;
    for (int64_t m = 0; m < r->extent[1]; m++) {
        low[m] = m / each * (r->in[1] / groups);
    }
    return spatial(op, r);
}

/* Normalisation over neighbouring channels. */
bool tn_reach_lrn(const tn_op *op, tn_reach *r) {
    int64_t before = (tn_attr_int(op, "size", 0) - 1) / 2;
    if (before < 0 || r->rank < 2 || r->rank != r->in_rank || !tn_reach_same_axes(r, r->rank)) {
        return false;
    }
    int64_t *low = tn_reach_table(r, 1, 1);
    for (int64_t c = 0; c < r->extent[1]; c++) {
        low[c] = c > before ? c - before : 0;
    }
    return true;
}

/* One of two factors. Of its last two axes the result has one, counted from the end in both; along
 * the other the products are summed. Extents of 1 before these are broadcast. */
static bool factor(tn_reach *r, uint32_t kept_from_end, uint32_t back) {
    for (uint32_t i = 0; i + 2 < r->in_rank; i++) {
        int64_t axis = (int64_t)r->rank - r->in_rank + i;
        bool repeats = r->in[i] == 1 && axis >= 0 && r->extent[axis] != 1;
        if (axis < 0 || (!repeats && !tn_reach_same(r, i, (uint32_t)axis))) {
            return false;
        }
    }
    return tn_reach_same(r, r->in_rank - kept_from_end, r->rank - back);
}

/* Products of matrices with at least two axes each. */
bool tn_reach_matmul(const tn_op *op, tn_reach *r) {
    (void)op;
    if (r->in_rank < 2 || r->rank < 2) {
        return false;
    }
    return r->which == 0 ? factor(r, 2, 2) : factor(r, 1, 1);
}

bool tn_reach_gemm(const tn_op *op, tn_reach *r) {
    bool turned = tn_attr_int(op, r->which == 0 ? "transA" : "transB", 0) != 0;
    if (r->in_rank != 2 || r->rank != 2) {
        return false;
    }
    return r->which == 0 ? factor(r, turned ? 1 : 2, 2) : factor(r, turned ? 2 : 1, 1);
}

/* Where along the operand the element c of a resized axis lies, in the way the op says. */
static bool place_of(const char *mode, double c, double scale, int64_t in, int64_t out, double *x) {
    if (strcmp(mode, "asymmetric") == 0) {
        *x = c / scale;
    } else if (strcmp(mode, "half_pixel") == 0) {
        *x = (c + 0.5) / scale - 0.5;
    } else if (strcmp(mode, "pytorch_half_pixel") == 0) {
        *x = out > 1 ? (c + 0.5) / scale - 0.5 : 0;
    } else if (strcmp(mode, "align_corners") == 0) {
        *x = out > 1 ? c * (double)(in - 1) / (double)(out - 1) : 0;
    } else {
        return false;
    }
    return true;
}

/* The scale of axis i: as stated, else by the extents. */
static double scale_of(const tn_op *op, const tn_reach *r, uint32_t i) {
    for (uint32_t k = 1; k < op->n_operands; k++) {
        const tn_value *v = op->operands[k].value;
        const tn_tensor *t = v != NULL ? tn_value_tensor(v) : NULL;
        if (t != NULL && t->floats != NULL && t->n_elements == r->rank) {
            return t->floats[i];
        }
        if (v != NULL && v->float_content != NULL && v->n_content == r->rank) {
            return v->float_content[i];
        }
    }
    const tn_attr *a = tn_op_attr(op, "scales");
    return a != NULL && a->kind == TN_ATTR_FLOATS && a->n == r->rank
               ? a->u.floats[i]
               : (double)r->extent[i] / (double)r->in[i];
}

/* Resampling along each axis by itself. Kernels work the places out in single precision: a place
 * that is not exact in it counts as a little lower than it is. */
bool tn_reach_resize(const tn_op *op, tn_reach *r) {
    bool old = op->version != 0 && op->version < 11;
    const char *mode =
        old ? "asymmetric" : tn_attr_string(op, "coordinate_transformation_mode", "half_pixel");
    const char *kind = tn_attr_string(op, "mode", "nearest");
    bool known =
        strcmp(kind, "nearest") == 0 || strcmp(kind, "linear") == 0 || strcmp(kind, "cubic") == 0;
    if (r->rank != r->in_rank || !known || tn_attr_int(op, "antialias", 0) != 0 ||
        tn_op_attr(op, "axes") != NULL || tn_op_attr(op, "height_scale") != NULL) {
        return false;
    }
    for (uint32_t i = 0; i < r->rank; i++) {
        int64_t in = r->in[i], out = r->extent[i];
        double scale = in > 0 ? scale_of(op, r, i) : 0, x = 0;
        bool same = in == out && scale == 1;
        if (same && tn_reach_same(r, i, i)) {
            continue;
        }
        bool exact = strcmp(mode, "align_corners") != 0 && scale * (double)in == (double)out &&
                     (out % in == 0 || in % out == 0);
        int64_t *low = tn_reach_table(r, i, i);
        for (int64_t c = 0; c < out; c++) {
            if (!(scale > 0) || !place_of(mode, (double)c, scale, in, out, &x)) {
                return false;
            }
            double at = floor(x - (exact ? 0 : 1e-3 + x * 1e-5)) - (strcmp(kind, "cubic") == 0);
            low[c] = at <= 0 ? 0 : at >= (double)in - 1 ? in - 1 : (int64_t)at;
        }
    }
    return true;
}
