/* Beam search for packings without waste: all sections are full at the height asked for. Then what
 * lies on the floor of a valley tiles it from wall to wall, and most wrong choices fail a few items
 * later. A depth-first search meets a wrong choice far from where it shows; this one keeps as many
 * skylines side by side as its budget allows, each with as many items placed, those with the fewest
 * steps first. */
#ifndef TENURE_PASSES_PACK_OFFSETS_EXACT_BEAM_H
#define TENURE_PASSES_PACK_OFFSETS_EXACT_BEAM_H

#include "passes/pack/offsets/exact/valley.h"

/* Whether nothing is left over in any section at a height of `goal` bytes, and nothing is fixed or
 * aligned. */
bool tn_beam_possible(const tn_inst *inst, uint64_t goal);

/* Asks for such a packing, filling the lowest valley first, or the narrowest (TN_PICK_NARROW): some
 * instances come out with one, some with the other. Fills offsets (units, one an item of the
 * instance) when it finds one, and proves nothing when it does not; adds to *nodes. */
tn_found tn_beam_run(tn_arena *arena, const tn_rows *rows, tn_valley_pick pick,
                     const tn_question *question, uint64_t *offsets, uint64_t *nodes);

#endif
