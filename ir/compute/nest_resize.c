/* Resize and Upsample: places, and factors of neighbours, stand in tables for each axis. */
#include <math.h>
#include <string.h>

#include "ir/compute/nest_rules.h"
#include "ir/ops/sig.h"

/* What the elements along one axis of the result are made of: one neighbour or two. */
typedef struct along {
    bool same; /* as it is */
    const int32_t *place[2];
    const float *factor[2];
} along;

typedef struct way {
    const char *mode, *nearest;
    bool linear;
} way;

static double place_of(const way *w, int64_t i, double scale, int64_t from, int64_t to) {
    if (strcmp(w->mode, "align_corners") == 0) {
        return to > 1 ? (double)i * (double)(from - 1) / (scale * (double)from - 1) : 0;
    }
    if (strcmp(w->mode, "asymmetric") == 0) {
        return (double)i / scale;
    }
    bool alone = strcmp(w->mode, "pytorch_half_pixel") == 0 && to == 1;
    return alone ? 0 : ((double)i + 0.5) / scale - 0.5;
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

static along along_of(tn_compute *c, const way *w, double scale, int64_t from, int64_t to,
                      int64_t step) {
    int32_t *place[2] = {TN_ARRAY(c->arena, int32_t, to), TN_ARRAY(c->arena, int32_t, to)};
    float *factor[2] = {TN_ARRAY(c->arena, float, to), TN_ARRAY(c->arena, float, to)};
    for (int64_t i = 0; i < to; i++) {
        double x = place_of(w, i, scale, from, to), low = w->linear ? floor(x) : nearest_of(w, x);
        place[0][i] = inside(low, from) * (int32_t)step;
        place[1][i] = inside(low + 1, from) * (int32_t)step;
        factor[1][i] = (float)(x - low);
        factor[0][i] = (float)(1 - (x - low));
    }
    return (along){from == to && scale == 1, {place[0], place[1]}, {factor[0], factor[1]}};
}

static const tn_compute_value *named(const tn_compute *c, const char *name) {
    tn_word word = {name, strlen(name), 0};
    bool many;
    int32_t k = tn_sig_operand(c->info, c->version, &word, &many);
    return k >= 0 ? tn_compute_operand(c, (uint32_t)k) : NULL;
}

/* Elements by the extents, which are stated, or follow from what is. */
static double scale_of(const tn_compute *c, uint32_t axis) {
    const tn_compute_value *x = tn_compute_operand(c, 0), *y = &c->results[0];
    const tn_compute_value *scales = named(c, "scales"), *sizes = named(c, "sizes");
    const tn_attr *stated = tn_compute_attr(c, "scales");
    if (stated != NULL && stated->kind == TN_ATTR_FLOATS && axis < stated->n) {
        return stated->u.floats[axis];
    }
    if (scales != NULL && scales->floats != NULL && axis < scales->n_known) {
        return scales->floats[axis];
    }
    return sizes != NULL ? (double)y->dims[axis] / (double)x->dims[axis] : 0;
}

static bool way_of(const tn_compute *c, way *w) {
    bool old = tn_compute_attr(c, "coordinate_transformation_mode") ==
               NULL; /* before there were several */
    const char *mode = tn_compute_text(c, "mode"),
               *policy = tn_compute_text(c, "keep_aspect_ratio_policy");
    w->mode = old ? "asymmetric" : tn_compute_text(c, "coordinate_transformation_mode");
    w->nearest = old ? "floor" : tn_compute_text(c, "nearest_mode");
    w->linear = strcmp(mode, "nearest") != 0;
    bool known = strcmp(w->mode, "align_corners") == 0 || strcmp(w->mode, "asymmetric") == 0 ||
                 strcmp(w->mode, "half_pixel") == 0 || strcmp(w->mode, "pytorch_half_pixel") == 0;
    return known && (!w->linear || strcmp(mode, "linear") == 0 || strcmp(mode, "bilinear") == 0) &&
           tn_compute_int(c, "antialias", 0) == 0 && tn_compute_attr(c, "axes") == NULL &&
           (policy[0] == '\0' || strcmp(policy, "stretch") == 0);
}

/* The product over the axes from `axis` on of which neighbours stand side by side. */
static tn_calc *neighbours(tn_compute *c, const along *axes, uint32_t rank, uint32_t axis,
                           tn_affine at, bool linear) {
    if (axis == rank) {
        return tn_calc_load(c->arena, 0, &at);
    }
    if (axes[axis].same) {
        return neighbours(c, axes, rank, axis + 1, at, linear);
    }
    at.by[axis] = 0;
    tn_calc *sum = NULL;
    for (uint32_t i = 0; i < (linear ? 2u : 1u); i++) {
        at.table[axis] = axes[axis].place[i];
        tn_calc *x = neighbours(c, axes, rank, axis + 1, at, linear);
        if (linear) {
            uint32_t n = (uint32_t)c->results[0].dims[axis];
            x = tn_calc_make(c->arena, TN_CALC_MUL, x,
                             tn_calc_factor(c->arena, axes[axis].factor[i], n, axis), NULL);
        }
        sum = sum == NULL ? x : tn_calc_make(c->arena, TN_CALC_ADD, sum, x, NULL);
    }
    return sum;
}

bool tn_compute_resize(tn_compute *c) {
    enum { MOST_TABLE = 4096, MOST_AXES = 3 };
    const tn_compute_value *x = tn_compute_operand(c, 0), *y = &c->results[0];
    along axes[TN_NEST_AXES];
    int64_t steps[TN_NEST_AXES];
    uint32_t changed = 0;
    tn_affine at = {0};
    way w;
    if (x->dtype != TN_DT_FLOAT || x->rank != y->rank || !way_of(c, &w)) {
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
    if (n == NULL || changed > MOST_AXES) {
        return false;
    }
    n->value = neighbours(c, axes, x->rank, 0, at, w.linear);
    return true;
}
