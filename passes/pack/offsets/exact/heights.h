/* Which heights a packing can have. */
#ifndef TENURE_PASSES_PACK_OFFSETS_EXACT_HEIGHTS_H
#define TENURE_PASSES_PACK_OFFSETS_EXACT_HEIGHTS_H

#include "passes/pack/base/instance.h"

/* The least height above `height` bytes that a packing pushed down could have. */
uint64_t tn_heights_above(tn_arena *arena, const tn_inst *inst, uint64_t height);

#endif
