/* Conv over one, two or three axes. */
#include "conv.h"

float conv_window(const window *w, const window_part *p, const float *image, size_t step,
                  const float *kernel, float sum) {
    for (size_t k0 = p->from[0]; k0 < p->to[0]; k0++) {
        for (size_t k1 = p->from[1]; k1 < p->to[1]; k1++) {
            const float *row = kernel + (k0 * w->kernel[1] + k1) * w->kernel[2];
            size_t at = p->from[2] < p->to[2] ? window_element(w, p, k0, k1, p->from[2]) : 0;
            for (size_t k2 = p->from[2]; k2 < p->to[2]; k2++, at += (size_t)w->dilation[2]) {
                sum += image[at * step] * row[k2];
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
            sum = conv_window(w, &p, images + c * w->image_size, 1, kernels + c * w->kernel_size,
                              sum);
        }
        y[at] = sum;
    }
}

void conv_direct(const window *w, const conv_images *c) {
    for (size_t m = 0; m < c->filters; m++) {
        one_channel(w, c->images, c->kernels + m * c->channels * w->kernel_size, c->channels,
                    c->bias != NULL ? c->bias[m] : 0, c->y + m * w->result_size);
    }
}

int conv_floats(const window *w, int64_t groups, const tenure_tensor *x,
                const tenure_tensor *kernel, const tenure_tensor *bias, const tenure_tensor *y,
                const tenure_context *context) {
    if (x->dtype != TENURE_DTYPE_F32 || kernel->dtype != TENURE_DTYPE_F32) {
        return BAD_TYPE2(KNOWS_F32, x, kernel);
    }
    size_t in = (size_t)x->dims[1], out = (size_t)y->dims[1], group = (size_t)groups;
    if (group == 0 || in % group != 0 || out % group != 0 ||
        kernel->elements != out * (in / group) * w->kernel_size) {
        return KERNEL_BAD_SHAPE;
    }
    if (x->channels_last || y->channels_last) {
        return conv_laid(w, group, x, kernel, bias, y, context);
    }
    size_t channels = in / group, filters = out / group, strip = conv_strip(w, context->way);
    if (strip * channels * w->kernel_size * sizeof(float) > context->workspace_bytes) {
        return KERNEL_NO_WORKSPACE;
    }
    for (size_t i = 0; i < (size_t)y->dims[0] * group; i++) {
        size_t g = i % group;
        conv_images part = {IN(x, float) + i * channels * w->image_size,
                            IN(kernel, float) + g * filters * channels * w->kernel_size,
                            channels,
                            filters,
                            bias != NULL ? IN(bias, float) + g * filters : NULL,
                            OUT(y, float) + i * filters * w->result_size};
        if (strip == 0) {
            conv_direct(w, &part);
        } else {
            conv_by_columns(w, &part, strip, (float *)context->workspace);
        }
    }
    return 0;
}

/* The kernel, and what it needs: a configuration may have TENURE_WORKSPACE_Conv_11 stand for
 * tenure_Conv_11_workspace. */
#define CONV(version)                                                                              \
    int tenure_Conv_##version(const tenure_Conv_##version##_attributes *attributes,                \
                              const tenure_tensor *x, const tenure_tensor *kernel,                 \
                              const tenure_tensor *bias, const tenure_tensor *y,                   \
                              const tenure_context *c) {                                           \
        window w;                                                                                  \
        int bad = window_of(x, y, attributes->kernel_shape, attributes->strides,                   \
                            attributes->dilations, attributes->pads, attributes->auto_pad, &w);    \
        return bad ? bad : conv_floats(&w, attributes->group, x, kernel, bias, y, c);              \
    }                                                                                              \
    size_t tenure_Conv_##version##_workspace(const tenure_Conv_##version##_attributes *attributes, \
                                             const tenure_tensor *x, const tenure_tensor *kernel,  \
                                             const tenure_tensor *bias, const tenure_tensor *y,    \
                                             const tenure_context *c) {                            \
        window w;                                                                                  \
        int bad = window_of(x, y, attributes->kernel_shape, attributes->strides,                   \
                            attributes->dilations, attributes->pads, attributes->auto_pad, &w);    \
        (void)bias;                                                                                \
        return bad ? 0                                                                             \
                   : conv_strip(&w, c->way) * (size_t)kernel->dims[1] * w.kernel_size *            \
                         sizeof(float);                                                            \
    }
CONV(1)
CONV(11)
CONV(22)
