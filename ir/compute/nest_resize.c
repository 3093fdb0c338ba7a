/* Resize and Upsample: places, and factors of neighbours, stand in tables for each axis. */
#include <math.h>
#include <string.h>

#include "ir/compute/nest_rules.h"
#include "ir/ops/sig.h"

enum { MOST_TAPS = 4 };

/* What the elements along one axis of the result are made of: one neighbour, two or four. */
typedef struct along {
    bool same; /* as it is */
    const int32_t *place[MOST_TAPS];
    const float *factor[MOST_TAPS];
} along;

typedef struct way {
    const char *mode, *nearest;
    uint32_t taps;
    double cubic;
    bool exclude; /* neighbours outside count nothing, instead of as those at the border */
} way;

static double place_of(const way *w, int64_t at, double scale, int64_t from, int64_t to) {
    double i = (double)at, middle = (i + 0.5) / scale - 0.5, extent = (double)from;
    if (strcmp(w->mode, "align_corners") == 0) {
        return to > 1 ? i * (extent - 1) / (scale * extent - 1) : 0;
    }
    if (strcmp(w->mode, "asymmetric") == 0 || strcmp(w->mode, "tf_half_pixel_for_nn") == 0) {
        return w->mode[0] == 'a' ? i / scale : (i + 0.5) / scale;
    }
    if (strcmp(w->mode, "half_pixel_symmetric") == 0) {
        return extent / 2 * (1 - (double)to / (scale * extent)) + middle;
    }
    bool alone = strcmp(w->mode, "pytorch_half_pixel") == 0 && to == 1;
    return alone ? 0 : middle;
}

static double nearest_of(const way *w, double x) {
    return strcmp(w->nearest, "floor") == 0               ? floor(x)
           : strcmp(w->nearest, "ceil") == 0              ? ceil(x)
           : strcmp(w->nearest, "round_prefer_ceil") == 0 ? floor(x + 0.5)
                                                          : ceil(x - 0.5);
}

static int32_t inside(double x, int64_t extent) {
    return x < 0 ? 0 : x > (double)(extent - 1) ? (int32_t)extent - 1 : (int32_t)x;
}

/* What the tap at that distance from a place between the elements counts. */
static double weight_of(const way *w, double away) {
    double d = fabs(away), a = w->cubic;
    return w->taps == 1   ? 1
           : w->taps == 2 ? 1 - d
           : d <= 1       ? ((a + 2) * d - (a + 3)) * d * d + 1
                          : ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
}

static along along_of(tn_compute *c, const way *w, double scale, int64_t from, int64_t to,
                      int64_t step) {
    int32_t *place[MOST_TAPS];
    float *factor[MOST_TAPS];
    along all = {.same = from == to && scale == 1};
    for (uint32_t k = 0; k < w->taps; k++) {
        all.place[k] = place[k] = TN_ARRAY(c->arena, int32_t, to);
        all.factor[k] = factor[k] = TN_ARRAY(c->arena, float, to);
    }
    for (int64_t i = 0; i < to; i++) {
        double x = place_of(w, i, scale, from, to), sum = 0, weight[MOST_TAPS];
        double first = w->taps == 1 ? nearest_of(w, x) : floor(x) - (w->taps == 4);
        for (uint32_t k = 0; k < w->taps; k++) {
            double at = first + k;
            bool counts = !w->exclude || (at >= 0 && at < (double)from);
            weight[k] = counts ? weight_of(w, at - x) : 0;
            sum += weight[k];
            place[k][i] = inside(at, from) * (int32_t)step;
        }
        for (uint32_t k = 0; k < w->taps; k++) {
            factor[k][i] = (float)(w->exclude ? weight[k] / sum : weight[k]);
        }
    }
    return all;
}

static const tn_compute_value *named(const tn_compute *c, const char *name) {
    tn_word word = {name, strlen(name), 0};
    bool many;
    int32_t k = tn_sig_operand(c->info, c->version, &word, &many);
    return k >= 0 ? tn_compute_operand(c, (uint32_t)k) : NULL;
}

/* Where an axis stands in the list of those that are spoken of, if any are listed. */
static bool listed(const tn_compute *c, uint32_t axis, uint32_t *at) {
    const tn_attr *axes = tn_compute_attr(c, "axes");
    uint32_t one;
    *at = axis;
    for (uint32_t i = 0; axes != NULL && i < axes->n; i++) {
        if (tn_compute_axis(axes->u.ints[i], c->operands[0].rank, &one) && one == axis) {
            *at = i;
            return true;
        }
    }
    return axes == NULL || axes->n == 0;
}

/* Of sizes that keep the ratio: the least or the largest of what they ask for. */
static double common_scale(const tn_compute *c, const tn_compute_value *sizes, bool larger) {
    const tn_compute_value *x = tn_compute_operand(c, 0);
    double chosen = 0;
    uint32_t at;
    for (uint32_t i = 0; i < x->rank; i++) {
        if (listed(c, i, &at) && at < sizes->n_known && sizes->known != NULL) {
            double scale = (double)sizes->known[at] / (double)x->dims[i];
            chosen = chosen == 0 || (larger ? scale > chosen : scale < chosen) ? scale : chosen;
        }
    }
    return chosen;
}

