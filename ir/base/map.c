#include "ir/base/map.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t tn_hash(const void *data, size_t size, uint64_t seed) {
    uint64_t hash = XXH3_64bits_withSeed(size == 0 ? "" : data, size, seed ^ TN_HASH_SALT);
    return hash & (UINT64_MAX >> (64 - TN_HASH_BITS));
}

static uint64_t mix(uint64_t key) {
    key ^= (key >> 33) ^ TN_HASH_SALT;
    key *= 0xff51afd7ed558ccdULL;
    key ^= key >> 33;
    key *= 0xc4ceb9fe1a85ec53ULL;
    return key ^ (key >> 33);
}

tn_map tn_map_make(tn_arena *arena) {
    tn_map map = {.arena = arena};
    return map;
}

/* Slot of `key`, or the empty slot where it belongs. */
static uint32_t find(const tn_map *map, uint64_t key) {
    uint32_t at = (uint32_t)mix(key) & (map->cap - 1);
    while (map->used[at] && map->keys[at] != key) {
        at = (at + 1) & (map->cap - 1);
    }
    return at;
}

static void grow(tn_map *map) {
    tn_map old = *map;
    uint32_t cap = old.cap == 0 ? 16 : old.cap * 2;
    map->keys = TN_ARRAY(map->arena, uint64_t, cap);
    map->vals = TN_ARRAY(map->arena, uint64_t, cap);
    map->used = TN_ARRAY(map->arena, uint8_t, cap);
    map->cap = cap;
    for (uint32_t i = 0; i < old.cap; i++) {
        if (old.used[i]) {
            uint32_t at = find(map, old.keys[i]);
            map->used[at] = 1;
            map->keys[at] = old.keys[i];
            map->vals[at] = old.vals[i];
        }
    }
}

void tn_map_put(tn_map *map, uint64_t key, uint64_t val) {
    if (map->cap == 0 || map->len >= map->cap / 2) {
        grow(map);
    }
    uint32_t at = find(map, key);
    if (!map->used[at]) {
        map->used[at] = 1;
        map->keys[at] = key;
        map->len++;
    }
    map->vals[at] = val;
}

bool tn_map_get(const tn_map *map, uint64_t key, uint64_t *val) {
    if (map->cap == 0) {
        return false;
    }
    uint32_t at = find(map, key);
    if (!map->used[at]) {
        return false;
    }
    *val = map->vals[at];
    return true;
}

uint64_t tn_map_or(const tn_map *map, uint64_t key, uint64_t none) {
    uint64_t val = none;
    tn_map_get(map, key, &val);
    return val;
}
