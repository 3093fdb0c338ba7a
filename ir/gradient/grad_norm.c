/* Gradients of normalisations: y = (x - mean) * inverse * scale + bias, where inverse is
 * 1 / sqrt(variance + epsilon), over axes that differ.
 *
 * With h = (x - mean) * inverse and s = d * scale: dx = inverse * (s - mean(s) - h * mean(s * h)).
 * What is kept in less than 32 bits is computed in 32. */
#include "ir/gradient/grad_axes.h"

static tn_value *mul(tn_grad *g, tn_value *a, tn_value *b) {
    return tn_emit_2(g->e, "Mul", a, b);
}

static tn_value *sub(tn_grad *g, tn_value *a, tn_value *b) {
    return tn_emit_2(g->e, "Sub", a, b);
}

static bool is_narrow(const tn_value *v) {
    return v->type->dtype == TN_DT_FLOAT16 || v->type->dtype == TN_DT_BFLOAT16;
}

static tn_value *wide(tn_grad *g, tn_value *v) {
    return v != NULL && is_narrow(v) ? tn_emit_cast(g->e, v, TN_DT_FLOAT) : v;
}

static tn_value *wide_product(tn_grad *g, tn_value *a, tn_value *b) {
    a = wide(g, a);
    return mul(g, a, wide(g, b));
}

static tn_value *like_operand(tn_grad *g, tn_value *v) {
    return tn_emit_cast(g->e, v, g->x->type->dtype);
}

/* What was normalised, and by what. */
typedef struct normalised {
    tn_grad_mean mean_of;
    bool centred;
    tn_value *hat, *inverse;
} normalised;

/* `mean` and `inverse` as the op has stated them, or NULL: then they are computed again. */
static normalised normalise(tn_grad *g, tn_grad_mean mean_of, bool centred, tn_value *x,
                            tn_value *mean, tn_value *inverse) {
    x = wide(g, x);
    tn_value *from =
        !centred
            ? x
            : sub(g, x, mean != NULL ? tn_emit_cast(g->e, mean, x->type->dtype) : mean_of(g, x));
    if (inverse == NULL) {
        tn_value *epsilon = tn_emit_scalar(g->e, x->type->dtype,
                                           tn_grad_float(g, "epsilon", tn_grad_float(g, "eps", 0)));
        tn_value *variance = tn_emit_2(g->e, "Add", mean_of(g, mul(g, from, from)), epsilon);
        inverse = tn_emit_1(g->e, "Reciprocal", tn_emit_1(g->e, "Sqrt", variance));
    }
    inverse = tn_emit_cast(g->e, inverse, x->type->dtype);
    return (normalised){mean_of, centred, mul(g, from, inverse), inverse};
}

/* dx for the gradient s of h; both in the shape of x. */
static tn_value *by_x(tn_grad *g, const normalised *n, tn_value *s) {
    tn_value *rest = n->centred ? sub(g, s, n->mean_of(g, s)) : s;
    tn_value *along = mul(g, n->hat, n->mean_of(g, mul(g, s, n->hat)));
    return mul(g, n->inverse, sub(g, rest, along));
}

/* ---- over the last axes ---- */

/* How many elements have a statistic in common. */
static tn_value *tail_count(tn_grad *g, tn_dtype dtype) {
    uint32_t rank = tn_emit_rank(g->e, g->x);
    int64_t axis = tn_grad_int(g, "axis", -1), count = 1;
    const int64_t *extents = tn_emit_extents(g->e, g->x);
    for (uint32_t i = (uint32_t)(axis < 0 ? axis + (int64_t)rank : axis); i < rank; i++) {
        count *= extents[i];
    }
    return tn_emit_scalar(g->e, dtype, (double)count);
}

/* What flows back through the statistics that the op states: d mean / dx = 1/m and
 * d inverse / dx = -inverse^2 * h / m. */
static tn_value *with_statistics(tn_grad *g, const normalised *n, tn_value *dx) {
    tn_value *ds[2] = {NULL, NULL};
    for (uint32_t k = 0; k < 2; k++) {
        tn_value *d = k + 1 < g->op->n_results ? g->ds[k + 1] : NULL;
        ds[k] = d != NULL ? tn_emit_cast(g->e, d, n->hat->type->dtype) : NULL;
    }
    tn_value *d_mean = ds[0], *d_inverse = ds[1];
    if (d_inverse != NULL) {
        tn_value *slope = mul(g, d_inverse, mul(g, n->inverse, n->inverse));
        tn_value *along = tn_emit_2(g->e, "Div", slope, tail_count(g, slope->type->dtype));
        along = tn_emit_1(g->e, "Neg", mul(g, n->hat, along));
        dx = dx != NULL ? tn_emit_2(g->e, "Add", dx, along) : along;
    }
    if (d_mean != NULL) {
        tn_value *each = tn_emit_2(g->e, "Div", d_mean, tail_count(g, d_mean->type->dtype));
        dx = dx != NULL ? tn_emit_2(g->e, "Add", dx, each) : tn_emit_expand_like(g->e, each, g->x);
    }
    return dx;
}

