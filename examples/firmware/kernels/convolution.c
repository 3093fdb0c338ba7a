/* Conv over one, two or three axes. */
#include "window.h"

/* The sum over the window of one channel. */
static float channel_sum(const window *w, const window_part *p, const float *image,
                         const float *kernel) {
    float sum = 0;
    for (size_t k0 = p->from[0]; k0 < p->to[0]; k0++) {
        for (size_t k1 = p->from[1]; k1 < p->to[1]; k1++) {
            const float *row = kernel + (k0 * w->kernel[1] + k1) * w->kernel[2];
            size_t at = p->from[2] < p->to[2] ? window_element(w, p, k0, k1, p->from[2]) : 0;
            for (size_t k2 = p->from[2]; k2 < p->to[2]; k2++, at += (size_t)w->dilation[2]) {
                sum += image[at] * row[k2];
            }
        }
    }
    return sum;
}

/* All results of one output channel: `images` are the `channels` that it reads. */
static void one_channel(const window *w, const float *images, const float *kernels, size_t channels,
                        float bias, float *y) {
    for (size_t at = 0; at < w->result_size; at++) {
        window_part p = window_at(w, at);
        float sum = bias;
        for (size_t c = 0; c < channels; c++) {
            sum += channel_sum(w, &p, images + c * w->image_size, kernels + c * w->kernel_size);
        }
        y[at] = sum;
    }
}

static int conv(const window *w, int64_t groups, const tenure_tensor *x,
                const tenure_tensor *kernel, const tenure_tensor *bias, const tenure_tensor *y) {
    if (x->dtype != TENURE_DTYPE_F32 || kernel->dtype != TENURE_DTYPE_F32) {
        return KERNEL_BAD_TYPE;
    }
    size_t in = (size_t)x->dims[1], out = (size_t)y->dims[1], group = (size_t)groups;
    if (group == 0 || in % group != 0 || out % group != 0 ||
        kernel->elements != out * (in / group) * w->kernel_size) {
        return KERNEL_BAD_SHAPE;
    }
    size_t channels = in / group;
    for (size_t i = 0; i < (size_t)y->dims[0] * out; i++) {
        size_t sample = i / out, m = i % out;
        const float *images =
            IN(x, float) + (sample * in + m / (out / group) * channels) * w->image_size;
        one_channel(w, images, IN(kernel, float) + m * channels * w->kernel_size, channels,
                    bias != NULL ? IN(bias, float)[m] : 0, OUT(y, float) + i * w->result_size);
    }
    return 0;
}

#define CONV(version)                                                                              \
    int tenure_Conv_##version(const tenure_Conv_##version##_attributes *attributes,                \
                              const tenure_tensor *x, const tenure_tensor *kernel,                 \
                              const tenure_tensor *bias, const tenure_tensor *y,                   \
                              const tenure_context *c) {                                           \
        window w;                                                                                  \
        int bad = window_of(x, y, attributes->kernel_shape, attributes->strides,                   \
                            attributes->dilations, attributes->pads, &w);                          \
        (void)c;                                                                                   \
        return bad ? bad : conv(&w, attributes->group, x, kernel, bias, y);                        \
    }
CONV(1)
CONV(11)
CONV(22)
