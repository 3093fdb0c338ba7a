/* Windows that move over images. */
#include "windowing.h"

static int64_t listed(tenure_ints list, size_t i, int64_t none) {
    return list.at != NULL && i < list.count ? list.at[i] : none;
}

int window_of(const tenure_tensor *x, const tenure_tensor *y, tenure_ints kernel,
              tenure_ints strides, tenure_ints dilations, tenure_ints pads, const char *auto_pad,
              window *w) {
    const tenure_ints none = {NULL, 0};
    if (x->rank < 2 || x->rank > 2 + SPATIAL || y->rank != x->rank ||
        kernel.count + 2u != x->rank) {
        return KERNEL_BAD_SHAPE;
    }
    size_t n = kernel.count, missing = SPATIAL - n;
    w->image_size = w->result_size = w->kernel_size = 1;
    for (size_t k = 0; k < SPATIAL; k++) {
        size_t i = k - missing;
        int given = k >= missing;
        w->image[k] = given ? (size_t)x->dims[2 + i] : 1;
        w->result[k] = given ? (size_t)y->dims[2 + i] : 1;
        w->kernel[k] = given ? (size_t)kernel.at[i] : 1;
        w->stride[k] = given ? listed(strides, i, 1) : 1;
        w->dilation[k] = given ? listed(dilations, i, 1) : 1;
        w->begin[k] = given ? listed(pads, i, 0) : 0;
        w->end[k] = given ? listed(pads, n + i, 0) : 0;
        w->image_size *= w->image[k];
        w->result_size *= w->result[k];
        w->kernel_size *= w->kernel[k];
    }
    window_auto_pad(w, auto_pad, none);
    return 0;
}

void window_auto_pad(window *w, const char *auto_pad, tenure_ints more) {
    if (auto_pad == NULL || strncmp(auto_pad, "SAME", 4) != 0) {
        return;
    }
    for (size_t k = 0; k < SPATIAL; k++) {
        int64_t reach = ((int64_t)w->kernel[k] - 1) * w->dilation[k] + 1;
        int64_t all = ((int64_t)w->result[k] - 1) * w->stride[k] + reach - (int64_t)w->image[k];
        all += k + more.count >= SPATIAL ? listed(more, k + more.count - SPATIAL, 0) : 0;
        all = all > 0 ? all : 0;
        w->begin[k] = strcmp(auto_pad, "SAME_UPPER") == 0 ? all / 2 : all - all / 2;
        w->end[k] = all - w->begin[k];
    }
}

image_steps image_steps_of(const tenure_tensor *t, size_t places) {
    image_steps last = {(size_t)t->dims[1], 1}, first = {1, places};
    return t->channels_last ? last : first;
}

window_part window_at(const window *w, size_t at) {
    window_part p;
    for (size_t k = SPATIAL; k-- > 0;) {
        int64_t first = (int64_t)(at % w->result[k]) * w->stride[k] - w->begin[k],
                step = w->dilation[k];
        int64_t from = first < 0 ? (step - 1 - first) / step : 0;
        int64_t left = (int64_t)w->image[k] - first;
        int64_t to = left > 0 ? (left + step - 1) / step : 0;
        at /= w->result[k];
        p.first[k] = first;
        p.to[k] = to < (int64_t)w->kernel[k] ? (size_t)to : w->kernel[k];
        p.from[k] = from < (int64_t)p.to[k] ? (size_t)from : p.to[k];
    }
    return p;
}

size_t window_element(const window *w, const window_part *p, size_t k0, size_t k1, size_t k2) {
    size_t i0 = (size_t)(p->first[0] + (int64_t)k0 * w->dilation[0]);
    size_t i1 = (size_t)(p->first[1] + (int64_t)k1 * w->dilation[1]);
    size_t i2 = (size_t)(p->first[2] + (int64_t)k2 * w->dilation[2]);
    return (i0 * w->image[1] + i1) * w->image[2] + i2;
}
