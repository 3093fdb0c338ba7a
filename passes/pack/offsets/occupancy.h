/* Which addresses are occupied when: a segment tree over the sections, whose nodes hold merged sets
 * of address intervals. Finding a place and taking it need no list of conflicts; as packed buffers
 * form nearly solid blocks, the sets stay small. */
#ifndef TENURE_PASSES_PACK_OFFSETS_OCCUPANCY_H
#define TENURE_PASSES_PACK_OFFSETS_OCCUPANCY_H

#include "passes/pack/base/instance.h"

typedef struct tn_occupancy tn_occupancy;

tn_occupancy *tn_occupancy_make(tn_arena *arena, const tn_inst *inst);
/* Nothing is occupied any more; memory is kept for the next packing. */
void tn_occupancy_clear(tn_occupancy *o);
/* The lowest offset >= `from` at which item i fits. */
uint64_t tn_occupancy_lowest(tn_occupancy *o, uint32_t i, uint64_t from);
void tn_occupancy_add(tn_occupancy *o, uint32_t i, uint64_t offset);
/* Steps through interval sets so far: the measure of work. */
uint64_t tn_occupancy_work(const tn_occupancy *o);

#endif
