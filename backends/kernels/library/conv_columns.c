/* Conv as a product of matrices: filters by windows laid out as columns (im2col). */
#include "conv.h"

/* Elements of one channel's windows, those of one place in the window behind those of another. */
static void lay_out(const window *w, const float *image, size_t from, size_t n, size_t strip,
                    float *to) {
    for (size_t i = 0; i < n; i++) {
        window_part p = window_at(w, from + i);
        size_t k = 0;
        for (size_t k0 = 0; k0 < w->kernel[0]; k0++) {
            for (size_t k1 = 0; k1 < w->kernel[1]; k1++) {
                for (size_t k2 = 0; k2 < w->kernel[2]; k2++, k++) {
                    int on = k0 >= p.from[0] && k0 < p.to[0] && k1 >= p.from[1] && k1 < p.to[1] &&
                             k2 >= p.from[2] && k2 < p.to[2];
                    to[k * strip + i] = on ? image[window_element(w, &p, k0, k1, k2)] : 0;
                }
            }
        }
    }
}

void conv_by_columns(const window *w, const conv_images *c, size_t strip, float *workspace) {
    size_t rows = c->channels * w->kernel_size;
    for (size_t from = 0; from < w->result_size; from += strip) {
        size_t n = w->result_size - from < strip ? w->result_size - from : strip;
        for (size_t i = 0; i < c->channels; i++) {
            lay_out(w, c->images + i * w->image_size, from, n, strip,
                    workspace + i * w->kernel_size * strip);
        }
        for (size_t m = 0; m < c->filters; m++) {
            for (size_t i = 0; i < n; i++) {
                float sum = c->bias != NULL ? c->bias[m] : 0;
                for (size_t k = 0; k < rows; k++) {
                    sum += c->kernels[m * rows + k] * workspace[k * strip + i];
                }
                c->y[m * w->result_size + from + i] = sum;
            }
        }
    }
}

size_t conv_strip(const window *w, const char *way) {
    if (strcmp(way, "image") == 0) {
        return w->result_size;
    }
    if (strcmp(way, "row") == 0) {
        return w->result[SPATIAL - 1];
    }
    return strcmp(way, "column") == 0 ? 1 : 0;
}
