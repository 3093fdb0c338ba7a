#include "ir/base/map.h"

#include <string.h>

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

tn_map tn_map_copy(tn_arena *arena, const tn_map *map) {
    tn_map made = *map;
    made.arena = arena;
    made.slots = TN_ARRAY(arena, tn_map_slot, map->cap);
    if (map->cap > 0) {
        memcpy(made.slots, map->slots, map->cap * sizeof *map->slots);
    }
    return made;
}

/* A key that nobody is likely to have: it has to work, and need not be fast. */
#define ODD_KEY UINT64_C(0x9e3779b97f4a7c15)

static uint64_t mark_of(uint64_t key) {
    return key ^ ODD_KEY;
}

/* Most keys are numbers given out one after the other, and asked for in much that order: NEAR of
 * them lie side by side, so that most look-ups find their slot in the cache. */
enum { NEAR = 8 };

/* Slot of the key of this mark, or the empty slot where it belongs. */
static tn_map_slot *find(const tn_map *map, uint64_t mark) {
    uint64_t key = mark ^ ODD_KEY;
    uint32_t at = (uint32_t)(mix(key / NEAR) * NEAR + key % NEAR) & (map->cap - 1);
    while (map->slots[at].mark != 0 && map->slots[at].mark != mark) {
        at = (at + 1) & (map->cap - 1);
    }
    return &map->slots[at];
}

static void grow(tn_map *map) {
    tn_map old = *map;
    map->cap = old.cap == 0 ? 16 : old.cap * 2;
    map->slots = TN_ARRAY(map->arena, tn_map_slot, map->cap);
    for (uint32_t i = 0; i < old.cap; i++) {
        if (old.slots[i].mark != 0) {
            *find(map, old.slots[i].mark) = old.slots[i];
        }
    }
}

void tn_map_put(tn_map *map, uint64_t key, uint64_t val) {
    if (key == ODD_KEY) {
        map->has_odd = true;
        map->odd = val;
        return;
    }
    if (map->len >= map->cap / 4 * 3) {
        grow(map);
    }
    tn_map_slot *slot = find(map, mark_of(key));
    map->len += slot->mark == 0;
    *slot = (tn_map_slot){mark_of(key), val};
}

bool tn_map_get(const tn_map *map, uint64_t key, uint64_t *val) {
    if (key == ODD_KEY) {
        if (map->has_odd) {
            *val = map->odd;
        }
        return map->has_odd;
    }
    const tn_map_slot *slot = map->cap > 0 ? find(map, mark_of(key)) : NULL;
    if (slot == NULL || slot->mark == 0) {
        return false;
    }
    *val = slot->val;
    return true;
}

uint64_t tn_map_or(const tn_map *map, uint64_t key, uint64_t none) {
    uint64_t val = none;
    tn_map_get(map, key, &val);
    return val;
}
