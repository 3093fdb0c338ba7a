/* Radix sort, because orders of a million buffers by several keys are needed many times over. */
#include "passes/pack/sort.h"

#include <string.h>

enum { DIGIT = 11, BUCKETS = 1 << DIGIT, SMALL = 48 };

static void insertion_sort(tn_sort_key *keys, uint32_t n) {
    for (uint32_t i = 1; i < n; i++) {
        tn_sort_key k = keys[i];
        uint32_t j = i;
        for (; j > 0 && keys[j - 1].key > k.key; j--) {
            keys[j] = keys[j - 1];
        }
        keys[j] = k;
    }
}

/* One counting pass from `from` to `to` by the digit at `shift`. */
static void scatter(const tn_sort_key *from, tn_sort_key *to, uint32_t n, unsigned shift) {
    uint32_t start[BUCKETS] = {0};
    for (uint32_t i = 0; i < n; i++) {
        start[(from[i].key >> shift) & (BUCKETS - 1)]++;
    }
    uint32_t sum = 0;
    for (uint32_t d = 0; d < BUCKETS; d++) {
        uint32_t count = start[d];
        start[d] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < n; i++) {
        to[start[(from[i].key >> shift) & (BUCKETS - 1)]++] = from[i];
    }
}

void tn_sort_keys(tn_sort_key *keys, tn_sort_key *spare, uint32_t n) {
    if (n <= SMALL) {
        insertion_sort(keys, n);
        return;
    }
    uint64_t differ = 0;
    for (uint32_t i = 1; i < n; i++) {
        differ |= keys[i].key ^ keys[0].key;
    }
    tn_sort_key *from = keys, *to = spare;
    for (unsigned shift = 0; shift < 64; shift += DIGIT) {
        if (((differ >> shift) & (BUCKETS - 1)) == 0) {
            continue;
        }
        scatter(from, to, n, shift);
        tn_sort_key *t = from;
        from = to;
        to = t;
    }
    if (from != keys) {
        memcpy(keys, from, (size_t)n * sizeof *keys);
    }
}

tn_bits tn_bits_make(tn_arena *arena, uint32_t n) {
    tn_bits set = {{0}, 0};
    uint32_t words = n;
    do {
        words = words / 64 + 1;
        set.level[set.n_levels++] = TN_ARRAY(arena, uint64_t, words);
    } while (words > 1);
    return set;
}

void tn_bits_add(tn_bits *set, uint32_t i) {
    for (uint32_t l = 0; l < set->n_levels; l++, i /= 64) {
        set->level[l][i / 64] |= UINT64_C(1) << (i % 64);
    }
}

void tn_bits_remove(tn_bits *set, uint32_t i) {
    for (uint32_t l = 0; l < set->n_levels; l++, i /= 64) {
        set->level[l][i / 64] &= ~(UINT64_C(1) << (i % 64));
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

uint32_t tn_bits_below(const tn_bits *set, uint32_t i) {
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
    return TN_BITS_NONE;
}

uint32_t tn_bits_above(const tn_bits *set, uint32_t i) {
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
    return TN_BITS_NONE;
}
