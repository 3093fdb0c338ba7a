/* Windows that slide over images: convolutions and pools of one, two or three axes, channels on
 * axis 1. */
#include <string.h>

#include "ir/compute/nest_rules.h"

/* A window over the spatial axes of operand 0; the axes of the nest that it makes. */
typedef struct window {
    uint32_t axes;
    int64_t kernel[3], stride[3], dilation[3], pad[3];
} window;

static bool window_of(const tn_compute *c, const tn_compute_value *x, const int64_t *kernel,
                      window *w) {
    const char *pad = tn_compute_text(c, "auto_pad");
    w->axes = x->rank - 2;
    bool none = strcmp(pad, "VALID") == 0, stated = pad[0] == '\0' || strcmp(pad, "NOTSET") == 0;
    if (x->rank < 3 || x->rank > 5 || (!none && !stated)) {
        return false;
    }
    for (uint32_t i = 0; i < w->axes; i++) {
        w->kernel[i] = kernel[i];
        w->stride[i] = tn_compute_ints(c, "strides", i, 1);
        w->dilation[i] = tn_compute_ints(c, "dilations", i, 1);
        w->pad[i] = tn_compute_ints(c, "pads", i, 0);
        if (w->kernel[i] <= 0 || w->stride[i] <= 0 || w->dilation[i] <= 0 ||
            (none && (w->pad[i] != 0 || tn_compute_ints(c, "pads", w->axes + i, 0) != 0))) {
            return false;
        }
    }
    return true;
}

/* Adds the taps as axes of the stage; the spatial axes of the result are `first` and those behind
 * it. Adds to `x` where an element of the image lies, and guards what is outside. */
static void add_taps(tn_nest *n, tn_nest_stage *s, const window *w, const tn_compute_value *image,
                     uint32_t first, tn_affine *x) {
    int64_t steps[TN_NEST_AXES];
    tn_compute_steps(image, steps);
    for (uint32_t i = 0; i < w->axes; i++) {
        uint32_t tap = tn_nest_axis(n, w->kernel[i]);
        tn_affine at = {.base = -w->pad[i]};
        at.by[first + i] = w->stride[i];
        at.by[tap] = w->dilation[i];
        x->base += at.base * steps[2 + i];
        x->by[first + i] += at.by[first + i] * steps[2 + i];
        x->by[tap] += at.by[tap] * steps[2 + i];
        int64_t least, most, end = image->dims[2 + i];
        tn_affine_range(n, &at, 0, n->n_axes, &least, &most);
        if (least < 0 || most >= end) {
            s->guards[s->n_guards++] = (tn_nest_guard){at, end};
        }
    }
}

tn_nest *tn_compute_conv_of(tn_compute *c, uint32_t image_at, uint32_t filter_at, tn_affine *of) {
    const tn_compute_value *x = tn_compute_operand(c, image_at),
                           *k = tn_compute_operand(c, filter_at), *y = &c->results[0];
    int64_t groups = tn_compute_int(c, "group", 1), steps[TN_NEST_AXES];
    window w;
    if (x->rank != k->rank || groups <= 0 || x->dims[1] % groups != 0 || y->dims[1] % groups != 0 ||
        k->dims[1] != x->dims[1] / groups || !window_of(c, x, k->dims + 2, &w)) {
        return NULL;
    }
    /* image, group, filter of the group, places; then channels of the group and taps */
    int64_t filters = y->dims[1] / groups, channels = x->dims[1] / groups;
    tn_nest *n = tn_compute_nest(c, 0);
    tn_affine in = {0}, weight = {0};
    tn_compute_steps(y, steps);
    uint32_t image = tn_nest_axis(n, y->dims[0]), group = tn_nest_axis(n, groups),
             filter = tn_nest_axis(n, filters);
    n->store.by[image] = steps[0];
    n->store.by[group] = filters * steps[1];
    n->store.by[filter] = steps[1];
    for (uint32_t i = 0; i < w.axes; i++) {
        n->store.by[tn_nest_axis(n, y->dims[2 + i])] = steps[2 + i];
    }
    n->n_outer = n->n_axes;
    tn_nest_stage *s = &n->stage[n->n_stages++];
    s->depth = s->first = n->n_outer;
    uint32_t channel = tn_nest_axis(n, channels);
    tn_compute_steps(x, steps);
    in.by[image] = steps[0];
    in.by[group] = channels * steps[1];
    in.by[channel] = steps[1];
    add_taps(n, s, &w, x, filter + 1, &in);
    s->n = n->n_axes - s->first;
    tn_compute_steps(k, steps);
    weight.by[group] = filters * steps[0];
    weight.by[filter] = steps[0];
    weight.by[channel] = steps[1];
    for (uint32_t i = 0; i < w.axes; i++) {
        weight.by[channel + 1 + i] = steps[2 + i];
    }
    *of = (tn_affine){0};
    of->by[group] = filters;
    of->by[filter] = 1;
    s->body = tn_calc_make(c->arena, TN_CALC_MUL, tn_calc_load(c->arena, image_at, &in),
                           tn_calc_load(c->arena, filter_at, &weight), NULL);
    n->value = tn_calc_local(c->arena, 0);
    return n;
}

