/* Buffers that fit together like cut pieces of one rectangle are joined into blocks: one that dies
 * where another of its size is born, two of the same life, five that form a pinwheel. What remains
 * is an instance with fewer buffers, every packing of which is a packing of the first. It is a
 * guess: a lowest packing need not have them so. Tight instances usually do, and shrink a lot. */
#ifndef TENURE_PASSES_PACK_OFFSETS_BLOCKS_H
#define TENURE_PASSES_PACK_OFFSETS_BLOCKS_H

#include "passes/pack/base/instance.h"

typedef struct tn_blocks tn_blocks;

/* `without`: base/without.h. `trust`: how unlikely it has to be that two fit together by chance
 * alone; 0: join all that fit. NULL when nothing can be joined. */
tn_blocks *tn_blocks_make(tn_arena *arena, const tn_inst *inst, uint32_t trust,
                          const char *without);
/* The blocks as an instance of their own. */
const tn_inst *tn_blocks_inst(const tn_blocks *join);
/* Offsets of the items (units of the first instance) from those of the blocks. */
void tn_blocks_expand(tn_blocks *join, const uint64_t *blocks, uint64_t *items);

#endif
