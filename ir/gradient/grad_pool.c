/* Gradients of pooling. */
#include "ir/gradient/grad_window.h"

/* Every element of d to all elements of its window: a transposed convolution with ones, without
 * pads, which is then cut (or filled up) to the extents of x. */
static tn_value *to_windows(tn_grad *g, tn_value *d, const tn_grad_windows *w) {
    uint32_t rank = w->n + TN_FIRST_SPATIAL;
    int64_t channels = tn_grad_extent(g, d, 1), size = channels;
    int64_t *dims = TN_ARRAY(g->e->scratch, int64_t, rank);
    dims[0] = channels;
    dims[1] = 1;
    for (uint32_t i = 0; i < w->n; i++) {
        dims[TN_FIRST_SPATIAL + i] = w->kernel[i];
        size *= w->kernel[i];
    }
    double *ones = TN_ARRAY(g->e->scratch, double, (size_t)size);
    for (int64_t i = 0; i < size; i++) {
        ones[i] = 1;
    }
    tn_value *weights =
        tn_emit_floats(g->e, "grad_window", d->type->dtype, rank, dims, ones, (uint32_t)size);
    tn_value *full = tn_grad_conv_transpose(g, d, weights, w, channels, NULL, NULL);
    return tn_grad_unpad(g, full, w, g->x);
}

/* ---- averages ---- */

/* How many elements window `at` along axis i is an average of: those of x, or with
 * count_include_pad those of x and its pads. */
static int64_t counted(const tn_grad_windows *w, uint32_t i, int64_t at, int64_t extent,
                       bool pads) {
    int64_t count = 0, low = pads ? -w->pads[i] : 0, high = extent + (pads ? w->pads[w->n + i] : 0);
    for (int64_t k = 0; k < w->kernel[i]; k++) {
        int64_t row = at * w->strides[i] - w->pads[i] + k * w->dilations[i];
        count += row >= low && row < high;
    }
    return count;
}

/* The counts of all windows as [1,1,...], or one where all are equal. */
static tn_value *counts(tn_grad *g, const tn_grad_windows *w, const tn_value *d) {
    const int64_t *in = tn_grad_spatial(g, g->x), *out = tn_grad_spatial(g, d);
    bool pads = tn_grad_int(g, "count_include_pad", 0) != 0, equal = true;
    int64_t *dims = TN_ARRAY(g->e->scratch, int64_t, w->n + TN_FIRST_SPATIAL), size = 1;
    dims[0] = dims[1] = 1;
    for (uint32_t i = 0; i < w->n; i++) {
        size *= dims[TN_FIRST_SPATIAL + i] = out[i];
    }
    double *map = TN_ARRAY(g->e->scratch, double, (size_t)size + 1u);
    for (int64_t k = 0; k < size; k++) {
        int64_t rest = k;
        map[k] = 1;
        for (uint32_t i = w->n; i-- > 0;) {
            map[k] *= (double)counted(w, i, rest % out[i], in[i], pads);
            rest /= out[i];
        }
        equal &= map[k] == map[0];
    }
    return equal ? tn_emit_scalar(g->e, d->type->dtype, map[0])
                 : tn_emit_floats(g->e, "grad_counts", d->type->dtype, w->n + TN_FIRST_SPATIAL,
                                  dims, map, (uint32_t)size);
}

tn_value *tn_grad_average_pool(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_grad_windows w = tn_grad_windows_of(g);
    tn_value *share = tn_emit_2(g->e, "Div", args[0], counts(g, &w, args[0]));
    return to_windows(g, share, &w);
}

tn_value *tn_grad_global_average_pool(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    const int64_t *extents = tn_grad_spatial(g, g->x);
    double count = 1;
    for (uint32_t i = 0; i + TN_FIRST_SPATIAL < tn_emit_rank(g->e, g->x); i++) {
        count *= (double)extents[i];
    }
    tn_value *number = tn_emit_scalar(g->e, args[0]->type->dtype, count);
    return tn_emit_expand_like(g->e, tn_emit_2(g->e, "Div", args[0], number), g->x);
}

/* ---- norms: dx = d * sign(x) |x|^(p-1) * y^(1-p) ---- */

/* Where y is 0 so is x, and its gradient. */
static tn_value *divided(tn_grad *g, tn_value *d, tn_value *y, double p) {
    tn_dtype dtype = d->type->dtype;
    tn_value *least = tn_emit_scalar(g->e, dtype, dtype == TN_DT_FLOAT16 ? 1e-6 : 1e-30);
    tn_value *power = p == 2 ? y : tn_emit_2(g->e, "Pow", y, tn_emit_scalar(g->e, dtype, p - 1));
    return p == 1 ? d : tn_emit_2(g->e, "Div", d, tn_emit_2(g->e, "Max", power, least));
}

static tn_value *powered(tn_grad *g, tn_value *x, double p) {
    if (p == 2) {
        return x;
    }
    tn_value *sign = tn_emit_1(g->e, "Sign", x);
    tn_value *number = tn_emit_scalar(g->e, x->type->dtype, p - 1);
    tn_value *size = tn_emit_2(g->e, "Pow", tn_emit_1(g->e, "Abs", x), number);
    return p == 1 ? sign : tn_emit_2(g->e, "Mul", sign, size);
}

static double norm_of(const tn_grad *g) {
    return tn_grad_float(g, "p", (double)tn_grad_int(g, "p", 2));
}

tn_value *tn_grad_lp_pool(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_grad_windows w = tn_grad_windows_of(g);
    double p = norm_of(g);
    tn_value *share = to_windows(g, divided(g, args[2], args[1], p), &w);
    return tn_emit_2(g->e, "Mul", powered(g, args[0], p), share);
}

tn_value *tn_grad_global_lp_pool(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    double p = norm_of(g);
    tn_value *slope = powered(g, args[0], p);
    return tn_emit_2(g->e, "Mul", slope, divided(g, args[2], args[1], p));
}