bool tn_compute_conv(tn_compute *c) {
    tn_affine filter;
    tn_nest *n = tn_compute_conv_of(c, 0, 1, &filter);
    if (n != NULL && tn_compute_operand(c, 2) != NULL) {
        n->stage[0].start = tn_calc_load(c->arena, 2, &filter);
    }
    return n != NULL;
}

/* A nest over images and channels, with the places of the result. */
static tn_nest *over_images(tn_compute *c, uint32_t result, tn_affine *in) {
    const tn_compute_value *x = tn_compute_operand(c, 0);
    int64_t steps[TN_NEST_AXES];
    tn_nest *n = tn_compute_over(c, result);
    tn_compute_steps(x, steps);
    in->by[0] = steps[0];
    in->by[1] = steps[1];
    return n;
}

typedef enum kind { LARGEST, AVERAGE, NORM } kind;

/* A stage's elements, and its value: the p-norm is a root of a sum of powers. */
static tn_calc *power_of(tn_compute *c, tn_calc *x) {
    const tn_attr *a = tn_compute_attr(c, "p");
    double p = a != NULL && a->kind == TN_ATTR_FLOAT ? a->u.f : (double)tn_compute_int(c, "p", 2);
    if (p == 2) {
        return tn_calc_make(c->arena, TN_CALC_MUL, x, x, NULL);
    }
    x = tn_calc_make(c->arena, TN_CALC_ABS, x, NULL, NULL);
    return p == 1 ? x : tn_calc_make(c->arena, TN_CALC_POW, x, tn_calc_number(c->arena, p), NULL);
}

static tn_calc *root_of(tn_compute *c, tn_calc *x) {
    const tn_attr *a = tn_compute_attr(c, "p");
    double p = a != NULL && a->kind == TN_ATTR_FLOAT ? a->u.f : (double)tn_compute_int(c, "p", 2);
    if (p == 2) {
        return tn_calc_make(c->arena, TN_CALC_SQRT, x, NULL, NULL);
    }
    return p == 1 ? x
                  : tn_calc_make(c->arena, TN_CALC_POW, x, tn_calc_number(c->arena, 1 / p), NULL);
}

/* Whether all windows have a tap on the image; `padded`: whether they end on it or its pads. */
static bool windows_fit(const tn_compute *c, const window *w, bool *padded) {
    const tn_compute_value *x = tn_compute_operand(c, 0), *y = &c->results[0];
    *padded = true;
    for (uint32_t i = 0; i < w->axes; i++) {
        int64_t last = (y->dims[2 + i] - 1) * w->stride[i] - w->pad[i];
        int64_t reach = (w->kernel[i] - 1) * w->dilation[i];
        int64_t end = x->dims[2 + i] + tn_compute_ints(c, "pads", w->axes + i, 0);
        if (last >= x->dims[2 + i] || reach < w->pad[i] ||
            (w->pad[i] > 0 && w->dilation[i] > x->dims[2 + i])) {
            return false;
        }
        *padded = *padded && last + reach < end;
    }
    return true;
}