tn_value *tn_grad_layer_norm_x(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    normalised h = normalise(g, tn_grad_tail_mean, true, args[0], args[3], args[4]);
    tn_value *d = args[2];
    tn_value *dx = d != NULL ? by_x(g, &h, wide_product(g, d, args[1])) : NULL;
    return like_operand(g, with_statistics(g, &h, dx));
}

tn_value *tn_grad_layer_norm_scale(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    if (args[1] == NULL) {
        return NULL; /* only the statistics flow back, which the scale is no part of */
    }
    normalised h = normalise(g, tn_grad_tail_mean, true, args[0], args[2], args[3]);
    return like_operand(g, tn_emit_sum_to(g->e, mul(g, wide(g, args[1]), h.hat), g->x));
}

tn_value *tn_grad_rms_norm_x(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    normalised h = normalise(g, tn_grad_tail_mean, false, args[0], NULL, NULL);
    return like_operand(g, by_x(g, &h, wide_product(g, args[2], args[1])));
}

tn_value *tn_grad_rms_norm_scale(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    normalised h = normalise(g, tn_grad_tail_mean, false, args[0], NULL, NULL);
    return like_operand(g, tn_emit_sum_to(g->e, mul(g, wide(g, args[1]), h.hat), g->x));
}

/* ---- of a sum of input, skip and bias: args begin with these and with the sum, where the op gives
 * it ---- */

static tn_value *summed(tn_grad *g, tn_value *const *args) {
    if (args[3] != NULL) {
        return args[3];
    }
    tn_value *sum = tn_emit_2(g->e, "Add", args[0], args[1]);
    return args[2] != NULL ? tn_emit_2(g->e, "Add", sum, args[2]) : sum;
}

/* args: ..., gamma, d. */
static tn_value *skip_x(tn_grad *g, tn_value *const *args, bool centred) {
    enum { SUM = 3 };
    tn_value *d = args[5], *dx = NULL;
    tn_value *d_sum = g->op->n_results > SUM ? g->ds[SUM] : NULL;
    if (d != NULL) {
        normalised h = normalise(g, tn_grad_tail_mean, centred, summed(g, args), NULL, NULL);
        dx = like_operand(g, by_x(g, &h, wide_product(g, d, args[4])));
    }
    return dx == NULL ? d_sum : d_sum == NULL ? dx : tn_emit_2(g->e, "Add", dx, d_sum);
}

/* args: ..., d. */
static tn_value *skip_scale(tn_grad *g, tn_value *const *args, bool centred) {
    if (args[4] == NULL) {
        return NULL;
    }
    normalised h = normalise(g, tn_grad_tail_mean, centred, summed(g, args), NULL, NULL);
    return like_operand(g, tn_emit_sum_to(g->e, mul(g, wide(g, args[4]), h.hat), g->x));
}

tn_value *tn_grad_skip_norm_x(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    return skip_x(g, args, true);
}

tn_value *tn_grad_skip_norm_scale(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    return skip_scale(g, args, true);
}

tn_value *tn_grad_skip_rms_norm_x(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    return skip_x(g, args, false);
}

tn_value *tn_grad_skip_rms_norm_scale(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    return skip_scale(g, args, false);
}

/* ---- by channels ---- */

static tn_value *scaled(tn_grad *g, tn_value *d, tn_value *scale) {
    tn_value *flowing = wide(g, d);
    return mul(g, flowing, tn_grad_beside_channels(g, wide(g, scale), tn_emit_rank(g->e, d)));
}

static tn_value *channels_x(tn_grad *g, tn_grad_mean mean_of, tn_value *const *args) {
    normalised h = normalise(g, mean_of, true, args[0], NULL, NULL);
    return like_operand(g, by_x(g, &h, scaled(g, args[2], args[1])));
}

static tn_value *channels_scale(tn_grad *g, tn_grad_mean mean_of, tn_value *const *args) {
    normalised h = normalise(g, mean_of, true, args[0], NULL, NULL);
    return like_operand(g, tn_grad_per_channel(g, mul(g, wide(g, args[1]), h.hat)));
}

tn_value *tn_grad_batch_norm_x(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    return channels_x(g, tn_grad_channel_mean, args);
}

tn_value *tn_grad_batch_norm_scale(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    return channels_scale(g, tn_grad_channel_mean, args);
}

tn_value *tn_grad_instance_norm_x(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    return channels_x(g, tn_grad_spatial_mean, args);
}

tn_value *tn_grad_instance_norm_scale(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    return channels_scale(g, tn_grad_spatial_mean, args);
}

/* ---- by groups of channels ---- */

