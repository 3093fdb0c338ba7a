/* Radix sort: orders of a million buffers by several keys are needed many times over. */
#include "ir/base/key_sort.h"

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

void tn_sort_keys(tn_sort_key *keys, uint32_t n) {
    if (n <= SMALL) {
        insertion_sort(keys, n);
        return;
    }
    uint64_t differ = 0;
    for (uint32_t i = 1; i < n; i++) {
        differ |= keys[i].key ^ keys[0].key;
    }
    tn_sort_key *from = keys, *to = keys + n;
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

void tn_sort_items(tn_sort_key *keys, uint32_t n, uint32_t *items) {
    tn_sort_keys(keys, n);
    for (uint32_t k = 0; k < n; k++) {
        items[k] = keys[k].item;
    }
}