/* The taps of each window that lie on the image, or on its pads if these count, as a stage. */
static void put_count(tn_compute *c, tn_nest *n, const window *w, bool pads_count) {
    const tn_compute_value *x = tn_compute_operand(c, 0);
    tn_nest_stage *taps = &n->stage[n->n_stages++];
    *taps = n->stage[0];
    taps->body = tn_calc_number(c->arena, 1);
    for (uint32_t i = 0; pads_count && i < w->axes; i++) {
        tn_affine at = {0};
        at.by[2 + i] = w->stride[i];
        at.by[taps->first + i] = w->dilation[i];
        int64_t end = x->dims[2 + i] + w->pad[i] + tn_compute_ints(c, "pads", w->axes + i, 0);
        taps->guards[i] = (tn_nest_guard){at, end};
        taps->n_guards = i + 1;
    }
}

/* Windows over images; the nest of a result. Of an average it has the sum alone, which is to be
 * divided by *count. */
static tn_nest *pool(tn_compute *c, uint32_t result, kind of, tn_affine *at, tn_calc **count) {
    const tn_compute_value *x = tn_compute_operand(c, 0);
    const tn_attr *shape = tn_compute_attr(c, "kernel_shape");
    bool count_all = tn_compute_int(c, "count_include_pad", 0) != 0, padded;
    window w;
    if (shape == NULL || !window_of(c, x, shape->u.ints, &w) || !windows_fit(c, &w, &padded)) {
        return NULL;
    }
    tn_affine in = {0};
    tn_nest *n = over_images(c, result, &in);
    tn_nest_stage *s = &n->stage[n->n_stages++];
    s->depth = s->first = n->n_outer;
    add_taps(n, s, &w, x, 2, &in);
    s->n = n->n_axes - s->first;
    s->combine = of == LARGEST ? TN_COMBINE_MAX : TN_COMBINE_SUM;
    s->body = tn_calc_load(c->arena, 0, &in);
    n->value = tn_calc_local(c->arena, 0);
    *at = in;
    if (of == NORM) {
        s->body = power_of(c, s->body);
        n->value = root_of(c, n->value);
    }
    if (of != AVERAGE) {
        return n;
    }
    *count = tn_calc_number(c->arena, (double)(w.kernel[0] * (w.axes > 1 ? w.kernel[1] : 1) *
                                               (w.axes > 2 ? w.kernel[2] : 1)));
    if (count_all ? !padded : s->n_guards > 0) {
        put_count(c, n, &w, count_all);
        *count = tn_calc_local(c->arena, 1);
    }
    return n;
}

tn_nest *tn_compute_pool_of(tn_compute *c, tn_calc **count) {
    tn_affine at;
    return pool(c, 0, AVERAGE, &at, count);
}

static bool mean_of(tn_compute *c, tn_nest *n, tn_calc *count) {
    if (n != NULL) {
        n->value = tn_calc_make(c->arena, TN_CALC_DIV, n->value, count, NULL);
    }
    return n != NULL;
}

/* Where in the whole image the first largest element of each window stands. */
static bool put_indices(tn_compute *c) {
    tn_affine at;
    tn_nest *n = pool(c, 1, LARGEST, &at, NULL);
    if (n == NULL || tn_compute_int(c, "storage_order", 0) != 0) {
        return false;
    }
    tn_nest_stage *s = &n->stage[n->n_stages++];
    *s = n->stage[0];
    s->combine = TN_COMBINE_MIN;
    tn_calc *is = tn_calc_make(c->arena, TN_CALC_EQUAL, tn_calc_load(c->arena, 0, &at),
                               tn_calc_local(c->arena, 0), NULL);
    s->body = tn_calc_make(c->arena, TN_CALC_SELECT, is, tn_calc_place(c->arena, &at),
                           tn_calc_number(c->arena, INT32_MAX));
    n->value = tn_calc_local(c->arena, 1);
    return true;
}

