/* Which values the backward part keeps of the forward part. */
#ifndef TENURE_PASSES_AUTODIFF_KEEP_LEAST_H
#define TENURE_PASSES_AUTODIFF_KEEP_LEAST_H

#include "ir/gradient/emit_ops.h"

/* How many ops run once more in the backward part, and what they cost. */
typedef struct tn_kept_least {
    uint64_t ops;
    double flops;
} tn_kept_least;

/* The backward part of the main graph begins with op `first` (by id), gradients with `seed`, and
 * ops that these do not flow into are formulas of the forward part, wherever they stand. From
 * these, the values to keep are chosen so that they have the fewest bytes (a minimum cut): what is
 * not kept is computed once more from what is, where that is cheap: ops on single elements,
 * normalisations, reductions, pools, what only moves elements, and products of two activations
 * (scores of attention), but no product with weights, and nothing random. What is kept in any case
 * (inputs, parameters, outputs) costs nothing; operations count a little, so that of equal bytes
 * the least is computed again.
 *
 * Of types whose sizes depend on open dimensions, these are taken as small numbers. Values of
 * unknown size are kept as they are. */
tn_kept_least tn_keep_least(tn_emitter *e, uint32_t first, const tn_value *seed);

#endif
