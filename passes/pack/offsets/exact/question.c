#include "passes/pack/offsets/exact/question.h"

uint64_t *tn_question_limits(tn_arena *arena, const tn_inst *inst, uint64_t goal,
                             uint64_t *capacity) {
    uint64_t *limit = TN_ARRAY(arena, uint64_t, inst->n);
    *capacity = 0;
    for (uint32_t i = 0; i < inst->n; i++) {
        const tn_item *item = &inst->items[i];
        uint64_t top = (goal + item->slack) / inst->unit;
        if (top < item->size || (item->fixed != TN_PACK_FREE && item->fixed > top - item->size)) {
            return NULL;
        }
        limit[i] = top - item->size;
        *capacity = top > *capacity ? top : *capacity;
    }
    return limit;
}
