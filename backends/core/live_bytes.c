#include "backends/core/live_bytes.h"

#include "ir/base/xmath.h"

uint32_t tn_plan_main_pool(const tn_plan *p) {
    for (uint32_t i = 0; i < p->n_pools; i++) {
        if (p->pools[i].kind == TN_POOL_ARENA) {
            return i;
        }
    }
    return p->n_pools > 0 ? 0 : TN_NO_ID;
}

/* From what begins and ends at each step. */
const uint64_t *tn_live_bytes(tn_arena *arena, const tn_plan *p, uint32_t pool) {
    uint32_t steps = p->n_steps;
    uint64_t *live = TN_ARRAY(arena, uint64_t, (size_t)steps + 1), alive = 0;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_storage *s = &p->storages[i];
        uint32_t first = s->first > 0 ? (uint32_t)s->first : 0;
        uint32_t after = s->last < 0 ? 0 : (uint32_t)s->last + 1;
        if (s->pool == pool && first < after && first < steps) {
            uint64_t size = s->size; /* as it is where it cannot be rounded up */
            (void)tn_align_u64(s->size, p->pools[pool].align, &size);
            live[first] += size;
            live[after < steps ? after : steps] -= size;
        }
    }
    for (uint32_t i = 0; i < steps; i++) {
        alive += live[i];
        live[i] = alive;
    }
    return live;
}
