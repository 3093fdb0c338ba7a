/* Pools of windows: AveragePool, LpPool, and those of whole images. */
#include "windowing.h"

typedef struct pool {
    int pads_count; /* AveragePool: whether pads count as elements */
    float p;        /* LpPool: the power; 0: AveragePool */
} pool;

/* Elements of the window that lie on the image or on its pads. */
static size_t padded_size(const window *w, const window_part *p) {
    size_t n = 1;
    for (size_t k = 0; k < SPATIAL; k++) {
        int64_t left = (int64_t)w->image[k] + w->end[k] - p->first[k];
        int64_t on = left > 0 ? (left + w->dilation[k] - 1) / w->dilation[k] : 0;
        n *= on < (int64_t)w->kernel[k] ? (size_t)on : w->kernel[k];
    }
    return n;
}

/* Of the image that begins with element `image`. */
static float pooled(const window *w, const window_part *p, const tenure_tensor *x, size_t image,
                    const pool *how) {
    float sum = 0;
    size_t n = 0;
    for (size_t k0 = p->from[0]; k0 < p->to[0]; k0++) {
        for (size_t k1 = p->from[1]; k1 < p->to[1]; k1++) {
            for (size_t k2 = p->from[2]; k2 < p->to[2]; k2++, n++) {
                float v = IN(x, float)[lies_at(x, image + window_element(w, p, k0, k1, k2))];
                sum += how->p > 0 ? powf(fabsf(v), how->p) : v;
            }
        }
    }
    if (how->p > 0) {
        return powf(sum, 1 / how->p);
    }
    return sum / (float)(how->pads_count ? padded_size(w, p) : n);
}

static int pool_windows(const window *w, const pool *how, const tenure_tensor *x,
                        const tenure_tensor *y) {
    if (x->dtype != TENURE_DTYPE_F32) {
        return BAD_TYPE(KNOWS_F32, x);
    }
    for (size_t i = 0; i < y->elements; i++) {
        size_t at = element_at(y, i);
        window_part p = window_at(w, at % w->result_size);
        OUT(y, float)[i] = pooled(w, &p, x, at / w->result_size * w->image_size, how);
    }
    return 0;
}

/* The attributes that only some versions have come as arguments. */
#define POOL(op, version, pads_count, dilations, p)                                                \
    int tenure_##op##_##version(const tenure_##op##_##version##_attributes *attributes,            \
                                const tenure_tensor *x, const tenure_tensor *y,                    \
                                const tenure_context *c) {                                         \
        const tenure_ints none = {NULL, 0};                                                        \
        const pool how = {(pads_count) != 0, (float)(p)};                                          \
        window w;                                                                                  \
        int bad = window_of(x, y, attributes->kernel_shape, attributes->strides, dilations,        \
                            attributes->pads, attributes->auto_pad, &w);                           \
        (void)none;                                                                                \
        (void)c;                                                                                   \
        return bad ? bad : pool_windows(&w, &how, x, y);                                           \
    }
POOL(AveragePool, 1, 0, none, 0)
POOL(AveragePool, 7, attributes->count_include_pad, none, 0)
POOL(AveragePool, 10, attributes->count_include_pad, none, 0)
POOL(AveragePool, 11, attributes->count_include_pad, none, 0)
POOL(AveragePool, 19, attributes->count_include_pad, attributes->dilations, 0)
POOL(AveragePool, 22, attributes->count_include_pad, attributes->dilations, 0)
POOL(LpPool, 1, 0, none, attributes->p)
POOL(LpPool, 2, 0, none, attributes->p)
POOL(LpPool, 11, 0, none, attributes->p)
POOL(LpPool, 18, 0, attributes->dilations, attributes->p)
POOL(LpPool, 22, 0, attributes->dilations, attributes->p)

/* ---- whole images ---- */

static int global_average(const tenure_tensor *x, const tenure_tensor *y) {
    size_t n = y->elements > 0 ? x->elements / y->elements : 0;
    if (x->dtype != TENURE_DTYPE_F32) {
        return BAD_TYPE(KNOWS_F32, x);
    }
    for (size_t i = 0; i < y->elements; i++) {
        float sum = 0;
        for (size_t k = 0; k < n; k++) {
            sum += IN(x, float)[lies_at(x, element_at(y, i) * n + k)];
        }
        OUT(y, float)[i] = sum / (float)n;
    }
    return 0;
}
KERNEL_UNARY(GlobalAveragePool, 1, global_average)
KERNEL_UNARY(GlobalAveragePool, 22, global_average)

static int global_max(const tenure_tensor *x, const tenure_tensor *y) {
    size_t n = y->elements > 0 ? x->elements / y->elements : 0;
    if (x->dtype != TENURE_DTYPE_F32) {
        return BAD_TYPE(KNOWS_F32, x);
    }
    for (size_t i = 0; i < y->elements; i++) {
        float best = IN(x, float)[lies_at(x, element_at(y, i) * n)];
        for (size_t k = 1; k < n; k++) {
            float v = IN(x, float)[lies_at(x, element_at(y, i) * n + k)];
            best = v > best ? v : best;
        }
        OUT(y, float)[i] = best;
    }
    return 0;
}
KERNEL_UNARY(GlobalMaxPool, 1, global_max)
KERNEL_UNARY(GlobalMaxPool, 22, global_max)
