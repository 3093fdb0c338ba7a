/* Gradients of convolutions, as convolutions. */
#include "ir/gradient/grad_window.h"
#include "ir/ops/op_attrs.h"

#include <string.h>

enum { BATCH, CHANNELS, MAX_ATTRS = 6 };

static const tn_attr *resolved(const tn_attr *attrs, uint32_t n, const char *name) {
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(attrs[i].name, name) == 0) {
            return &attrs[i];
        }
    }
    return NULL;
}

static const int64_t *ints_of(tn_grad *g, const tn_attr *attrs, uint32_t n, const char *name,
                              uint32_t want) {
    const tn_attr *a = resolved(attrs, n, name);
    if (a != NULL && a->kind == TN_ATTR_INTS && a->n == want) {
        return a->u.ints;
    }
    if (a == NULL && strcmp(name, "dilations") == 0) { /* older versions of pooling have none */
        int64_t *ones = TN_ARRAY(g->e->scratch, int64_t, want + 1u);
        for (uint32_t i = 0; i < want; i++) {
            ones[i] = 1;
        }
        return ones;
    }
    tn_grad_fail(g, "its %s are not known before the run: " TN_GIVE_DIMENSIONS, name);
}

tn_grad_windows tn_grad_windows_of(tn_grad *g) {
    uint32_t n;
    const tn_attr *attrs = tn_op_resolve_attrs(g->e->m, g->op, g->e->scratch, &n);
    uint32_t rank = tn_emit_rank(g->e, tn_operand(g->op, 0)), axes = rank - TN_FIRST_SPATIAL;
    if (rank <= TN_FIRST_SPATIAL) {
        tn_grad_fail(g, "'%s' has no spatial axes", tn_operand(g->op, 0)->name);
    }
    return (tn_grad_windows){
        axes, ints_of(g, attrs, n, "kernel_shape", axes), ints_of(g, attrs, n, "strides", axes),
        ints_of(g, attrs, n, "dilations", axes), ints_of(g, attrs, n, "pads", 2 * axes)};
}

int64_t tn_grad_extent(tn_grad *g, const tn_value *v, uint32_t axis) {
    int64_t extent;
    if (!tn_dim_is_const(g->e->m->dims, v->type->dims[axis], &extent)) {
        tn_grad_fail(g, "it needs extent %u of '%s' as a number: %s", axis, v->name,
                     tn_emit_way_out(g->e, v, TN_GIVE_DIMENSIONS));
    }
    return extent;
}

const int64_t *tn_grad_spatial(tn_grad *g, const tn_value *v) {
    uint32_t n = tn_emit_rank(g->e, v) - TN_FIRST_SPATIAL;
    int64_t *extents = TN_ARRAY(g->e->scratch, int64_t, n + 1u);
    for (uint32_t i = 0; i < n; i++) {
        extents[i] = tn_grad_extent(g, v, TN_FIRST_SPATIAL + i);
    }
    return extents;
}

/* ---- the three convolutions ---- */

static bool all_are(const int64_t *x, uint32_t n, int64_t value) {
    for (uint32_t i = 0; i < n; i++) {
        if (x[i] != value) {
            return false;
        }
    }
    return true;
}

/* Attributes that say what is so anyway are left out. */
static uint32_t window_attrs(tn_emitter *e, const tn_grad_windows *w, int64_t group,
                             const int64_t *strides, const int64_t *dilations, const int64_t *pads,
                             tn_attr *attrs) {
    uint32_t n = 0;
    if (!all_are(dilations, w->n, 1)) {
        attrs[n++] = tn_attr_of_ints(e, "dilations", dilations, w->n);
    }
    if (group != 1) {
        attrs[n++] = tn_attr_of_int("group", group);
    }
    if (pads != NULL && !all_are(pads, 2 * w->n, 0)) {
        attrs[n++] = tn_attr_of_ints(e, "pads", pads, 2 * w->n);
    }
    if (!all_are(strides, w->n, 1)) {
        attrs[n++] = tn_attr_of_ints(e, "strides", strides, w->n);
    }
    return n;
}

tn_value *tn_grad_conv_transpose(tn_grad *g, tn_value *x, tn_value *weights,
                                 const tn_grad_windows *w, int64_t group, const int64_t *pads,
                                 const int64_t *output_padding) {
    tn_attr attrs[MAX_ATTRS];
    uint32_t n = window_attrs(g->e, w, group, w->strides, w->dilations, pads, attrs);
    if (output_padding != NULL && !all_are(output_padding, w->n, 0)) {
        attrs[n++] = tn_attr_of_ints(g->e, "output_padding", output_padding, w->n);
    }
    return tn_emit(g->e, "ConvTranspose", (tn_value *[]){x, weights}, 2, attrs, n);
}

