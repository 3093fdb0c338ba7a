/* Normalisation of rows, groups and channels. Each is read as a whole before it is written, and
 * afterwards each element before the one at its place. */
#include "kernels.h"

/* Elements that are normalised together: `runs` of `length`, `step` apart. */
typedef struct group {
    size_t runs, length, step;
} group;

static float element(const float *x, const group *g, size_t run, size_t i) {
    return x[run * g->step + i];
}

static float mean_of(const float *x, const group *g) {
    float sum = 0;
    for (size_t r = 0; r < g->runs; r++) {
        for (size_t i = 0; i < g->length; i++) {
            sum += element(x, g, r, i);
        }
    }
    return sum / (float)(g->runs * g->length);
}

/* Mean of the squared distances from `centre`. */
static float variance_of(const float *x, const group *g, float centre) {
    float sum = 0;
    for (size_t r = 0; r < g->runs; r++) {
        for (size_t i = 0; i < g->length; i++) {
            float v = element(x, g, r, i) - centre;
            sum += v * v;
        }
    }
    return sum / (float)(g->runs * g->length);
}

static void scale_all(const float *x, float *y, const group *g, float centre, float factor,
                      float bias) {
    for (size_t r = 0; r < g->runs; r++) {
        for (size_t i = 0; i < g->length; i++) {
            y[r * g->step + i] = (element(x, g, r, i) - centre) * factor + bias;
        }
    }
}

/* ---- BatchNormalization ---- */

typedef struct batch_norm {
    const tenure_tensor *x, *scale, *bias, *mean, *variance, *y, *new_mean, *new_variance;
    float epsilon, momentum;
    int training;
} batch_norm;

static int has_types(const batch_norm *b) {
    const tenure_tensor *const all[] = {b->x, b->scale, b->bias, b->mean, b->variance};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i]->dtype != TENURE_DTYPE_F32) {
            return 0;
        }
    }
    return 1;
}

/* Where nobody wants the new running statistic, the old one is not read. */
static void move_on(const tenure_tensor *to, const tenure_tensor *old, size_t c, float now,
                    float momentum) {
    if (to != NULL) {
        OUT(to, float)[c] = IN(old, float)[c] * momentum + now * (1 - momentum);
    }
}

/* At inference, in the order in which the result lies. */
static int normalise_elements(const batch_norm *b) {
    split s = split_at(b->x, 1);
    if (!has_types(b) || b->training) {
        return b->training ? KERNEL_BAD_VALUE : BAD_TYPE(KNOWS_F32, b->x);
    }
    for (size_t i = 0; i < b->y->elements; i++) {
        size_t c = element_at(b->y, i) / s.behind % s.extent;
        float factor = IN(b->scale, float)[c] / sqrtf(IN(b->variance, float)[c] + b->epsilon);
        float x = IN(b->x, float)[beside(b->x, b->y, i)];
        OUT(b->y, float)[i] = (x - IN(b->mean, float)[c]) * factor + IN(b->bias, float)[c];
    }
    return 0;
}

static int normalise_channels(const batch_norm *b) {
    split s = split_at(b->x, 1);
    if (b->x->channels_last || b->y->channels_last) {
        return normalise_elements(b);
    }
    group g = {s.before, s.behind, s.extent * s.behind};
    if (!has_types(b)) {
        return BAD_TYPE(KNOWS_F32, b->x);
    }
    for (size_t c = 0; c < s.extent && b->x->elements > 0; c++) {
        const float *x = IN(b->x, float) + c * s.behind;
        float mean = b->training ? mean_of(x, &g) : IN(b->mean, float)[c];
        float variance = b->training ? variance_of(x, &g, mean) : IN(b->variance, float)[c];
        move_on(b->new_mean, b->mean, c, mean, b->momentum);
        move_on(b->new_variance, b->variance, c, variance, b->momentum);
        scale_all(x, OUT(b->y, float) + c * s.behind, &g, mean,
                  IN(b->scale, float)[c] / sqrtf(variance + b->epsilon), IN(b->bias, float)[c]);
    }
    return 0;
}