/* [N,C,...] as [N,groups,elements of one]. */
static tn_value *grouped(tn_grad *g, tn_value *v) {
    int64_t dims[] = {0, tn_grad_int(g, "num_groups", 1), -1};
    return tn_emit_reshape(g->e, v, dims, 3);
}

/* Before version 21 there is a scale for each group. */
static bool is_of_groups(tn_grad *g, const tn_value *scale) {
    int64_t extent = 0, groups = tn_grad_int(g, "num_groups", 1), channels = 0;
    const tn_type *x = tn_operand(g->op, 0)->type;
    return tn_dim_is_const(g->e->m->dims, scale->type->dims[0], &extent) && extent == groups &&
           !(tn_dim_is_const(g->e->m->dims, x->dims[1], &channels) && channels == groups);
}

tn_value *tn_grad_group_norm_x(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_value *x = args[0], *scale = args[1], *d = args[2];
    normalised h = normalise(g, tn_grad_spatial_mean, true, grouped(g, x), NULL, NULL);
    tn_value *s =
        is_of_groups(g, scale) ? scaled(g, grouped(g, d), scale) : grouped(g, scaled(g, d, scale));
    return like_operand(g, tn_emit_reshape_like(g->e, by_x(g, &h, s), x));
}

/* Of the products p, whose shape is x's, for scale or bias. */
static tn_value *per_scale(tn_grad *g, tn_value *p) {
    return tn_grad_per_channel(g, is_of_groups(g, g->x) ? grouped(g, p) : p);
}

tn_value *tn_grad_group_norm_scale(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_value *x = args[0], *d = args[1];
    normalised h = normalise(g, tn_grad_spatial_mean, true, grouped(g, x), NULL, NULL);
    tn_value *hat = tn_emit_reshape_like(g->e, h.hat, x);
    return like_operand(g, per_scale(g, mul(g, wide(g, d), hat)));
}

tn_value *tn_grad_group_norm_bias(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    return per_scale(g, args[0]);
}

/* ---- without a scale ---- */

tn_value *tn_grad_mean_variance_norm(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    normalised h = normalise(g, tn_grad_listed_mean, true, args[0], NULL, NULL);
    return like_operand(g, by_x(g, &h, wide(g, args[1])));
}

/* Sums over neighbouring channels are a convolution whose kernel has one element: of channel c,
 * those from c - before on. `back`: of the channels that c is a neighbour of. */
static tn_value *neighbours(tn_grad *g, tn_value *v, int64_t size, bool back) {
    int64_t before = (size - 1) / 2, behind = size - 1 - before, channels;
    uint32_t rank = tn_emit_rank(g->e, v);
    if (rank < 3 || !tn_dim_is_const(g->e->m->dims, v->type->dims[1], &channels)) {
        tn_grad_fail(g, "'%s' must have spatial axes and a known number of channels", v->name);
    }
    double *band = TN_ARRAY(g->e->scratch, double, (size_t)(channels * channels));
    int64_t *dims = TN_ARRAY(g->e->scratch, int64_t, rank);
    for (uint32_t i = 0; i < rank; i++) {
        dims[i] = i < 2 ? channels : 1;
    }
    for (int64_t c = 0; c < channels; c++) {
        for (int64_t k = 0; k < channels; k++) {
            int64_t away = back ? c - k : k - c;
            band[c * channels + k] = away >= -before && away <= behind;
        }
    }
    return tn_emit_2(g->e, "Conv", v,
                     tn_emit_floats(g->e, "grad_band", v->type->dtype, rank, dims, band,
                                    (uint32_t)(channels * channels)));
}

/* y = x * s^-beta with s = bias + alpha/size * (sum of x^2 over neighbours). */
tn_value *tn_grad_lrn(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_value *x = args[0], *y = args[1], *d = args[2];
    int64_t size = tn_grad_int(g, "size", 1);
    double alpha = tn_grad_float(g, "alpha", 1e-4) / (double)size;
    tn_dtype dtype = x->type->dtype;
    double beta = tn_grad_float(g, "beta", 0.75);
    tn_value *sum = neighbours(g, mul(g, x, x), size, false);
    sum = mul(g, sum, tn_emit_scalar(g->e, dtype, alpha));
    tn_value *s =
        tn_emit_2(g->e, "Add", sum, tn_emit_scalar(g->e, dtype, tn_grad_float(g, "bias", 1)));
    tn_value *own = mul(g, d, tn_emit_2(g->e, "Pow", s, tn_emit_scalar(g->e, dtype, -beta)));
    tn_value *shares = neighbours(g, tn_emit_2(g->e, "Div", mul(g, d, y), s), size, true);
    tn_value *others = mul(g, x, shares);
    others = mul(g, others, tn_emit_scalar(g->e, dtype, 2 * alpha * beta));
    return sub(g, own, others);
}
