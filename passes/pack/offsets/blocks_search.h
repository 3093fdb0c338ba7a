/* Searching with buffers joined into blocks (passes/pack/join.h): many tight instances shrink to a
 * fraction, and are then found in milliseconds. Guesses of growing caution take turns. */
#ifndef TENURE_PASSES_PACK_JOINED_H
#define TENURE_PASSES_PACK_JOINED_H

#include "passes/pack/search.h"

enum { TN_JOINED_ITEMS = 20000 }; /* the most it pays to look at */

/* Lowers `best` towards options->goal; nothing between is of use. Proves nothing: result->bound
 * stays as it is. */
void tn_joined_run(tn_arena *arena, const tn_inst *inst, const tn_search_options *options,
                   tn_packing *best, tn_search_result *result);

#endif