/* Versions whose training results nobody asks for at inference. */
#define OLD_BATCH_NORM(version, spatial)                                                           \
    int tenure_BatchNormalization_##version(                                                       \
        const tenure_BatchNormalization_##version##_attributes *attributes,                        \
        const tenure_tensor *x, const tenure_tensor *scale, const tenure_tensor *bias,             \
        const tenure_tensor *mean, const tenure_tensor *variance, const tenure_tensor *y,          \
        const tenure_tensor *new_mean, const tenure_tensor *new_variance,                          \
        const tenure_tensor *saved_mean, const tenure_tensor *saved_variance,                      \
        const tenure_context *c) {                                                                 \
        const batch_norm b = {x, scale, bias, mean, variance, y, NULL, NULL, attributes->epsilon,  \
                              0, 0};                                                               \
        (void)c;                                                                                   \
        if (!(spatial) || new_mean != NULL || new_variance != NULL || saved_mean != NULL ||        \
            saved_variance != NULL) {                                                              \
            return KERNEL_BAD_VALUE;                                                               \
        }                                                                                          \
        return normalise_channels(&b);                                                             \
    }
OLD_BATCH_NORM(1, attributes->spatial)
OLD_BATCH_NORM(6, attributes->spatial)
OLD_BATCH_NORM(7, attributes->spatial)
OLD_BATCH_NORM(9, 1)

#define BATCH_NORM(version)                                                                        \
    int tenure_BatchNormalization_##version(                                                       \
        const tenure_BatchNormalization_##version##_attributes *attributes,                        \
        const tenure_tensor *x, const tenure_tensor *scale, const tenure_tensor *bias,             \
        const tenure_tensor *mean, const tenure_tensor *variance, const tenure_tensor *y,          \
        const tenure_tensor *new_mean, const tenure_tensor *new_variance,                          \
        const tenure_context *c) {                                                                 \
        const batch_norm b = {x,                                                                   \
                              scale,                                                               \
                              bias,                                                                \
                              mean,                                                                \
                              variance,                                                            \
                              y,                                                                   \
                              new_mean,                                                            \
                              new_variance,                                                        \
                              attributes->epsilon,                                                 \
                              attributes->momentum,                                                \
                              attributes->training_mode != 0};                                     \
        (void)c;                                                                                   \
        return normalise_channels(&b);                                                             \
    }
BATCH_NORM(14)
BATCH_NORM(15)

/* ---- InstanceNormalization, GroupNormalization ---- */

/* Groups of channels of one sample; scale and bias are one for each group or one for each channel.
 */
static int normalise_groups(const tenure_tensor *x, const tenure_tensor *scale,
                            const tenure_tensor *bias, size_t groups, float epsilon,
                            const tenure_tensor *y) {
    split s = split_at(x, 1);
    if (x->dtype != TENURE_DTYPE_F32 || scale->dtype != TENURE_DTYPE_F32 ||
        bias->dtype != TENURE_DTYPE_F32) {
        return BAD_TYPE3(KNOWS_F32, x, scale, bias);
    }
    if (groups == 0 || s.extent % groups != 0 ||
        (scale->elements != groups && scale->elements != s.extent)) {
        return KERNEL_BAD_SHAPE;
    }
    size_t channels = s.extent / groups;
    group whole = {channels, s.behind, s.behind}, one = {1, s.behind, 0};
    for (size_t i = 0; i < s.before * groups; i++) {
        const float *first = IN(x, float) + i * channels * s.behind;
        float mean = mean_of(first, &whole),
              factor = 1 / sqrtf(variance_of(first, &whole, mean) + epsilon);
        for (size_t k = 0; k < channels; k++) {
            size_t at = scale->elements == groups ? i % groups : i % groups * channels + k;
            scale_all(first + k * s.behind, OUT(y, float) + (i * channels + k) * s.behind, &one,
                      mean, factor * IN(scale, float)[at], IN(bias, float)[at]);
        }
    }
    return 0;
}

#define GROUP_NORM(op, version, groups)                                                            \
    int tenure_##op##_##version(const tenure_##op##_##version##_attributes *attributes,            \
                                const tenure_tensor *x, const tenure_tensor *scale,                \
                                const tenure_tensor *bias, const tenure_tensor *y,                 \
                                const tenure_context *c) {                                         \
        (void)c;                                                                                   \
        return normalise_groups(x, scale, bias, (size_t)(groups), attributes->epsilon, y);         \
    }
GROUP_NORM(InstanceNormalization, 1, x->dims[1])
GROUP_NORM(InstanceNormalization, 6, x->dims[1])
GROUP_NORM(InstanceNormalization, 22, x->dims[1])
GROUP_NORM(GroupNormalization, 18, attributes->num_groups)
GROUP_NORM(GroupNormalization, 21, attributes->num_groups)
