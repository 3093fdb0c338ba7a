/* ConvTranspose over one, two or three axes: each result gathers what a convolution would have
 * spread from it. */
#include "windowing.h"

/* The index on an axis whose window's element `k` is result `at`; -1: none. The window is that of
 * the convolution from the results to the operand, so `image` and `result` of `w` have changed
 * places. */
static int64_t source(const window *w, size_t axis, size_t at, size_t k) {
    int64_t v = (int64_t)at + w->begin[axis] - (int64_t)k * w->dilation[axis];
    if (v < 0 || v % w->stride[axis] != 0 || v / w->stride[axis] >= (int64_t)w->result[axis]) {
        return -1;
    }
    return v / w->stride[axis];
}

/* Elements of one channel stand `step` apart. */
static float gathered(const window *w, const size_t *at, const float *x, size_t step,
                      const float *kernel) {
    float sum = 0;
    for (size_t k0 = 0; k0 < w->kernel[0]; k0++) {
        int64_t s0 = source(w, 0, at[0], k0);
        for (size_t k1 = 0; s0 >= 0 && k1 < w->kernel[1]; k1++) {
            int64_t s1 = source(w, 1, at[1], k1);
            for (size_t k2 = 0; s1 >= 0 && k2 < w->kernel[2]; k2++) {
                int64_t s2 = source(w, 2, at[2], k2);
                if (s2 >= 0) {
                    size_t from =
                        ((size_t)s0 * w->result[1] + (size_t)s1) * w->result[2] + (size_t)s2;
                    sum += x[from * step] * kernel[(k0 * w->kernel[1] + k1) * w->kernel[2] + k2];
                }
            }
        }
    }
    return sum;
}

/* The result at a place. Kernels of its channel stand `next` elements apart. */
static float result_at(const window *w, size_t place, const float *images, image_steps of_x,
                       const float *kernels, size_t channels, size_t next, float bias) {
    const size_t at[] = {place / (w->image[1] * w->image[2]), place / w->image[2] % w->image[1],
                         place % w->image[2]};
    float sum = bias;
    for (size_t c = 0; c < channels; c++) {
        sum += gathered(w, at, images + c * of_x.channel, of_x.place, kernels + c * next);
    }
    return sum;
}

static int conv_transpose(const window *w, int64_t groups, const tenure_tensor *x,
                          const tenure_tensor *kernel, const tenure_tensor *bias,
                          const tenure_tensor *y) {
    if (x->dtype != TENURE_DTYPE_F32 || kernel->dtype != TENURE_DTYPE_F32) {
        return BAD_TYPE2(KNOWS_F32, x, kernel);
    }
    size_t in = (size_t)x->dims[1], out = (size_t)y->dims[1], group = (size_t)groups;
    if (group == 0 || in % group != 0 || out % group != 0 ||
        kernel->elements != in * (out / group) * w->kernel_size) {
        return KERNEL_BAD_SHAPE;
    }
    size_t channels = in / group, of_group = out / group;
    image_steps of_x = image_steps_of(x, w->result_size);
    for (size_t i = 0; i < y->elements; i++) {
        size_t e = element_at(y, i), m = e / w->image_size % out, first = m / of_group * channels;
        const float *images =
            IN(x, float) + e / w->image_size / out * in * w->result_size + first * of_x.channel;
        const float *kernels =
            IN(kernel, float) + (first * of_group + m % of_group) * w->kernel_size;
        OUT(y, float)
        [i] = result_at(w, e % w->image_size, images, of_x, kernels, channels,
                        of_group * w->kernel_size, bias != NULL ? IN(bias, float)[m] : 0);
    }
    return 0;
}

#define CONV_TRANSPOSE(version)                                                                    \
    int tenure_ConvTranspose_##version(                                                            \
        const tenure_ConvTranspose_##version##_attributes *attributes, const tenure_tensor *x,     \
        const tenure_tensor *kernel, const tenure_tensor *bias, const tenure_tensor *y,            \
        const tenure_context *c) {                                                                 \
        window w;                                                                                  \
        int bad = window_of(y, x, attributes->kernel_shape, attributes->strides,                   \
                            attributes->dilations, attributes->pads, attributes->auto_pad, &w);    \
        (void)c;                                                                                   \
        if (!bad) {                                                                                \
            window_auto_pad(&w, attributes->auto_pad, attributes->output_padding);                 \
        }                                                                                          \
        return bad ? bad : conv_transpose(&w, attributes->group, x, kernel, bias, y);              \
    }
CONV_TRANSPOSE(1)
CONV_TRANSPOSE(11)
CONV_TRANSPOSE(22)