tn_value *tn_grad_conv(tn_grad *g, tn_value *x, tn_value *weights, const tn_grad_windows *w,
                       int64_t group, const int64_t *pads) {
    tn_attr attrs[MAX_ATTRS];
    uint32_t n = window_attrs(g->e, w, group, w->strides, w->dilations, pads, attrs);
    return tn_emit(g->e, "Conv", (tn_value *[]){x, weights}, 2, attrs, n);
}

tn_value *tn_grad_unpad(tn_grad *g, tn_value *full, const tn_grad_windows *w,
                        const tn_value *like) {
    uint32_t rank = w->n + TN_FIRST_SPATIAL;
    int64_t *before = TN_ARRAY(g->e->scratch, int64_t, rank);
    int64_t *behind = TN_ARRAY(g->e->scratch, int64_t, rank);
    const int64_t *have = tn_grad_spatial(g, full), *want = tn_grad_spatial(g, like);
    for (uint32_t i = 0; i < w->n; i++) {
        before[TN_FIRST_SPATIAL + i] = -w->pads[i];
        behind[TN_FIRST_SPATIAL + i] = want[i] + w->pads[i] - have[i];
    }
    return tn_emit_pad(g->e, full, before, behind, rank);
}

/* The first extents[i] rows of each spatial axis. */
static tn_value *cropped(tn_grad *g, tn_value *v, const int64_t *extents) {
    const int64_t *have = tn_grad_spatial(g, v);
    for (uint32_t i = 0; i < tn_emit_rank(g->e, v) - TN_FIRST_SPATIAL; i++) {
        if (have[i] != extents[i]) {
            v = tn_emit_slice(g->e, v, TN_FIRST_SPATIAL + i, 0, extents[i]);
        }
    }
    return v;
}

static tn_value *exchanged(tn_grad *g, tn_value *v) {
    uint32_t rank = tn_emit_rank(g->e, v);
    int64_t *perm = TN_ARRAY(g->e->scratch, int64_t, rank);
    for (uint32_t i = 0; i < rank; i++) {
        perm[i] = i < TN_FIRST_SPATIAL ? 1 - (int64_t)i : (int64_t)i;
    }
    return tn_emit_transpose(g->e, v, perm, rank);
}

/* [N,g*C,...] as [C,g*N,...]: samples become channels, of as many groups. */
static tn_value *samples_as_channels(tn_grad *g, tn_value *v, int64_t group) {
    uint32_t rank = tn_emit_rank(g->e, v);
    if (group == 1) {
        return exchanged(g, v);
    }
    int64_t *split = TN_ARRAY(g->e->scratch, int64_t, rank + 1u);
    int64_t *perm = TN_ARRAY(g->e->scratch, int64_t, rank + 1u);
    int64_t *joined = TN_ARRAY(g->e->scratch, int64_t, rank);
    split[0] = 0; /* as it is */
    split[1] = group;
    joined[0] = split[2] = tn_grad_extent(g, v, CHANNELS) / group;
    joined[1] = -1;
    for (uint32_t i = 0; i <= rank; i++) {
        perm[i] = i < 3 ? 2 - (int64_t)i : (int64_t)i;
        if (i >= TN_FIRST_SPATIAL && i < rank) {
            split[i + 1] = joined[i] = tn_grad_extent(g, v, i);
        }
    }
    v = tn_emit_reshape(g->e, v, split, rank + 1);
    return tn_emit_reshape(g->e, tn_emit_transpose(g->e, v, perm, rank + 1), joined, rank);
}

/* Each element of the kernel's gradient is a product of x with y, shifted: a convolution in which
 * strides and dilations change places. [C,M,...], of which windows may leave some rows over. */
static tn_value *shifted(tn_grad *g, tn_value *x, tn_value *y, const tn_grad_windows *w,
                         int64_t group) {
    tn_attr attrs[MAX_ATTRS];
    uint32_t n = window_attrs(g->e, w, group, w->dilations, w->strides, w->pads, attrs);
    tn_value *both[2];
    both[0] = samples_as_channels(g, x, group);
    both[1] = exchanged(g, y);
    return tn_emit(g->e, "Conv", both, 2, attrs, n);
}

