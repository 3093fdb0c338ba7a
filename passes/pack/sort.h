/* Stable sorting of items by 64-bit keys, and sets of small integers with neighbour queries. */
#ifndef TENURE_PASSES_PACK_SORT_H
#define TENURE_PASSES_PACK_SORT_H

#include <stdbool.h>

#include "ir/base/arena.h"

typedef struct tn_sort_key {
    uint64_t key;
    uint32_t item;
} tn_sort_key;

/* Sorts by ascending key; equal keys keep their order. `spare` holds n keys too. */
void tn_sort_keys(tn_sort_key *keys, tn_sort_key *spare, uint32_t n);

/* Order-preserving map from times to keys. */
static inline uint64_t tn_time_key(int64_t t) {
    return (uint64_t)t ^ (UINT64_C(1) << 63);
}

/* A subset of 0 .. n-1. Each level says which words of the one below are not zero, so that finding
 * a neighbour looks at few words. */
typedef struct tn_bits {
    uint64_t *level[6]; /* level[0]: one bit an element */
    uint32_t n_levels;
} tn_bits;

#define TN_BITS_NONE UINT32_MAX
tn_bits tn_bits_make(tn_arena *arena, uint32_t n);
void tn_bits_add(tn_bits *set, uint32_t i);
void tn_bits_remove(tn_bits *set, uint32_t i);
/* The largest element < i (i may be n), or the smallest > i; TN_BITS_NONE when there is none. */
uint32_t tn_bits_below(const tn_bits *set, uint32_t i);
uint32_t tn_bits_above(const tn_bits *set, uint32_t i);

#endif
