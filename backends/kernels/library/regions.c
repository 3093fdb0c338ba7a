/* RoiAlign: regions of an image, each on a grid of the same size, whose cells are means or maxima
 * of samples between the pixels. */
#include "kernels.h"

typedef struct grid {
    size_t cells[2];   /* rows and columns */
    size_t samples[2]; /* in each cell */
    float first[2], step[2];
    int is_max;
} grid;

/* The pixels on both sides of a sample along an axis, and how near it is to the second. */
typedef struct span {
    size_t low, high;
    float part;
    int inside;
} span;

static span span_at(float at, size_t extent) {
    span s = {0, 0, 0, at >= -1 && at <= (float)extent && extent > 0};
    if (!s.inside) {
        return s;
    }
    at = at > 0 ? at : 0;
    s.low = (size_t)at;
    s.low = s.low < extent ? s.low : extent - 1;
    s.high = s.low + 1 < extent ? s.low + 1 : s.low;
    s.part = s.high > s.low ? at - (float)s.low : 0;
    return s;
}

static float sample_at(const grid *g, size_t axis, size_t at, size_t k) {
    return g->first[axis] + g->step[axis] * (float)at +
           g->step[axis] * ((float)k + 0.5f) / (float)g->samples[axis];
}

static float cell_of(const grid *g, const float *plane, const tenure_dim *dims, size_t row,
                     size_t column) {
    size_t height = (size_t)dims[2], width = (size_t)dims[3];
    float sum = 0, most = 0;
    int any = 0;
    for (size_t i = 0; i < g->samples[0] * g->samples[1]; i++) {
        span y = span_at(sample_at(g, 0, row, i / g->samples[1]), height);
        span x = span_at(sample_at(g, 1, column, i % g->samples[1]), width);
        float parts[4] = {0, 0, 0, 0};
        if (y.inside && x.inside) {
            parts[0] = (1 - y.part) * (1 - x.part) * plane[y.low * width + x.low];
            parts[1] = (1 - y.part) * x.part * plane[y.low * width + x.high];
            parts[2] = y.part * (1 - x.part) * plane[y.high * width + x.low];
            parts[3] = y.part * x.part * plane[y.high * width + x.high];
        }
        for (size_t k = 0; k < 4; k++) {
            sum += parts[k];
            most = any && most > parts[k] ? most : parts[k];
            any = 1;
        }
    }
    return g->is_max ? most : sum / (float)(g->samples[0] * g->samples[1]);
}

/* Of a region, as (x, y) of its first corner, then of the last. */
static void lay(grid *g, const float *roi, float scale, int64_t ratio, int half_pixel) {
    float shift = half_pixel ? 0.5f : 0;
    for (size_t axis = 0; axis < 2; axis++) {
        float from = roi[1 - axis] * scale - shift, length = roi[3 - axis] * scale - shift - from;
        length = half_pixel || length > 1 ? length : 1;
        g->first[axis] = from;
        g->step[axis] = length / (float)g->cells[axis];
        float n = ratio > 0 ? (float)ratio : ceilf(g->step[axis]);
        g->samples[axis] = n > 1 ? (size_t)n : 1;
    }
}

static int align(grid g, float scale, int64_t ratio, int half_pixel, const tenure_tensor *x,
                 const tenure_tensor *rois, const tenure_tensor *batch, const tenure_tensor *y) {
    size_t channels = (size_t)x->dims[1], plane = (size_t)(x->dims[2] * x->dims[3]);
    size_t of_roi = channels * g.cells[0] * g.cells[1];
    for (size_t r = 0; r < (size_t)rois->dims[0]; r++) {
        int64_t image = whole_at(batch, r);
        if (image < 0 || image >= x->dims[0]) {
            return KERNEL_BAD_VALUE;
        }
        lay(&g, IN(rois, float) + 4 * r, scale, ratio, half_pixel);
        for (size_t i = 0; i < of_roi; i++) {
            size_t channel = i / (g.cells[0] * g.cells[1]), place = i % (g.cells[0] * g.cells[1]);
            const float *from = IN(x, float) + ((size_t)image * channels + channel) * plane;
            OUT(y, float)
            [r * of_roi + i] = cell_of(&g, from, x->dims, place / g.cells[1], place % g.cells[1]);
        }
    }
    return 0;
}

#define ALIGN(version, half)                                                                       \
    int tenure_RoiAlign_##version(const tenure_RoiAlign_##version##_attributes *a,                 \
                                  const tenure_tensor *x, const tenure_tensor *rois,               \
                                  const tenure_tensor *batch, const tenure_tensor *y,              \
                                  const tenure_context *c) {                                       \
        const grid g = {{(size_t)a->output_height, (size_t)a->output_width},                       \
                        {1, 1},                                                                    \
                        {0, 0},                                                                    \
                        {0, 0},                                                                    \
                        strcmp(a->mode, "max") == 0};                                              \
        (void)c;                                                                                   \
        return x->dtype == TENURE_DTYPE_F32                                                        \
                   ? align(g, a->spatial_scale, a->sampling_ratio, half, x, rois, batch, y)        \
                   : BAD_TYPE(KNOWS_F32, x);                                                       \
    }
ALIGN(10, 0)
ALIGN(16, strcmp(a->coordinate_transformation_mode, "half_pixel") == 0)
ALIGN(22, strcmp(a->coordinate_transformation_mode, "half_pixel") == 0)
