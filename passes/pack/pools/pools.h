/* Several pools of memory, some of them cheap to use and small: who lies where. Plain arrays in, a
 * pool and an offset for each item and a proven lower bound of the cost out.
 *
 * Problem. An item is a buffer (passes/pack/pack.h) that is read and written by `traffic` bytes in
 * all. A byte read or written in a pool costs what the pool says. Every item lies in one pool for
 * all of its live range; those of one pool are packed within its capacity. Minimise the sum of
 * traffic * cost. Deterministic: searches count their work. Gaps are for the packer: the bound, and
 * what is worth trying, count an item at times alone at which it is whole. */
#ifndef TENURE_PASSES_PACK_POOLS_POOLS_H
#define TENURE_PASSES_PACK_POOLS_POOLS_H

#include "passes/pack/pack.h"

#define TN_POOL_ANY UINT32_MAX /* tn_pools_item.pool: the solver chooses */

typedef struct tn_pool_room {
    uint64_t capacity; /* bytes; 0: no limit */
    uint64_t align;    /* >= 1: what lies there begins at multiples of it and takes whole ones */
    uint64_t cost;     /* of a byte that is read or written there */
} tn_pool_room;

typedef struct tn_pools_item {
    tn_pack_buffer buffer; /* `align` beside that of the pool, `fixed` in its pool; whole at some
                              time, gaps or not */
    uint64_t traffic;      /* bytes */
    uint32_t pool;         /* where it has to lie, or TN_POOL_ANY; not ANY when it is fixed */
} tn_pools_item;

typedef struct tn_pools_options {
    uint32_t effort; /* as tn_pack_options; from 1 on small instances are searched */
    uint64_t budget; /* nodes of that search, 0: the default of the effort */
    /* Where steps run side by side: all pairs of items that may not overlap, those whose live
     * ranges meet among them. NULL: live ranges say it all. */
    const tn_conflict *conflicts;
    size_t n_conflicts;
} tn_pools_options;

typedef struct tn_pools_result {
    uint32_t *pool;        /* by item */
    uint64_t *offset;      /* by item, in its pool */
    uint64_t *height;      /* by pool: bytes it needs so */
    uint64_t cost;         /* sum of traffic * cost */
    uint64_t bound;        /* proven: no assignment that can be packed costs less */
    bool proven;           /* TN_NOFIT: it is certain that nothing fits */
    uint64_t nodes;        /* of the search */
    uint32_t misfit_in;    /* TN_NOFIT with a set: the pool that cannot hold it, or TN_POOL_ANY: all
                              pools together */
    tn_pack_misfit misfit; /* TN_NOFIT: items that do not fit by themselves; n is 0 where none is
                              known */
} tn_pools_result;

/* TN_OK; TN_NOFIT when no assignment that fits was found; TN_ERROR when fixed offsets collide or
 * are misaligned, an item is never whole, or sums are beyond 2^62. Results are in `arena`. At least
 * one pool. */
TN_MUST_USE tn_status tn_pack_pools(tn_arena *arena, const tn_pools_item *items, uint32_t n,
                                    const tn_pool_room *rooms, uint32_t n_rooms,
                                    const tn_pools_options *options, tn_pools_result *out);

/* The buffer as the packer of pool `room` sees it: aligned, and of whole multiples. False when the
 * size overflows. */
bool tn_pools_buffer(const tn_pools_item *item, const tn_pool_room *room, tn_pack_buffer *out);

#endif