static int64_t largest(tn_emitter *e) {
    e->largest = e->largest == 0 ? tn_emit_largest(e) : e->largest;
    return e->largest;
}

/* In how many parts samples are taken: copies of all of them in another order would lie beside x
 * and y. Where they are no larger than what exists anyway, that costs less than more ops do. */
static uint32_t parts_of(tn_grad *g, const tn_value *x, const tn_value *y) {
    enum { MOST = 8 };
    int64_t samples, bytes[2];
    uint32_t n = MOST;
    if (!tn_dim_is_const(g->e->m->dims, x->type->dims[BATCH], &samples) || samples < 1 ||
        !tn_type_fixed_bytes(g->e->m->dims, x->type, &bytes[0]) ||
        !tn_type_fixed_bytes(g->e->m->dims, y->type, &bytes[1]) ||
        bytes[0] + bytes[1] < largest(g->e)) {
        return 1;
    }
    while (samples % n != 0) {
        n--;
    }
    return n;
}

/* The gradient by the weights of the convolution that makes y of x. */
static tn_value *by_shifts(tn_grad *g, tn_value *x, tn_value *y, const tn_grad_windows *w,
                           int64_t group) {
    uint32_t n = parts_of(g, x, y);
    int64_t *samples = TN_ARRAY(g->e->scratch, int64_t, n);
    for (uint32_t i = 0; i < n && n > 1; i++) {
        samples[i] = tn_grad_extent(g, x, BATCH) / n;
    }
    tn_value **xs = tn_emit_split(g->e, x, BATCH, n, samples);
    tn_value **ys = tn_emit_split(g->e, y, BATCH, n, samples);
    tn_value *full = shifted(g, xs[0], ys[0], w, group);
    for (uint32_t i = 1; i < n; i++) {
        tn_value *part = shifted(g, xs[i], ys[i], w, group);
        full = tn_emit_2(g->e, "Add", full, part);
    }
    return exchanged(g, cropped(g, full, w->kernel));
}

/* Each stride[i]th row of each spatial axis, extents[i] of them. */
static tn_value *strided(tn_grad *g, tn_value *v, const int64_t *strides, const int64_t *extents) {
    for (uint32_t i = 0; i < tn_emit_rank(g->e, v) - TN_FIRST_SPATIAL; i++) {
        if (strides[i] != 1) {
            int64_t from = 0, to = (extents[i] - 1) * strides[i] + 1, axis = TN_FIRST_SPATIAL + i;
            const int64_t *numbers[] = {&from, &to, &axis, &strides[i]};
            tn_value *in[5] = {v};
            for (uint32_t k = 0; k < 4; k++) {
                in[k + 1] = tn_emit_ints(g->e, numbers[k], 1);
            }
            v = tn_emit(g->e, "Slice", in, 5, NULL, 0);
        }
    }
    return cropped(g, v, extents);
}

/* [N,g*C,...] as [N,g,C,all places]. */
static tn_value *places_of(tn_grad *g, tn_value *v, int64_t group) {
    int64_t dims[] = {0, group, tn_grad_extent(g, v, CHANNELS) / group, -1};
    return tn_emit_reshape(g->e, v, dims, 4);
}

/* Of windows of one element: products over samples and places. */
static tn_value *by_points(tn_grad *g, tn_value *x, tn_value *y, const tn_grad_windows *w,
                           int64_t group) {
    uint32_t rank = tn_emit_rank(g->e, x);
    int64_t *dims = TN_ARRAY(g->e->scratch, int64_t, rank);
    tn_attr sum = tn_attr_of_text(g->e, "equation", "ngmx,ngcx->gmc");
    tn_value *both[2];
    both[0] = places_of(g, y, group);
    bool steps = !all_are(w->strides, w->n, 1);
    x = steps ? strided(g, x, w->strides, tn_grad_spatial(g, y)) : x;
    both[1] = places_of(g, x, group);
    for (uint32_t i = 0; i < rank; i++) {
        dims[i] = i == 0   ? tn_grad_extent(g, y, CHANNELS)
                  : i == 1 ? tn_grad_extent(g, x, CHANNELS) / group
                           : 1;
    }
    return tn_emit_reshape(g->e, tn_emit(g->e, "Einsum", both, 2, &sum, 1), dims, rank);
}

