/* MaxPool, of floats and of integers, with the places of the greatest elements where they are asked
 * for. */
#include "windowing.h"

/* Whether element `a` of x is greater than element `b`. */
static int is_greater(const tenure_tensor *x, size_t a, size_t b) {
    size_t at = lies_at(x, a), other = lies_at(x, b);
    return x->dtype == TENURE_DTYPE_F32 ? IN(x, float)[at] > IN(x, float)[other]
                                        : whole_at(x, at) > whole_at(x, other);
}

/* The greatest element of the window, as an element of x; windows that miss the image have none:
 * `none`. */
static size_t greatest_at(const window *w, const window_part *p, const tenure_tensor *x,
                          size_t image, size_t none) {
    size_t best = none;
    for (size_t k0 = p->from[0]; k0 < p->to[0]; k0++) {
        for (size_t k1 = p->from[1]; k1 < p->to[1]; k1++) {
            for (size_t k2 = p->from[2]; k2 < p->to[2]; k2++) {
                size_t at = image + window_element(w, p, k0, k1, k2);
                best = best == none || is_greater(x, at, best) ? at : best;
            }
        }
    }
    return best;
}

/* The same place counted column by column. */
static size_t by_columns(const window *w, size_t at) {
    size_t image = at / w->image_size, in = at % w->image_size;
    size_t i2 = in % w->image[2], i1 = in / w->image[2] % w->image[1],
           i0 = in / w->image[2] / w->image[1];
    return image * w->image_size + (i2 * w->image[1] + i1) * w->image[0] + i0;
}

static int max_pool(const window *w, const tenure_tensor *x, const tenure_tensor *y,
                    const tenure_tensor *indices, int columns) {
    if (x->dtype != TENURE_DTYPE_F32 && !is_whole(x)) {
        return BAD_TYPE(KNOWS_NUMBERS, x);
    }
    for (size_t i = 0; i < y->elements; i++) {
        size_t made = element_at(y, i);
        window_part p = window_at(w, made % w->result_size);
        size_t at = greatest_at(w, &p, x, made / w->result_size * w->image_size, x->elements);
        if (at == x->elements) {
            return KERNEL_BAD_SHAPE;
        }
        if (x->dtype == TENURE_DTYPE_F32) {
            OUT(y, float)[i] = IN(x, float)[lies_at(x, at)];
        } else {
            put_whole(y, i, whole_at(x, lies_at(x, at)));
        }
        if (indices != NULL) {
            put_whole(indices, lies_at(indices, made), (int64_t)(columns ? by_columns(w, at) : at));
        }
    }
    return 0;
}

int tenure_MaxPool_1(const tenure_MaxPool_1_attributes *attributes, const tenure_tensor *x,
                     const tenure_tensor *y, const tenure_context *c) {
    const tenure_ints none = {NULL, 0};
    window w;
    int bad = window_of(x, y, attributes->kernel_shape, attributes->strides, none, attributes->pads,
                        attributes->auto_pad, &w);
    (void)c;
    return bad ? bad : max_pool(&w, x, y, NULL, 0);
}

int tenure_MaxPool_8(const tenure_MaxPool_8_attributes *attributes, const tenure_tensor *x,
                     const tenure_tensor *y, const tenure_tensor *indices,
                     const tenure_context *c) {
    const tenure_ints none = {NULL, 0};
    window w;
    int bad = window_of(x, y, attributes->kernel_shape, attributes->strides, none, attributes->pads,
                        attributes->auto_pad, &w);
    (void)c;
    return bad ? bad : max_pool(&w, x, y, indices, attributes->storage_order != 0);
}

#define MAX_POOL(version)                                                                          \
    int tenure_MaxPool_##version(const tenure_MaxPool_##version##_attributes *attributes,          \
                                 const tenure_tensor *x, const tenure_tensor *y,                   \
                                 const tenure_tensor *indices, const tenure_context *c) {          \
        window w;                                                                                  \
        int bad = window_of(x, y, attributes->kernel_shape, attributes->strides,                   \
                            attributes->dilations, attributes->pads, attributes->auto_pad, &w);    \
        (void)c;                                                                                   \
        return bad ? bad : max_pool(&w, x, y, indices, attributes->storage_order != 0);            \
    }
MAX_POOL(10)
MAX_POOL(11)
MAX_POOL(12)
MAX_POOL(22)
