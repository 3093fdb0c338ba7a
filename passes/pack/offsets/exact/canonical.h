/* Canonical search: is there a packing of a given height? Every packing, pushed down, is built by
 * placing its items at the lowest place left to them by ascending offset (ties by rank); only such
 * orders are tried, as in MiniMalloc (google/minimalloc). Unlike valley search it knows alignments
 * and fixed offsets, and it is the stronger of the two on long loose structures. */
#ifndef TENURE_PASSES_PACK_OFFSETS_EXACT_CANONICAL_H
#define TENURE_PASSES_PACK_OFFSETS_EXACT_CANONICAL_H

#include "passes/pack/base/stop.h"
#include "passes/pack/offsets/exact/rows.h"

/* As tn_valley_run, with alignments and fixed offsets, and without seeds; `letters`: the order of
 * items that could lie equally low (base/item_order.h). */
tn_found tn_canonical_run(tn_arena *arena, const tn_rows *rows, const char *letters,
                          const tn_question *question, uint64_t *offsets, uint64_t *nodes);

#endif