bool tn_compute_max_pool(tn_compute *c) {
    tn_affine at;
    bool indices = c->n_results > 1 && c->results[1].there;
    return pool(c, 0, LARGEST, &at, NULL) != NULL && (!indices || put_indices(c));
}

bool tn_compute_average_pool(tn_compute *c) {
    tn_calc *count = NULL;
    tn_nest *n = tn_compute_pool_of(c, &count);
    return mean_of(c, n, count);
}

bool tn_compute_lp_pool(tn_compute *c) {
    tn_affine at;
    return pool(c, 0, NORM, &at, NULL) != NULL;
}

static tn_nest *global_pool(tn_compute *c, kind of, int64_t *places) {
    const tn_compute_value *x = tn_compute_operand(c, 0);
    tn_affine in = {0};
    tn_nest *n = x->rank < 3 ? NULL : over_images(c, 0, &in);
    if (n == NULL) {
        return NULL;
    }
    tn_nest_stage *s = &n->stage[n->n_stages++];
    int64_t steps[TN_NEST_AXES];
    *places = 1;
    tn_compute_steps(x, steps);
    s->depth = s->first = n->n_outer;
    for (uint32_t i = 2; i < x->rank; i++) {
        in.by[tn_nest_axis(n, x->dims[i])] = steps[i];
        *places *= x->dims[i];
    }
    s->n = n->n_axes - s->first;
    s->combine = of == LARGEST ? TN_COMBINE_MAX : TN_COMBINE_SUM;
    s->body = tn_calc_load(c->arena, 0, &in);
    n->value = tn_calc_local(c->arena, 0);
    if (of == NORM) {
        s->body = power_of(c, s->body);
        n->value = root_of(c, n->value);
    }
    return n;
}

tn_nest *tn_compute_global_pool_of(tn_compute *c, int64_t *places) {
    return global_pool(c, AVERAGE, places);
}

bool tn_compute_global_max_pool(tn_compute *c) {
    int64_t places;
    return global_pool(c, LARGEST, &places) != NULL;
}

bool tn_compute_global_average_pool(tn_compute *c) {
    int64_t places = 1;
    tn_nest *n = tn_compute_global_pool_of(c, &places);
    return mean_of(c, n, tn_calc_number(c->arena, (double)places));
}

bool tn_compute_global_lp_pool(tn_compute *c) {
    int64_t places;
    return global_pool(c, NORM, &places) != NULL;
}

/* ---- transposed convolution, as what each place of the result gathers ---- */

/* Places of one axis of the result that the same taps meet: phase + stride * i for i below `n`;
 * they read input places `from` + i - t by taps `first` + stride * t, t below `taps`. */
typedef struct phase {
    int64_t n, first, taps, from;
} phase;

static phase phase_of(const window *w, uint32_t i, int64_t at, int64_t extent) {
    int64_t stride = w->stride[i], meets = at + w->pad[i], first = meets % stride;
    int64_t taps = first < w->kernel[i] ? (w->kernel[i] - first + stride - 1) / stride : 0;
    return (phase){(extent - at + stride - 1) / stride, first, taps, (meets - first) / stride};
}

