/* Conv of floats, for one op and for the fused ops it is part of. */
#ifndef CONV_H
#define CONV_H

#include "windowing.h"

typedef struct conv_images {
    const float *images, *kernels; /* of `channels` channels, and all of one filter */
    size_t channels, filters;
    const float *bias; /* of the filters; NULL: 0 */
    float *y;          /* `filters` images of results, one behind the other */
} conv_images;

/* `sum`, and the products over the window of one channel, whose elements stand `step` apart, one by
 * one. */
float conv_window(const window *w, const window_part *p, const float *image, size_t step,
                  const float *kernel, float sum);
/* One group of one sample. */
void conv_direct(const window *w, const conv_images *c);
/* The same with the windows of `strip` results laid out as columns in the workspace first, which
 * has strip * channels * kernel_size elements. */
void conv_by_columns(const window *w, const conv_images *c, size_t strip, float *workspace);

/* Results whose windows stand in the workspace at a time, by the name of a way
 * (examples/facts/im2col.json); 0: none, the way is direct. */
size_t conv_strip(const window *w, const char *way);
/* Of images of which some have their channels last, in the order in which the result lies. By the
 * way "pixel" (examples/facts/pixels.json) all channels of a place are made in the workspace before
 * they are stored. Extents fit. 0 or KERNEL_NO_WORKSPACE. */
int conv_laid(const window *w, size_t groups, const tenure_tensor *x, const tenure_tensor *kernel,
              const tenure_tensor *bias, const tenure_tensor *y, const tenure_context *context);
/* 0, KERNEL_BAD_TYPE, KERNEL_BAD_SHAPE or KERNEL_NO_WORKSPACE. */
int conv_floats(const window *w, int64_t groups, const tenure_tensor *x,
                const tenure_tensor *kernel, const tenure_tensor *bias, const tenure_tensor *y,
                const tenure_context *context);

#endif
