/* Search for instances whose buffers have gaps. In a packing pushed down everything rests: on the
 * bottom, or with some part of its on a part of another. So items are placed one after the other,
 * each resting on those before it. Buffers may interlock, one above the other now and below it
 * later, which the searches without gaps (valley.h, canon.h) know nothing of. */
#ifndef TENURE_PASSES_PACK_OFFSETS_GAP_SEARCH_H
#define TENURE_PASSES_PACK_OFFSETS_GAP_SEARCH_H

#include "passes/pack/offsets/exact/portfolio.h"

enum { TN_GAP_SEARCH_ITEMS = 400 }; /* the most that can be searched */

/* Lowers `best` towards options->goal and raises result->bound by what it proves. Knows alignments,
 * fixed offsets and gaps; one thread. */
void tn_gap_search(tn_arena *arena, const tn_inst *inst, const tn_search_options *options,
                   tn_packing *best, tn_search_result *result);

#endif
