/* Resize and Upsample: each result is a sum over a few elements along each axis. */
#include "resample.h"

static resize_mode resize_mode_of(const char *mode) {
    return strcmp(mode, "linear") == 0 || strcmp(mode, "bilinear") == 0 ? LINEAR
           : strcmp(mode, "cubic") == 0                                 ? CUBIC
                                                                        : NEAREST;
}

/* The sum over all combinations of the axes' elements. */
static float sum_of(const resize *r, const taps *all, const tenure_tensor *x) {
    size_t combinations = 1;
    float sum = 0;
    for (size_t k = 0; k < r->rank; k++) {
        combinations *= all[k].n;
    }
    for (size_t i = 0; i < combinations; i++) {
        size_t at = 0, left = i;
        float weight = 1;
        for (size_t k = 0; k < r->rank; k++) {
            size_t which = left % all[k].n;
            left /= all[k].n;
            weight *= all[k].weight[which];
            at = at * (size_t)r->axes[k].extent + (size_t)all[k].at[which];
        }
        sum += weight * IN(x, float)[lies_at(x, at)];
    }
    return sum;
}

static void resize_whole(const resize *r, const tenure_tensor *x, size_t i, const taps *all,
                         const tenure_tensor *y) {
    size_t at = 0;
    for (size_t k = 0; k < r->rank; k++) {
        at = at * (size_t)r->axes[k].extent + (size_t)all[k].at[0];
    }
    put_whole(y, i, whole_at(x, lies_at(x, at)));
}

static int resize_all(const resize *r, const tenure_tensor *x, const tenure_tensor *y) {
    int crop = strcmp(r->coordinates, "tf_crop_and_resize") == 0;
    if (x->dtype != TENURE_DTYPE_F32 && (r->mode != NEAREST || !is_whole(x))) {
        return BAD_TYPE("f32, and integers where the nearest element is taken", x);
    }
    for (size_t i = 0; i < y->elements; i++) {
        taps all[MAX_RANK];
        int outside = 0;
        size_t left = element_at(y, i);
        for (size_t k = r->rank; k-- > 0;) {
            const resize_axis *a = &r->axes[k];
            float at = resize_coordinate(r, a, (int64_t)(left % (size_t)a->result));
            left /= (size_t)a->result;
            outside |= crop && (at < 0 || at > (float)(a->extent - 1));
            all[k] = taps_at(r, a, at);
        }
        if (x->dtype != TENURE_DTYPE_F32) {
            resize_whole(r, x, i, all, y);
        } else {
            OUT(y, float)[i] = outside ? r->extrapolation : sum_of(r, all, x);
        }
    }
    return 0;
}

/* Extents, and the scales that they come to; these may be had more exactly. */
static int extents_of(resize *r, const tenure_tensor *x, const tenure_tensor *y) {
    if (x->rank != y->rank || x->rank > MAX_RANK) {
        return KERNEL_BAD_SHAPE;
    }
    r->rank = x->rank;
    for (size_t k = 0; k < r->rank; k++) {
        resize_axis a = {(float)y->dims[k] / (float)x->dims[k], 0, 1, x->dims[k], y->dims[k]};
        r->axes[k] = a;
    }
    return 0;
}

static float listed(tenure_floats known, const tenure_tensor *operand, size_t i) {
    return known.at != NULL ? known.at[i] : IN(operand, float)[i];
}

static size_t count_of(tenure_floats known, const tenure_tensor *operand) {
    return known.at != NULL                                        ? known.count
           : operand != NULL && operand->dtype == TENURE_DTYPE_F32 ? operand->elements
                                                                   : 0;
}

/* Scales and regions of the axes that they are given for. */
static int set_scales(resize *r, tenure_floats known, const tenure_tensor *scales,
                      const tenure_tensor *roi, tenure_ints axes) {
    numbers listed_axes = numbers_of(axes, NULL);
    size_t n = listed_axes.count > 0 ? listed_axes.count : r->rank;
    if (n > r->rank || (count_of(known, scales) != 0 && count_of(known, scales) != n)) {
        return KERNEL_BAD_SHAPE;
    }
    for (size_t i = 0; i < n; i++) {
        size_t k = listed_axes.count > 0 ? axis_of(number_at(&listed_axes, i), r->rank) : i;
        if (k >= r->rank) {
            return KERNEL_BAD_VALUE;
        }
        if (count_of(known, scales) > 0) {
            r->axes[k].scale = listed(known, scales, i);
        }
        if (roi != NULL && roi->dtype == TENURE_DTYPE_F32 && roi->elements == 2 * n) {
            r->axes[k].roi_begin = IN(roi, float)[i];
            r->axes[k].roi_end = IN(roi, float)[n + i];
        }
    }
    return 0;
}

