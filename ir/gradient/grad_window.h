/* The windows of one convolution or pooling, for gradient rules. */
#ifndef TENURE_IR_GRADIENT_GRAD_WINDOW_H
#define TENURE_IR_GRADIENT_GRAD_WINDOW_H

#include "ir/gradient/gradient.h"

enum { TN_FIRST_SPATIAL = 2 }; /* before it: batch, channels */

typedef struct tn_grad_windows {
    uint32_t n; /* spatial axes; the lists have an entry each, `pads` all begins, then all ends */
    const int64_t *kernel, *strides, *dilations, *pads;
} tn_grad_windows;

/* Pads that the op leaves to be found out are found; an error where they cannot be. */
tn_grad_windows tn_grad_windows_of(tn_grad *g);
/* Spatial extents of a value as numbers. */
const int64_t *tn_grad_spatial(tn_grad *g, const tn_value *v);
/* The extent of an axis of a value as a number. */
int64_t tn_grad_extent(tn_grad *g, const tn_value *v, uint32_t axis);
/* A ConvTranspose of x by weights [C,M/group,...] with these windows; `pads` NULL: none,
 * `output_padding` NULL: none. */
tn_value *tn_grad_conv_transpose(tn_grad *g, tn_value *x, tn_value *weights,
                                 const tn_grad_windows *w, int64_t group, const int64_t *pads,
                                 const int64_t *output_padding);

/* The same of a Conv by weights [M,C/group,...]. */
tn_value *tn_grad_conv(tn_grad *g, tn_value *x, tn_value *weights, const tn_grad_windows *w,
                       int64_t group, const int64_t *pads);
/* A convolution without pads, of a tensor whose windows began pads before that of `like`, cut or
 * filled up to the extents of `like`. */
tn_value *tn_grad_unpad(tn_grad *g, tn_value *full, const tn_grad_windows *w, const tn_value *like);

#endif
