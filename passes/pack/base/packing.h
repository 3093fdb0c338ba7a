/* Packings of an instance: an offset in units for every item. */
#ifndef TENURE_PASSES_PACK_BASE_PACKING_H
#define TENURE_PASSES_PACK_BASE_PACKING_H

#include "passes/pack/base/instance.h"

typedef struct tn_packing {
    uint64_t *offsets;
    uint64_t height; /* bytes; UINT64_MAX: there is none yet */
    const char *algorithm;
} tn_packing;

/* An offset for each item and no packing yet. */
tn_packing tn_packing_none(tn_arena *arena, const tn_inst *inst);
/* Where the highest item ends, in bytes. */
uint64_t tn_packing_height(const tn_inst *inst, const uint64_t *offsets);
/* Copies the offsets into `best` when they are a lower packing. */
void tn_packing_offer(tn_packing *best, const tn_inst *inst, const uint64_t *offsets,
                      const char *algorithm);

/* Item i as a buffer of an instance of its own, with sections for times: free, or fixed where it
 * has to be. An alignment of at least one unit keeps offsets multiples of it. */
tn_pack_buffer tn_item_buffer(const tn_inst *inst, uint32_t i);

#endif
