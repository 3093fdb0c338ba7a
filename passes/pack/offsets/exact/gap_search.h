/* Search for instances whose buffers have gaps. In a packing pushed down everything rests: on the
 * bottom, or with some part of its on a part of another. So items are placed one after the other,
 * each resting on those before it. Buffers may interlock, one above the other now and below it
 * later, which the searches without gaps (valley.h, canon.h) know nothing of. */
#ifndef TENURE_PASSES_PACK_OFFSETS_EXACT_GAP_SEARCH_H
#define TENURE_PASSES_PACK_OFFSETS_EXACT_GAP_SEARCH_H

#include "passes/pack/base/budgets.h"
#include "passes/pack/offsets/exact/question.h"

/* Knows alignments, fixed offsets and gaps; needs at most TN_LIMIT_GAP_ITEMS items. `letters`:
 * which of several choices at one offset comes first (base/item_order.h). The question's seed is
 * not used, its budget is one of common nodes. Fills offsets (units) when it finds a packing; adds
 * to *nodes. */
tn_found tn_gap_search(tn_arena *arena, const tn_inst *inst, const char *letters,
                       const tn_question *question, uint64_t *offsets, uint64_t *nodes);

#endif
