/* Stable sorting of items by 64-bit keys, in time linear in their number. */
#ifndef TENURE_IR_BASE_KEY_SORT_H
#define TENURE_IR_BASE_KEY_SORT_H

#include "ir/base/arena.h"

typedef struct tn_sort_key {
    uint64_t key;
    uint32_t item;
} tn_sort_key;

/* An array of n keys to be filled in, with as many behind them for the sort to work with. */
static inline tn_sort_key *tn_sort_room(tn_arena *arena, uint32_t n) {
    return TN_ARRAY(arena, tn_sort_key, 2 * (size_t)n);
}

/* Sorts n keys of such an array by ascending key; equal keys keep their order. */
void tn_sort_keys(tn_sort_key *keys, uint32_t n);

/* The same, and writes the items into `items` in that order. */
void tn_sort_items(tn_sort_key *keys, uint32_t n, uint32_t *items);

/* Order-preserving map from times to keys. */
static inline uint64_t tn_time_key(int64_t t) {
    return (uint64_t)t ^ (UINT64_C(1) << 63);
}

#endif
