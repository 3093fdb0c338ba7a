/* The normal form of tn_pack_pools. */
#ifndef TENURE_PASSES_PACK_POOLS_POOLS_CASE_H
#define TENURE_PASSES_PACK_POOLS_POOLS_CASE_H

#include "passes/pack/pools/pools_t.h"

/* False where sums are beyond 2^TN_POOLS_BITS, or an item is never whole. */
bool tn_pools_case_make(tn_arena *arena, const tn_pools_item *items, uint32_t n,
                        const tn_pool_room *rooms, uint32_t n_rooms, tn_pools_case *out);
/* Who may not overlap beside those whose live ranges meet; NULL: nobody. */
void tn_pools_case_conflicts(tn_pools_case *c, const tn_conflict *conflicts, size_t n);

#endif
