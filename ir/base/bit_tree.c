#include "ir/base/bit_tree.h"

#include "ir/base/bits.h"

tn_bit_tree tn_bit_tree_make(tn_arena *arena, uint32_t n) {
    tn_bit_tree set = {{0}, 0};
    uint32_t words = n;
    do {
        words = tn_bit_words(words);
        set.level[set.n_levels++] = TN_ARRAY(arena, uint64_t, words);
    } while (words > 1);
    return set;
}

void tn_bit_tree_add(tn_bit_tree *set, uint32_t i) {
    for (uint32_t l = 0; l < set->n_levels; l++, i /= 64) {
        tn_bit_add(set->level[l], i);
    }
}

void tn_bit_tree_remove(tn_bit_tree *set, uint32_t i) {
    for (uint32_t l = 0; l < set->n_levels; l++, i /= 64) {
        tn_bit_remove(set->level[l], i);
        if (set->level[l][i / 64] != 0) {
            return;
        }
    }
}

static uint32_t top_bit(uint64_t w) {
    return 63u - (uint32_t)__builtin_clzll(w);
}

static uint32_t low_bit(uint64_t w) {
    return (uint32_t)__builtin_ctzll(w);
}

uint32_t tn_bit_tree_below(const tn_bit_tree *set, uint32_t i) {
    for (uint32_t l = 0; l < set->n_levels; l++, i /= 64) {
        uint64_t w = set->level[l][i / 64] & ((UINT64_C(1) << (i % 64)) - 1);
        if (w == 0) {
            continue;
        }
        uint32_t at = i / 64 * 64 + top_bit(w);
        while (l-- > 0) {
            at = at * 64 + top_bit(set->level[l][at]);
        }
        return at;
    }
    return TN_BIT_NONE;
}

uint32_t tn_bit_tree_above(const tn_bit_tree *set, uint32_t i) {
    for (uint32_t l = 0; l < set->n_levels; l++, i /= 64) {
        uint64_t w = i % 64 == 63 ? 0 : set->level[l][i / 64] & ~((UINT64_C(2) << (i % 64)) - 1);
        if (w == 0) {
            continue;
        }
        uint32_t at = i / 64 * 64 + low_bit(w);
        while (l-- > 0) {
            at = at * 64 + low_bit(set->level[l][at]);
        }
        return at;
    }
    return TN_BIT_NONE;
}
