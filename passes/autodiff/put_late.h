/* Ops of the forward part that run only when the backward part needs them. */
#ifndef TENURE_PASSES_AUTODIFF_PUT_LATE_H
#define TENURE_PASSES_AUTODIFF_PUT_LATE_H

#include "ir/module.h"

/* Ops `first` up to `end` (ids) of the main graph, and those that read what these make, without a
 * gradient (what is made of `seed`) flowing into them, go right before the first op that reads
 * them; those that nobody reads go to the end. */
void tn_put_late(tn_module *m, uint32_t first, uint32_t end, const tn_value *seed,
                 tn_arena *scratch);

#endif
