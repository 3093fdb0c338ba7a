/* Sums and means along the axes that normalisations and biases have. Means keep the axes, with
 * extent 1. */
#ifndef TENURE_IR_GRADIENT_GRAD_AXES_H
#define TENURE_IR_GRADIENT_GRAD_AXES_H

#include "ir/gradient/gradient.h"

typedef tn_value *(*tn_grad_mean)(tn_grad *g, tn_value *v);

/* Over the axes from attribute `axis` on. */
tn_value *tn_grad_tail_mean(tn_grad *g, tn_value *v);
/* Over the axes behind the second. */
tn_value *tn_grad_spatial_mean(tn_grad *g, tn_value *v);
/* Over all axes but the second. */
tn_value *tn_grad_channel_mean(tn_grad *g, tn_value *v);
/* Over those that attribute `axes` lists. */
tn_value *tn_grad_listed_mean(tn_grad *g, tn_value *v);
/* v summed over all axes but the second: [C]. */
tn_value *tn_grad_per_channel(tn_grad *g, tn_value *v);
/* v[C] in the shape that is broadcast along axis 1 of a tensor of that rank. */
tn_value *tn_grad_beside_channels(tn_grad *g, tn_value *v, uint32_t rank);

#endif
