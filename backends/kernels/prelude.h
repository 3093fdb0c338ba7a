/* Texts that stand in front of kernels. */
#ifndef TENURE_BACKENDS_KERNELS_PRELUDE_H
#define TENURE_BACKENDS_KERNELS_PRELUDE_H

#include "backends/kernels/kernels_c.h"

enum { TN_PRELUDE_MARKS = 8 };

/* A text that stands where kernels have one of the marks. */
typedef struct tn_prelude_part {
    const char *mark[TN_PRELUDE_MARKS], *text;
} tn_prelude_part;

/* Writes the parts that kernels call; one of `other` in place of the part with the same first mark.
 */
void tn_prelude_put(tn_sink *out, const char *kernels, const tn_prelude_part *other, size_t n);
/* Those for vectors, which may use the others. */
const tn_prelude_part *tn_prelude_lanes(size_t *n);

#endif
