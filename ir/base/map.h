/* A hash map from 64-bit keys to 64-bit values in an arena. It is never iterated, so no output
 * can depend on its order. Key by tn_str_id for strings, by dense ids, or by a hash. */
#ifndef TENURE_IR_BASE_MAP_H
#define TENURE_IR_BASE_MAP_H

#include <stdbool.h>

#include "ir/base/arena.h"

/* `mark` is 0 where the slot is free, else the key in another form (map.c). */
typedef struct tn_map_slot {
    uint64_t mark, val;
} tn_map_slot;

typedef struct tn_map {
    tn_arena *arena;
    tn_map_slot *slots;
    uint32_t len, cap;
    bool has_odd; /* the key whose mark would be 0, which has no slot */
    uint64_t odd;
} tn_map;

/* An empty map; allocates nothing. */
tn_map tn_map_make(tn_arena *arena);
tn_map tn_map_copy(tn_arena *arena, const tn_map *map);
/* Sets or replaces. */
void tn_map_put(tn_map *map, uint64_t key, uint64_t val);
bool tn_map_get(const tn_map *map, uint64_t key, uint64_t *val);
/* The value of `key`, or `none`. */
uint64_t tn_map_or(const tn_map *map, uint64_t key, uint64_t none);

/* No output may depend on hashes: a test is built with another salt and compares. */
#ifndef TN_HASH_SALT
#define TN_HASH_SALT UINT64_C(0)
#endif

/* How many bits of a hash are used. A test is built with few, to show that no answer rests on two
 * things not having the same hash. */
#ifndef TN_HASH_BITS
#define TN_HASH_BITS 64
#endif

/* Hash of bytes (xxHash); the same on every machine of one byte order. */
uint64_t tn_hash(const void *data, size_t size, uint64_t seed);

/* Mixes all bits of x, so that numbers that differ in a few bits get unlike results (the finalizer
 * of SplitMix64, by Steele, Lea and Flood). Without a salt, so it serves for pseudo-random choices
 * that show in outputs, too. */
static inline uint64_t tn_mix(uint64_t x) {
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

#endif
