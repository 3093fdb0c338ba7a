/* Windows over images whose channels may stand last. */
#include "quant.h"

/* The tensor as if its channels stood second. */
static tenure_tensor channels_second(const tenure_tensor *t, tenure_dim *dims) {
    tenure_tensor moved = *t;
    for (size_t i = 0; i < t->rank; i++) {
        dims[i] = i == 0 ? t->dims[0] : t->dims[i == 1 ? (size_t)t->rank - 1 : i - 1];
    }
    moved.dims = dims;
    return moved;
}

int window_by_layout(const tenure_tensor *x, const tenure_tensor *y, int last, tenure_ints kernel,
                     tenure_ints strides, tenure_ints dilations, tenure_ints pads,
                     const char *auto_pad, window *w) {
    tenure_dim x_dims[MAX_RANK], y_dims[MAX_RANK];
    if (!last) {
        return window_of(x, y, kernel, strides, dilations, pads, auto_pad, w);
    }
    if (x->rank < 2 || x->rank > MAX_RANK || y->rank != x->rank) {
        return KERNEL_BAD_SHAPE;
    }
    tenure_tensor from = channels_second(x, x_dims), to = channels_second(y, y_dims);
    return window_of(&from, &to, kernel, strides, dilations, pads, auto_pad, w);
}

tenure_ints window_kernel(tenure_ints known, const tenure_tensor *filter, int64_t dims[SPATIAL]) {
    tenure_ints kernel = {dims, 0};
    if (known.at != NULL) {
        return known;
    }
    for (size_t i = 2; i < filter->rank && i < 2 + SPATIAL; i++) {
        dims[kernel.count++] = filter->dims[i];
    }
    return kernel;
}

int window_tap(const window *w, const window_part *p, size_t k, size_t *at) {
    size_t k2 = k % w->kernel[2], k1 = k / w->kernel[2] % w->kernel[1],
           k0 = k / w->kernel[2] / w->kernel[1];
    if (k0 < p->from[0] || k0 >= p->to[0] || k1 < p->from[1] || k1 >= p->to[1] || k2 < p->from[2] ||
        k2 >= p->to[2]) {
        return 0;
    }
    *at = window_element(w, p, k0, k1, k2);
    return 1;
}
