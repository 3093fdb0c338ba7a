/* The arithmetic of sliding windows, shared by convolutions and pooling. */
#include <string.h>

#include "ir/infer/common.h"

/* A window that is larger than all there is, is a mistake, not an empty result. An empty image may
 * give an empty one. */
static tn_dim counted(tn_infer *in, tn_dim count, tn_dim reach, tn_dim x, const tn_window *w) {
    int64_t n, span, extent;
    if (tn_dim_is_const(in->dims, count, &n) && n <= 0 && tn_dim_is_const(in->dims, reach, &span) &&
        tn_dim_is_const(in->dims, x, &extent) && (n < 0 || extent > 0)) {
        tn_infer_conflict(
            in, "a window of %lld does not fit an extent of %lld with pads %lld and %lld",
            (long long)span, (long long)extent, (long long)w->pad_begin, (long long)w->pad_end);
    }
    return count;
}

/* With rounding up, a last window that starts in the padding after the input is dropped: the count
 * is at most that of windows starting before x + pad_begin. */
tn_dim tn_window_out(tn_infer *in, tn_dim x, const tn_window *w) {
    tn_dims *d = in->dims;
    tn_dim stride = tn_in_const(in, w->stride), one = tn_in_const(in, 1);
    if (w->same) {
        return tn_dim_ceildiv(d, x, stride);
    }
    tn_dim reach = tn_dim_add(
        d, tn_dim_mul(d, tn_dim_sub(d, w->kernel, one), tn_in_const(in, w->dilation)), one);
    tn_dim padded = tn_dim_add(d, x, tn_in_const(in, w->pad_begin));
    tn_dim span = tn_dim_sub(d, tn_dim_add(d, padded, tn_in_const(in, w->pad_end)), reach);
    if (!w->ceil) {
        return counted(in, tn_dim_add(d, tn_dim_floordiv(d, span, stride), one), reach, x, w);
    }
    return counted(in,
                   tn_dim_min(d, tn_dim_add(d, tn_dim_ceildiv(d, span, stride), one),
                              tn_dim_ceildiv(d, padded, stride)),
                   reach, x, w);
}

/* The ints of `name`, or NULL when absent; a conflict when there are not `n`. */
static const int64_t *list(tn_infer *in, const char *name, uint32_t n) {
    uint32_t have;
    const int64_t *ints = tn_attr_ints(in->op, name, &have);
    if (ints != NULL && have != n) {
        tn_infer_conflict(in, "attribute %s has %u entries, expected %u", name, have, n);
        return NULL;
    }
    return ints;
}

/* Pads are added up before they meet a checked sum. */
static bool is_pad(int64_t pad) {
    return pad >= INT32_MIN && pad <= INT32_MAX;
}

tn_window *tn_attr_windows(tn_infer *in, uint32_t n) {
    const int64_t *strides = list(in, "strides", n), *dilations = list(in, "dilations", n);
    const char *auto_pad = tn_attr_string(in->op, "auto_pad", "NOTSET");
    bool same = strncmp(auto_pad, "SAME_", 5) == 0, valid = strcmp(auto_pad, "VALID") == 0;
    const int64_t *pads = same || valid ? NULL : list(in, "pads", 2 * n);
    if (in->failed) {
        return NULL;
    }
    tn_window *w = TN_ARRAY(in->scratch, tn_window, n + 1u);
    for (uint32_t i = 0; i < n; i++) {
        w[i] = (tn_window){.stride = strides != NULL ? strides[i] : 1,
                           .dilation = dilations != NULL ? dilations[i] : 1,
                           .pad_begin = pads != NULL ? pads[i] : 0,
                           .pad_end = pads != NULL ? pads[n + i] : 0,
                           .same = same,
                           .ceil = tn_attr_int(in->op, "ceil_mode", 0) != 0};
        if (w[i].stride < 1 || w[i].dilation < 1 || !is_pad(w[i].pad_begin) ||
            !is_pad(w[i].pad_end)) {
            tn_infer_conflict(
                in,
                "axis %u: stride %lld and dilation %lld must be at least 1, pads %lld "
                "and %lld of 32 bits",
                i, (long long)w[i].stride, (long long)w[i].dilation, (long long)w[i].pad_begin,
                (long long)w[i].pad_end);
            return NULL;
        }
    }
    return w;
}
