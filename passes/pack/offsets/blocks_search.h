/* Searching with buffers joined into blocks (passes/pack/offsets/blocks.h): many tight instances
 * shrink to a fraction, and are then found in milliseconds. Guesses of growing caution take turns.
 */
#ifndef TENURE_PASSES_PACK_OFFSETS_BLOCKS_SEARCH_H
#define TENURE_PASSES_PACK_OFFSETS_BLOCKS_SEARCH_H

#include "passes/pack/offsets/exact/portfolio.h"

/* Lowers `best` towards options->goal; nothing between is of use. Proves nothing: result->bound
 * stays as it is. */
void tn_blocks_search(tn_arena *arena, const tn_inst *inst, const tn_search_options *options,
                      tn_packing *best, tn_search_result *result);

#endif
