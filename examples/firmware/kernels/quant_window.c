/* Windows of convolutions and pools. */
#include "quant.h"

static ptrdiff_t listed(tenure_ints list, size_t i, ptrdiff_t missing) {
    return list.at != NULL && i < list.count ? (ptrdiff_t)list.at[i] : missing;
}

int window_init(window *w, const tenure_tensor *x, const tenure_tensor *y, size_t first,
                const int64_t *taps, tenure_ints strides, tenure_ints dilations, tenure_ints pads) {
    size_t rank = (size_t)x->rank - 2, missing = 3 - rank;
    if (x->rank < 3 || x->rank > 5 || y->rank != x->rank) {
        return KERNEL_BAD_SHAPE;
    }
    w->in_all = w->out_all = w->taps_all = 1;
    for (size_t i = 0; i < 3; i++) {
        size_t k = i - missing;
        int there = i >= missing;
        w->in[i] = there ? (size_t)x->dims[first + k] : 1;
        w->out[i] = there ? (size_t)y->dims[first + k] : 1;
        w->taps[i] = there ? (size_t)taps[k] : 1;
        w->stride[i] = there ? listed(strides, k, 1) : 1;
        w->dilation[i] = there ? listed(dilations, k, 1) : 1;
        w->pad[i] = there ? listed(pads, k, 0) : 0;
        w->in_all *= w->in[i];
        w->out_all *= w->out[i];
        w->taps_all *= w->taps[i];
    }
    return 0;
}

int window_tap(const window *w, size_t o, size_t k, size_t *at) {
    size_t step = 1;
    *at = 0;
    for (size_t i = 3; i-- > 0;) {
        ptrdiff_t place = (ptrdiff_t)(o % w->out[i]) * w->stride[i] +
                          (ptrdiff_t)(k % w->taps[i]) * w->dilation[i] - w->pad[i];
        if (place < 0 || (size_t)place >= w->in[i]) {
            return 0;
        }
        *at += (size_t)place * step;
        step *= w->in[i];
        o /= w->out[i];
        k /= w->taps[i];
    }
    return 1;
}
