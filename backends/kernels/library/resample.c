/* Where results of Resize lie on the operand, and how much elements there count. */
#include "resample.h"

float resize_coordinate(const resize *r, const resize_axis *a, int64_t at) {
    float x = (float)at, extent = (float)a->extent, result = (float)a->result;
    const char *how = r->coordinates;
    if (strcmp(how, "asymmetric") == 0) {
        return x / a->scale;
    }
    if (strcmp(how, "align_corners") == 0) {
        return a->result > 1 ? x * (extent - 1) / (a->scale * extent - 1) : 0;
    }
    if (strcmp(how, "pytorch_half_pixel") == 0 && a->result <= 1) {
        return 0;
    }
    if (strcmp(how, "tf_half_pixel_for_nn") == 0) {
        return (x + 0.5f) / a->scale;
    }
    if (strcmp(how, "tf_crop_and_resize") == 0) {
        float width = (a->roi_end - a->roi_begin) * (extent - 1);
        return a->result > 1 ? a->roi_begin * (extent - 1) + x * width / (result - 1)
                             : 0.5f * (a->roi_begin + a->roi_end) * (extent - 1);
    }
    if (strcmp(how, "half_pixel_symmetric") == 0) {
        float adjusted = result / (a->scale * extent), centre = extent / 2;
        return centre * (1 - adjusted) + (x + 0.5f) / a->scale - 0.5f;
    }
    return (x + 0.5f) / a->scale - 0.5f;
}

static float nearest_of(const char *how, float x) {
    if (strcmp(how, "floor") == 0) {
        return floorf(x);
    }
    if (strcmp(how, "ceil") == 0) {
        return ceilf(x);
    }
    return strcmp(how, "round_prefer_ceil") == 0 ? floorf(x + 0.5f) : ceilf(x - 0.5f);
}

static void cubic_weights(float a, float t, float *weight) {
    for (int k = 0; k < TAPS; k++) {
        float d = fabsf((float)(k - 1) - t);
        weight[k] = d <= 1 ? ((a + 2) * d - (a + 3)) * d * d + 1
                           : ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
    }
}

/* Elements beyond the ends are those at the ends, or count nothing. */
static void keep_inside(const resize *r, const resize_axis *a, taps *t) {
    float sum = 0;
    for (size_t k = 0; k < t->n; k++) {
        if (t->at[k] < 0 || t->at[k] >= a->extent) {
            t->at[k] = t->at[k] < 0 ? 0 : a->extent - 1;
            t->weight[k] = r->exclude_outside ? 0 : t->weight[k];
        }
        sum += t->weight[k];
    }
    for (size_t k = 0; k < t->n && r->exclude_outside; k++) {
        t->weight[k] /= sum;
    }
}

taps taps_at(const resize *r, const resize_axis *a, float x) {
    taps t = {1, {0}, {1}};
    float whole = floorf(x);
    if (r->mode == NEAREST) {
        t.at[0] = (int64_t)nearest_of(r->nearest, x);
    } else if (x != whole || r->mode == CUBIC) {
        t.n = r->mode == CUBIC ? TAPS : 2;
        t.weight[0] = 1 - (x - whole);
        t.weight[1] = x - whole;
        for (size_t k = 0; k < t.n; k++) {
            t.at[k] = (int64_t)whole + (int64_t)k - (r->mode == CUBIC);
        }
        if (r->mode == CUBIC) {
            cubic_weights(r->cubic_coefficient, x - whole, t.weight);
        }
    } else {
        t.at[0] = (int64_t)whole;
    }
    keep_inside(r, a, &t);
    return t;
}