/* One scale for all axes that have one: the least or the greatest that sizes ask for. */
static void keep_ratio(resize *r, const numbers *sizes, tenure_ints axes, int larger) {
    numbers listed_axes = numbers_of(axes, NULL);
    float chosen = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < sizes->count; i++) {
            size_t k = listed_axes.count > 0 ? axis_of(number_at(&listed_axes, i), r->rank) : i;
            float scale = (float)number_at(sizes, i) / (float)r->axes[k].extent;
            if (pass == 1) {
                r->axes[k].scale = chosen;
            } else if (i == 0 || (larger ? scale > chosen : scale < chosen)) {
                chosen = scale;
            }
        }
    }
}

#define RESIZE(version)                                                                            \
    int tenure_Resize_##version(const tenure_Resize_##version##_attributes *attributes,            \
                                const tenure_tensor *x, const tenure_tensor *roi,                  \
                                const tenure_tensor *scales, const tenure_tensor *sizes,           \
                                const tenure_tensor *y, const tenure_context *c) {                 \
        const tenure_ints none = {NULL, 0};                                                        \
        resize r = {resize_mode_of(attributes->mode),                                              \
                    attributes->coordinate_transformation_mode,                                    \
                    attributes->nearest_mode,                                                      \
                    attributes->cubic_coeff_a,                                                     \
                    attributes->extrapolation_value,                                               \
                    attributes->exclude_outside != 0,                                              \
                    0,                                                                             \
                    {{0, 0, 0, 0, 0}}};                                                            \
        int bad = extents_of(&r, x, y);                                                            \
        (void)sizes;                                                                               \
        (void)c;                                                                                   \
        bad = bad ? bad : set_scales(&r, attributes->scales, scales, roi, none);                   \
        return bad ? bad : resize_all(&r, x, y);                                                   \
    }
RESIZE(11)
RESIZE(13)

#define RESIZE_AXES(version)                                                                       \
    int tenure_Resize_##version(const tenure_Resize_##version##_attributes *attributes,            \
                                const tenure_tensor *x, const tenure_tensor *roi,                  \
                                const tenure_tensor *scales, const tenure_tensor *sizes,           \
                                const tenure_tensor *y, const tenure_context *c) {                 \
        const char *policy = attributes->keep_aspect_ratio_policy;                                 \
        numbers asked = numbers_of(attributes->sizes, sizes);                                      \
        resize r = {resize_mode_of(attributes->mode),                                              \
                    attributes->coordinate_transformation_mode,                                    \
                    attributes->nearest_mode,                                                      \
                    attributes->cubic_coeff_a,                                                     \
                    attributes->extrapolation_value,                                               \
                    attributes->exclude_outside != 0,                                              \
                    0,                                                                             \
                    {{0, 0, 0, 0, 0}}};                                                            \
        int bad = attributes->antialias != 0 ? KERNEL_BAD_VALUE : extents_of(&r, x, y);            \
        (void)c;                                                                                   \
        bad = bad ? bad : set_scales(&r, attributes->scales, scales, roi, attributes->axes);       \
        if (!bad && asked.count > 0 && strcmp(policy, "stretch") != 0) {                           \
            keep_ratio(&r, &asked, attributes->axes, strcmp(policy, "not_smaller") == 0);          \
        }                                                                                          \
        return bad ? bad : resize_all(&r, x, y);                                                   \
    }
RESIZE_AXES(18)
RESIZE_AXES(19)

/* The first definitions: from the corner, downwards. */
static int upsample(const char *mode, tenure_floats known, const tenure_tensor *scales,
                    const tenure_tensor *x, const tenure_tensor *y) {
    const tenure_ints none = {NULL, 0};
    resize r = {resize_mode_of(mode), "asymmetric", "floor", 0, 0, 0, 0, {{0, 0, 0, 0, 0}}};
    int bad = extents_of(&r, x, y);
    bad = bad ? bad : set_scales(&r, known, scales, NULL, none);
    return bad ? bad : resize_all(&r, x, y);
}

#define UPSAMPLE(op, version)                                                                      \
    int tenure_##op##_##version(const tenure_##op##_##version##_attributes *attributes,            \
                                const tenure_tensor *x, const tenure_tensor *scales,               \
                                const tenure_tensor *y, const tenure_context *c) {                 \
        (void)c;                                                                                   \
        return upsample(attributes->mode, attributes->scales, scales, x, y);                       \
    }
UPSAMPLE(Upsample, 9)
UPSAMPLE(Upsample, 10)
UPSAMPLE(Resize, 10)

int tenure_Upsample_7(const tenure_Upsample_7_attributes *attributes, const tenure_tensor *x,
                      const tenure_tensor *y, const tenure_context *c) {
    (void)c;
    return upsample(attributes->mode, attributes->scales, NULL, x, y);
}

int tenure_Upsample_1(const tenure_Upsample_1_attributes *attributes, const tenure_tensor *x,
                      const tenure_tensor *y, const tenure_context *c) {
    const float scales[] = {1, 1, attributes->height_scale, attributes->width_scale};
    const tenure_floats known = {scales, 4};
    (void)c;
    return upsample(attributes->mode, known, NULL, x, y);
}
