#include "passes/pack/base/packing.h"

#include <string.h>

tn_packing tn_packing_none(tn_arena *arena, const tn_inst *inst) {
    return (tn_packing){TN_ARRAY(arena, uint64_t, inst->n), UINT64_MAX, "none"};
}

uint64_t tn_packing_height(const tn_inst *inst, const uint64_t *offsets) {
    uint64_t height = 0;
    for (uint32_t i = 0; i < inst->n; i++) {
        uint64_t top = tn_inst_top(inst, i, offsets[i]);
        height = top > height ? top : height;
    }
    return height;
}

void tn_packing_offer(tn_packing *best, const tn_inst *inst, const uint64_t *offsets,
                      const char *algorithm) {
    uint64_t height = tn_packing_height(inst, offsets);
    if (height < best->height) {
        memcpy(best->offsets, offsets, inst->n * sizeof *offsets);
        best->height = height;
        best->algorithm = algorithm;
    }
}

tn_pack_buffer tn_item_buffer(const tn_inst *inst, uint32_t i) {
    const tn_item *item = &inst->items[i];
    uint64_t fixed = item->fixed == TN_PACK_FREE ? TN_PACK_FREE : item->fixed * inst->unit;
    return (tn_pack_buffer){.first = item->a,
                            .last = item->b,
                            .size = item->size * inst->unit - item->slack,
                            .align = item->align * inst->unit,
                            .fixed = fixed};
}
