/* Windows that move over the trailing axes of images: what convolutions and pools share. */
#ifndef WINDOWING_H
#define WINDOWING_H

#include "kernels.h"

enum { SPATIAL = 3 }; /* axes of an image at most; fewer are preceded by axes of one element */

typedef struct window {
    size_t image[SPATIAL], result[SPATIAL], kernel[SPATIAL];
    int64_t stride[SPATIAL], dilation[SPATIAL], begin[SPATIAL], end[SPATIAL]; /* pads */
    size_t image_size, result_size, kernel_size;
} window;

/* For x and y of (batch, channels, axes...). 0, or KERNEL_BAD_SHAPE. Pads are those listed, unless
 * `auto_pad` is SAME_UPPER or SAME_LOWER still, as it is where the extents of x were open. */
int window_of(const tenure_tensor *x, const tenure_tensor *y, tenure_ints kernel,
              tenure_ints strides, tenure_ints dilations, tenure_ints pads, const char *auto_pad,
              window *w);
/* The pads that auto_pad stands for: so many that the windows of all results lie on the image and
 * the pads, and `more` beside; halved, and the odd one at the end or at the beginning. */
void window_auto_pad(window *w, const char *auto_pad, tenure_ints more);
/* Elements from one place of an image to the next, and from one channel to the next. */
typedef struct image_steps {
    size_t place, channel;
} image_steps;
image_steps image_steps_of(const tenure_tensor *t, size_t places);

/* The window whose result is element `at` of an image of results: where its first element lies on
 * each axis, maybe outside, and which of its elements are on the image. */
typedef struct window_part {
    int64_t first[SPATIAL];
    size_t from[SPATIAL], to[SPATIAL];
} window_part;
window_part window_at(const window *w, size_t at);
/* The element of an image that stands at the window's element (k0, k1, k2), which must be on it. */
size_t window_element(const window *w, const window_part *p, size_t k0, size_t k1, size_t k2);

#endif
