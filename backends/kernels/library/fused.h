/* What kernels of fused ops share (docs/FACTS.md): their attributes are those of the ops they are
 * made of, as "Conv.pads". */
#ifndef FUSED_H
#define FUSED_H

#include "windowing.h"

typedef struct fused_attributes {
    const tenure_attribute *at;
    uint32_t n;
} fused_attributes;

/* A list of numbers, and a number; none and `otherwise` where there is no such attribute. */
tenure_ints fused_ints(fused_attributes a, const char *name);
int64_t fused_int(fused_attributes a, const char *name, int64_t otherwise);
/* Whether an op of the type is part of it. */
int fused_has(fused_attributes a, const char *type);
/* As window_of, by the attributes of a Conv. */
int fused_window(fused_attributes a, const tenure_tensor *x, const tenure_tensor *y, window *w);

#endif
