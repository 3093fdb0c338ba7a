/* Shared by the parts of tn_pack_pools alone. Pools are called by their rank: the cheapest is 0. */
#ifndef TENURE_PASSES_PACK_POOLS_POOLS_T_H
#define TENURE_PASSES_PACK_POOLS_POOLS_T_H

#include "ir/base/key_sort.h"
#include "passes/pack/pools/pools.h"

enum {
    TN_POOLS_BITS = 61
}; /* the cost of everything in the most costly pool is below this power */

typedef struct tn_pools_case {
    tn_arena *arena; /* scratch of the whole run */
    const tn_pools_item *items;
    uint32_t n;
    tn_pool_room *room;    /* by rank */
    uint32_t *pool;        /* by rank: index as the caller counts */
    uint32_t n_rooms;      /* ranks */
    uint32_t *rank;        /* by item: where it has to lie, or TN_POOL_ANY */
    uint32_t *lowest;      /* by item: the first rank that is large enough, or that of `rank` */
    uint32_t *begin, *end; /* by item: sections [begin, end) that it is whole in; sections are the
                              times between two births */
    uint32_t n_sections;
    uint64_t unit;  /* what all pools are aligned to; of powers of two the least alignment */
    uint64_t total; /* traffic of all */
    /* Beside live ranges, which bound what may lie together: NULL, or who may not overlap; of item
     * i those are near[start[i]] up to near[start[i + 1]]. */
    const tn_conflict *conflicts;
    size_t n_conflicts;
    uint32_t *near_start, *near;
    uint32_t effort;
} tn_pools_case;

/* An assignment. `fits` says that offsets are a packing within all capacities. */
typedef struct tn_pools_choice {
    uint32_t *rank;   /* by item */
    uint64_t *offset; /* by item */
    uint64_t cost;
    bool fits;
} tn_pools_choice;

/* Bytes that an item takes in a pool, alignment counted. */
uint64_t tn_pools_size(const tn_pools_case *c, uint32_t item, uint32_t rank);
tn_pools_choice tn_pools_choice_new(const tn_pools_case *c, tn_arena *arena);
void tn_pools_choice_copy(const tn_pools_case *c, tn_pools_choice *to, const tn_pools_choice *from);
uint64_t tn_pools_cost(const tn_pools_case *c, const uint32_t *rank);

/* Lays out what lies in a pool. TN_NOFIT where that is higher than the capacity: offsets are those
 * of the lowest packing found. A set that cannot fit is stored in `misfit` where it is not NULL,
 * with indices of items; n is 0 where nothing is proven. */
TN_MUST_USE tn_status tn_pools_pack(const tn_pools_case *c, tn_arena *arena, uint32_t rank,
                                    tn_pools_choice *choice, tn_pack_misfit *misfit);

/* The lowest offset beside those that live at the same time, if only in parts, and have places
 * there. False where the capacity leaves none. `keys` has room for all items (tn_sort_room). */
bool tn_pools_find_hole(const tn_pools_case *c, const tn_pools_choice *now, uint32_t item,
                        uint32_t rank, tn_sort_key *keys, uint64_t *offset);

/* Bytes alive in each section, by pool. */
typedef struct tn_pools_load {
    const tn_pools_case *c;
    uint64_t *bytes; /* rank * n_sections + section */
} tn_pools_load;
tn_pools_load tn_pools_load_new(const tn_pools_case *c, tn_arena *arena);
/* Whether what is alive in the item's sections leaves room for it. */
bool tn_pools_has_room(const tn_pools_load *l, uint32_t item, uint32_t rank);
void tn_pools_load_add(tn_pools_load *l, uint32_t item, uint32_t rank);
void tn_pools_load_drop(tn_pools_load *l, uint32_t item, uint32_t rank);

/* Prices of bytes, section by section, for the k + 1 cheapest pools together (level k): an upper
 * bound of what lying there can save. With prices that are not negative the sum over items of what
 * is gained beyond the price of the bytes taken, and the price of the whole capacity, is one (weak
 * duality); best prices come from a flow of capacity through the sections along items, the dual of
 * the relaxation in which parts of items may lie in a pool. */
typedef struct tn_pools_prices {
    int64_t *gain;   /* by level * n + item: saved by lying in the cheap pools, 1 / 2^shift bytes */
    int64_t *toll;   /* the same for the price of its bytes */
    int64_t *base;   /* by level: price of the capacity */
    uint64_t *step;  /* by level: cost of the next pool less that of the last of the level */
    unsigned *shift; /* by level */
} tn_pools_prices;
void tn_pools_prices_find(const tn_pools_case *c, tn_pools_prices *out);
/* The sum, or a number that is not below it. */
int64_t tn_pools_plus(int64_t a, int64_t b);
/* The upper bound of a level for items that are free to go anywhere. */
int64_t tn_pools_most(const tn_pools_case *c, const tn_pools_prices *p, uint32_t level);
/* The lower bound of the cost that follows from upper bounds of all levels. */
uint64_t tn_pools_least_cost(const tn_pools_case *c, const tn_pools_prices *p, const int64_t *most);

/* Several greedy assignments with repairs, the cheapest that fits; `fits` is false where none
 * does. */
TN_MUST_USE tn_status tn_pools_greedy(const tn_pools_case *c, const tn_pools_prices *p,
                                      tn_pools_choice *best);

/* Makes an assignment that fits cheaper, as long as a counted budget lasts: what is alive in some
 * sections is taken out, and everything outside of the cheapest pool goes into holes again, in
 * another order. */
TN_MUST_USE tn_status tn_pools_refill(const tn_pools_case *c, const tn_pools_prices *p,
                                      uint64_t bound, tn_pools_choice *best);

typedef struct tn_pools_search {
    uint64_t budget, nodes;
    bool complete; /* everything cheaper than the result was searched through */
} tn_pools_search;
/* Exact search below the cost of `best`, which it replaces. */
TN_MUST_USE tn_status tn_pools_exact(const tn_pools_case *c, const tn_pools_prices *p,
                                     tn_pools_choice *best, tn_pools_search *search);

#endif
