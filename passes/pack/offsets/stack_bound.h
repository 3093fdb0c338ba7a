/* A lower bound where alignments leave holes: what is alive at one moment is a stack, in some
 * order, and of all orders the best one wastes the least. */
#ifndef TENURE_PASSES_PACK_OFFSETS_STACK_BOUND_H
#define TENURE_PASSES_PACK_OFFSETS_STACK_BOUND_H

#include "passes/pack/base/instance.h"

/* Raises inst->bound, by the fullest sections that hold few enough items for it; does nothing where
 * plain sums are exact. Exact for one section on its own, fixed offsets and gaps included. */
void tn_stack_bound(tn_arena *scratch, tn_inst *inst);

#endif
