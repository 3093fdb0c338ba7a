/* Normalisation over trailing axes, along an axis, and over neighbouring channels. */
#include "kernels.h"

static float mean_of(const float *x, size_t n) {
    float sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i];
    }
    return sum / (float)n;
}

static float mean_square(const float *x, size_t n, float centre) {
    float sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += (x[i] - centre) * (x[i] - centre);
    }
    return sum / (float)n;
}

typedef struct layer_norm {
    const tenure_tensor *x, *scale, *bias, *y, *mean,
        *deviation; /* the last two: NULL, or one for each row */
    int64_t axis;
    float epsilon;
    int centred;
} layer_norm;

/* Scale and bias are as large as a row, or repeat along it. */
static int fits(const layer_norm *l, const tenure_tensor *t, size_t row) {
    return t == NULL || (t->dtype == l->x->dtype && t->elements > 0 && row % t->elements == 0);
}

static void normalise_row(const layer_norm *l, size_t row, size_t n) {
    const float *x = IN(l->x, float) + row * n;
    float centre = l->centred ? mean_of(x, n) : 0,
          factor = 1 / sqrtf(mean_square(x, n, centre) + l->epsilon);
    for (size_t i = 0; i < n; i++) {
        float v = (x[i] - centre) * factor * IN(l->scale, float)[i % l->scale->elements];
        OUT(l->y, float)
        [row * n + i] = l->bias != NULL ? v + IN(l->bias, float)[i % l->bias->elements] : v;
    }
    if (l->mean != NULL) {
        OUT(l->mean, float)[row] = centre;
    }
    if (l->deviation != NULL) {
        OUT(l->deviation, float)[row] = factor;
    }
}

static int normalise_rows(const layer_norm *l) {
    split s = split_at(l->x, axis_of(l->axis, l->x->rank));
    size_t n = s.extent * s.behind;
    if (l->x->dtype != TENURE_DTYPE_F32) {
        return BAD_TYPE(KNOWS_F32, l->x);
    }
    if (!fits(l, l->scale, n) || !fits(l, l->bias, n)) {
        return KERNEL_BAD_SHAPE;
    }
    for (size_t row = 0; row < s.before && n > 0; row++) {
        normalise_row(l, row, n);
    }
    return 0;
}

int tenure_LayerNormalization_17(const tenure_LayerNormalization_17_attributes *attributes,
                                 const tenure_tensor *x, const tenure_tensor *scale,
                                 const tenure_tensor *bias, const tenure_tensor *y,
                                 const tenure_tensor *mean, const tenure_tensor *deviation,
                                 const tenure_context *c) {
    const layer_norm l = {x, scale, bias, y, mean, deviation, attributes->axis, attributes->epsilon,
                          1};
    (void)c;
    return normalise_rows(&l);
}

int tenure_RMSNormalization_23(const tenure_RMSNormalization_23_attributes *attributes,
                               const tenure_tensor *x, const tenure_tensor *scale,
                               const tenure_tensor *y, const tenure_context *c) {
    const layer_norm l = {x, scale, NULL, y, NULL, NULL, attributes->axis, attributes->epsilon, 0};
    (void)c;
    return normalise_rows(&l);
}

/* ---- LpNormalization ---- */

static int lp_norm(const tenure_tensor *x, int64_t axis, int64_t p, const tenure_tensor *y) {
    split s = split_at(x, axis_of(axis, x->rank));
    if (x->dtype != TENURE_DTYPE_F32) {
        return BAD_TYPE(KNOWS_F32, x);
    }
    for (size_t i = 0; i < s.before * s.behind; i++) {
        size_t first = i / s.behind * s.extent * s.behind + i % s.behind;
        float sum = 0;
        for (size_t k = 0; k < s.extent; k++) {
            float v = IN(x, float)[first + k * s.behind];
            sum += p == 1 ? fabsf(v) : v * v;
        }
        float norm = p == 1 ? sum : sqrtf(sum);
        for (size_t k = 0; k < s.extent; k++) {
            float v = IN(x, float)[first + k * s.behind];
            OUT(y, float)[first + k * s.behind] = norm > 0 ? v / norm : 0;
        }
    }
    return 0;
}

#define LP_NORM(version)                                                                           \
    int tenure_LpNormalization_##version(                                                          \
        const tenure_LpNormalization_##version##_attributes *attributes, const tenure_tensor *x,   \
        const tenure_tensor *y, const tenure_context *c) {                                         \
        (void)c;                                                                                   \
        return lp_norm(x, attributes->axis, attributes->p, y);                                     \
    }
LP_NORM(1)
LP_NORM(22)

/* ---- LRN ---- */

typedef struct neighbours {
    float alpha, beta, bias;
    size_t size;
} neighbours;

static int lrn(const tenure_tensor *x, const neighbours *n, const tenure_tensor *y) {
    split s = split_at(x, 1);
    size_t below = (n->size - 1) / 2, above = n->size - 1 - below;
    if (x->dtype != TENURE_DTYPE_F32) {
        return BAD_TYPE(KNOWS_F32, x);
    }
    for (size_t i = 0; i < y->elements; i++) {
        size_t e = element_at(y, i), c = e / s.behind % s.extent;
        size_t from = c > below ? c - below : 0,
               to = c + above < s.extent ? c + above : s.extent - 1;
        float sum = 0;
        for (size_t k = from; k <= to; k++) {
            float v = IN(x, float)[lies_at(x, e - c * s.behind + k * s.behind)];
            sum += v * v;
        }
        OUT(y, float)
        [i] =
            IN(x, float)[lies_at(x, e)] / powf(n->bias + n->alpha / (float)n->size * sum, n->beta);
    }
    return 0;
}

#define LRN(version)                                                                               \
    int tenure_LRN_##version(const tenure_LRN_##version##_attributes *attributes,                  \
                             const tenure_tensor *x, const tenure_tensor *y,                       \
                             const tenure_context *c) {                                            \
        const neighbours n = {attributes->alpha, attributes->beta, attributes->bias,               \
                              (size_t)attributes->size};                                           \
        (void)c;                                                                                   \
        return lrn(x, &n, y);                                                                      \
    }
LRN(1)
LRN(13)