/* Of windows over one channel each: of each sample by itself, and summed then. */
static tn_value *by_samples(tn_grad *g, tn_value *x, tn_value *y, const tn_grad_windows *w,
                            int64_t samples) {
    uint32_t rank = tn_emit_rank(g->e, x), n;
    int64_t *in = TN_ARRAY(g->e->scratch, int64_t, rank);
    int64_t *kernel = TN_ARRAY(g->e->scratch, int64_t, rank);
    int64_t *each = TN_ARRAY(g->e->scratch, int64_t, rank + 1u), first = 0;
    int64_t group = samples * tn_grad_extent(g, x, CHANNELS);
    tn_attr attrs[MAX_ATTRS];
    in[0] = kernel[1] = each[2] = 1;
    in[1] = group;
    kernel[0] = samples * tn_grad_extent(g, y, CHANNELS);
    each[0] = samples;
    each[1] = tn_grad_extent(g, y, CHANNELS);
    for (uint32_t i = TN_FIRST_SPATIAL; i < rank; i++) {
        in[i] = tn_grad_extent(g, x, i);
        kernel[i] = tn_grad_extent(g, y, i);
        each[i + 1] = w->kernel[i - TN_FIRST_SPATIAL];
    }
    n = window_attrs(g->e, w, group, w->dilations, w->strides, w->pads, attrs);
    tn_value *both[2];
    both[0] = tn_emit_reshape(g->e, x, in, rank);
    both[1] = tn_emit_reshape(g->e, y, kernel, rank);
    tn_value *full = cropped(g, tn_emit(g->e, "Conv", both, 2, attrs, n), w->kernel);
    return tn_emit_reduce(g->e, "ReduceSum", tn_emit_reshape(g->e, full, each, rank + 1), &first, 1,
                          false);
}

/* In a form that needs no copies of x and y with their axes in another order, where there is one.
 */
static tn_value *by_weights(tn_grad *g, tn_value *x, tn_value *y, const tn_grad_windows *w) {
    const tn_dims *dims = g->e->m->dims;
    int64_t group = tn_grad_int(g, "group", 1), samples, channels;
    bool points = all_are(w->kernel, w->n, 1) && all_are(w->pads, 2 * w->n, 0);
    if (points && tn_emit_can(g->e, "Einsum", NULL)) {
        return by_points(g, x, y, w, group);
    }
    if (tn_dim_is_const(dims, x->type->dims[BATCH], &samples) &&
        tn_dim_is_const(dims, x->type->dims[CHANNELS], &channels) && channels == group) {
        return by_samples(g, x, y, w, samples);
    }
    return by_shifts(g, x, y, w, group);
}

/* ---- Conv(X, W, B) ---- */

/* Rows at the end of an axis that no window reaches, since it moves by strides. */
static const int64_t *unreached(tn_grad *g, const tn_value *x, const tn_value *y,
                                const tn_grad_windows *w) {
    int64_t *rest = TN_ARRAY(g->e->scratch, int64_t, w->n);
    if (!all_are(w->strides, w->n, 1)) {
        const int64_t *in = tn_grad_spatial(g, x), *out = tn_grad_spatial(g, y);
        for (uint32_t i = 0; i < w->n; i++) {
            rest[i] = in[i] + w->pads[i] + w->pads[w->n + i] -
                      w->dilations[i] * (w->kernel[i] - 1) - 1 - w->strides[i] * (out[i] - 1);
        }
    }
    return rest;
}

tn_value *tn_grad_conv_x(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_grad_windows w = tn_grad_windows_of(g);
    return tn_grad_conv_transpose(g, args[1], args[0], &w, tn_grad_int(g, "group", 1), w.pads,
                                  unreached(g, g->x, g->d, &w));
}

tn_value *tn_grad_conv_w(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_grad_windows w = tn_grad_windows_of(g);
    return by_weights(g, args[0], args[1], &w);
}

/* ---- ConvTranspose(X, W, B) ---- */

tn_value *tn_grad_conv_transpose_x(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_grad_windows w = tn_grad_windows_of(g);
    tn_value *full = tn_grad_conv(g, args[1], args[0], &w, tn_grad_int(g, "group", 1), w.pads);
    return all_are(w.strides, w.n, 1) ? full : cropped(g, full, tn_grad_spatial(g, g->x));
}

tn_value *tn_grad_conv_transpose_w(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_grad_windows w = tn_grad_windows_of(g);
    return by_weights(g, args[1], args[0], &w);
}