/* The nest of the places in the given phase of each axis. */
static bool one_phase(tn_compute *c, const window *w, int64_t groups, const int64_t *at) {
    const tn_compute_value *x = tn_compute_operand(c, 0), *k = tn_compute_operand(c, 1),
                           *y = &c->results[0];
    int64_t steps[TN_NEST_AXES], own[TN_NEST_AXES], filters = k->dims[1],
                                                    channels = x->dims[1] / groups;
    tn_nest *n = tn_compute_nest(c, 0);
    tn_affine in = {0}, weight = {0}, bias = {0};
    phase phases[3];
    bool none = false;
    tn_compute_steps(y, steps);
    uint32_t image = tn_nest_axis(n, y->dims[0]), group = tn_nest_axis(n, groups),
             filter = tn_nest_axis(n, filters);
    n->store.by[image] = steps[0];
    n->store.by[group] = filters * steps[1];
    n->store.by[filter] = steps[1];
    for (uint32_t i = 0; i < w->axes; i++) {
        phases[i] = phase_of(w, i, at[i], y->dims[2 + i]);
        if (phases[i].n <= 0) {
            c->nests.len--;
            return true;
        }
        n->store.base += at[i] * steps[2 + i];
        n->store.by[tn_nest_axis(n, phases[i].n)] = w->stride[i] * steps[2 + i];
        none = none || phases[i].taps == 0;
    }
    n->n_outer = n->n_axes;
    bias.by[group] = filters;
    bias.by[filter] = 1;
    tn_calc *start = tn_compute_operand(c, 2) != NULL ? tn_calc_load(c->arena, 2, &bias) : NULL;
    if (none) {
        n->value = start != NULL ? start : tn_calc_number(c->arena, 0);
        return true;
    }
    tn_nest_stage *s = &n->stage[n->n_stages++];
    s->depth = s->first = n->n_outer;
    uint32_t channel = tn_nest_axis(n, channels);
    tn_compute_steps(x, steps);
    tn_compute_steps(k, own);
    in.by[image] = steps[0];
    in.by[group] = channels * steps[1];
    in.by[channel] = steps[1];
    weight.by[group] = channels * own[0];
    weight.by[channel] = own[0];
    weight.by[filter] = own[1];
    for (uint32_t i = 0; i < w->axes; i++) {
        uint32_t tap = tn_nest_axis(n, phases[i].taps), place = filter + 1 + i;
        tn_affine read = {.base = phases[i].from};
        int64_t least, most, end = x->dims[2 + i];
        read.by[place] = 1;
        read.by[tap] = -1;
        in.base += read.base * steps[2 + i];
        in.by[place] = steps[2 + i];
        in.by[tap] = -steps[2 + i];
        weight.base += phases[i].first * own[2 + i];
        weight.by[tap] = w->stride[i] * own[2 + i];
        tn_affine_range(n, &read, 0, n->n_axes, &least, &most);
        if (least < 0 || most >= end) {
            s->guards[s->n_guards++] = (tn_nest_guard){read, end};
        }
    }
    s->n = n->n_axes - s->first;
    s->start = start;
    s->body = tn_calc_make(c->arena, TN_CALC_MUL, tn_calc_load(c->arena, 0, &in),
                           tn_calc_load(c->arena, 1, &weight), NULL);
    n->value = tn_calc_local(c->arena, 0);
    return true;
}

bool tn_compute_conv_transpose(tn_compute *c) {
    enum { MOST_PHASES = 16 };
    const tn_compute_value *x = tn_compute_operand(c, 0), *k = tn_compute_operand(c, 1);
    int64_t groups = tn_compute_int(c, "group", 1), phases = 1, at[3] = {0};
    window w;
    if (x->rank != k->rank || groups <= 0 || x->dims[1] % groups != 0 || k->dims[0] != x->dims[1] ||
        c->results[0].dims[1] != k->dims[1] * groups || !window_of(c, x, k->dims + 2, &w)) {
        return false;
    }
    for (uint32_t i = 0; i < w.axes; i++) {
        phases *= w.stride[i];
        /* Of output_shape, more than all taps reach: the rest lies at the end. */
        int64_t end = tn_compute_ints(c, "pads", w.axes + i, 0), extent = c->results[0].dims[2 + i];
        int64_t whole = (x->dims[2 + i] - 1) * w.stride[i] + w.kernel[i] +
                        tn_compute_ints(c, "output_padding", i, 0);
        bool stated =
            extent == whole - w.pad[i] - end || (extent > whole && w.pad[i] == 0 && end == 0 &&
                                                 tn_compute_attr(c, "output_shape") != NULL);
        if (w.dilation[i] != 1 || w.pad[i] < 0 || !stated) {
            return false;
        }
    }
    for (int64_t p = 0; phases <= MOST_PHASES && p < phases; p++) {
        int64_t rest = p;
        for (uint32_t i = 0; i < w.axes; i++) {
            at[i] = rest % w.stride[i];
            rest /= w.stride[i];
        }
        if (!one_phase(c, &w, groups, at)) {
            return false;
        }
    }
    return phases <= MOST_PHASES;
}