/* Elements by the extents, which are stated, or follow from what is. 0: nobody knows. */
static double scale_of(const tn_compute *c, uint32_t axis) {
    const tn_compute_value *x = tn_compute_operand(c, 0), *y = &c->results[0];
    const tn_compute_value *scales = named(c, "scales"), *sizes = named(c, "sizes");
    const tn_attr *stated = tn_compute_attr(c, "scales");
    const char *policy = tn_compute_text(c, "keep_aspect_ratio_policy");
    uint32_t at;
    if (!listed(c, axis, &at)) {
        return 1;
    }
    if (stated != NULL && stated->kind == TN_ATTR_FLOATS && at < stated->n) {
        return stated->u.floats[at];
    }
    if (scales != NULL && scales->floats != NULL && at < scales->n_known) {
        return scales->floats[at];
    }
    if (sizes != NULL && strncmp(policy, "not_", 4) == 0) {
        return common_scale(c, sizes, strcmp(policy, "not_smaller") == 0);
    }
    return sizes != NULL ? (double)y->dims[axis] / (double)x->dims[axis] : 0;
}

static bool is_one_of(const char *text, const char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(text, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool way_of(const tn_compute *c, way *w) {
    static const char *const modes[] = {"align_corners",        "asymmetric",
                                        "half_pixel",           "pytorch_half_pixel",
                                        "half_pixel_symmetric", "tf_half_pixel_for_nn"};
    static const char *const policies[] = {"", "stretch", "not_larger", "not_smaller"};
    bool old = tn_compute_attr(c, "coordinate_transformation_mode") ==
               NULL; /* before there were several */
    const char *mode = tn_compute_text(c, "mode");
    w->mode = old ? "asymmetric" : tn_compute_text(c, "coordinate_transformation_mode");
    w->nearest = old ? "floor" : tn_compute_text(c, "nearest_mode");
    w->taps = strcmp(mode, "nearest") == 0                                   ? 1
              : strcmp(mode, "linear") == 0 || strcmp(mode, "bilinear") == 0 ? 2
              : strcmp(mode, "cubic") == 0                                   ? 4
                                                                             : 0;
    w->cubic = tn_compute_float(c, "cubic_coeff_a", -0.75);
    w->exclude = w->taps > 1 && tn_compute_int(c, "exclude_outside", 0) != 0;
    bool half = strcmp(w->mode, "tf_half_pixel_for_nn") == 0 &&
                (w->taps > 1 || strstr(w->nearest, "ceil") != NULL); /* a scale of 1 would move */
    return w->taps > 0 && !half && is_one_of(w->mode, modes, sizeof modes / sizeof modes[0]) &&
           tn_compute_int(c, "antialias", 0) == 0 &&
           is_one_of(tn_compute_text(c, "keep_aspect_ratio_policy"), policies,
                     sizeof policies / sizeof policies[0]);
}

/* The product over the axes from `axis` on of which neighbours stand side by side. */
static tn_calc *neighbours(tn_compute *c, const along *axes, uint32_t rank, uint32_t axis,
                           tn_affine at, uint32_t taps) {
    if (axis == rank) {
        return tn_calc_load(c->arena, 0, &at);
    }
    if (axes[axis].same) {
        return neighbours(c, axes, rank, axis + 1, at, taps);
    }
    at.by[axis] = 0;
    tn_calc *sum = NULL;
    for (uint32_t i = 0; i < taps; i++) {
        at.table[axis] = axes[axis].place[i];
        tn_calc *x = neighbours(c, axes, rank, axis + 1, at, taps);
        if (taps > 1) {
            uint32_t n = (uint32_t)c->results[0].dims[axis];
            x = tn_calc_make(c->arena, TN_CALC_MUL, x,
                             tn_calc_factor(c->arena, axes[axis].factor[i], n, axis), NULL);
        }
        sum = sum == NULL ? x : tn_calc_make(c->arena, TN_CALC_ADD, sum, x, NULL);
    }
    return sum;
}

bool tn_compute_resize(tn_compute *c) {
    enum { MOST_TABLE = 4096, MOST_AXES = 3, MOST_CUBIC_AXES = 2 };
    const tn_compute_value *x = tn_compute_operand(c, 0), *y = &c->results[0];
    along axes[TN_NEST_AXES];
    int64_t steps[TN_NEST_AXES];
    uint32_t changed = 0;
    tn_affine at = {0};
    way w;
    if (x->rank != y->rank || !way_of(c, &w)) {
        return false;
    }
    tn_nest *n = tn_compute_over(c, 0);
    tn_compute_steps(x, steps);
    for (uint32_t i = 0; n != NULL && i < x->rank; i++) {
        double scale = scale_of(c, i);
        if (!(scale > 0) || y->dims[i] > MOST_TABLE) {
            return false;
        }
        axes[i] = along_of(c, &w, scale, x->dims[i], y->dims[i], steps[i]);
        at.by[i] = steps[i];
        changed += !axes[i].same;
    }
    if (n == NULL || changed > (w.taps == 4 ? MOST_CUBIC_AXES : MOST_AXES)) {
        return false;
    }
    n->value = neighbours(c, axes, x->rank, 0, at, w.taps);
    return true;
}
