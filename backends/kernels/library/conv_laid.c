/* Conv of images with their channels last, of operand or result or both. */
#include "conv.h"

/* One result of a sample: all channels that filter `m` reads. Sums are those of conv_direct. */
static float result_of(const window *w, const window_part *p, const float *x, image_steps of_x,
                       const tenure_tensor *kernel, size_t first, size_t m, float bias) {
    size_t channels = (size_t)kernel->dims[1];
    float sum = bias;
    for (size_t c = 0; c < channels; c++) {
        sum = conv_window(w, p, x + (first + c) * of_x.channel, of_x.place,
                          IN(kernel, float) + (m * channels + c) * w->kernel_size, sum);
    }
    return sum;
}

int conv_laid(const window *w, size_t groups, const tenure_tensor *x, const tenure_tensor *kernel,
              const tenure_tensor *bias, const tenure_tensor *y, const tenure_context *context) {
    size_t in = (size_t)x->dims[1], out = (size_t)y->dims[1];
    size_t size = out * w->result_size, samples = (size_t)y->dims[0];
    int by_pixel = y->channels_last && strcmp(context->way, "pixel") == 0;
    float *pixel = (float *)context->workspace;
    if (by_pixel && context->workspace_bytes < out * sizeof(float)) {
        return KERNEL_NO_WORKSPACE;
    }
    for (size_t i = 0; i < samples * size; i++) {
        size_t sample = i / size, at = i % size;
        size_t m = y->channels_last ? at % out : at / w->result_size;
        window_part p = window_at(w, y->channels_last ? at / out : at % w->result_size);
        float v = result_of(
            w, &p, IN(x, float) + sample * in * w->image_size, image_steps_of(x, w->image_size),
            kernel, m / (out / groups) * (in / groups), m, bias != NULL ? IN(bias, float)[m] : 0);
        if (!by_pixel) {
            OUT(y, float)[i] = v;
            continue;
        }
        pixel[m] = v;
        if (m + 1 == out) {
            memcpy(OUT(y, float) + i + 1 - out, pixel, out * sizeof *pixel);
        }
    }
    return 0;
}
