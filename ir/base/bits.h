/* Sets of small integers as arrays of 64-bit words. */
#ifndef TENURE_IR_BASE_BITS_H
#define TENURE_IR_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* Words for elements 0 .. n-1. */
static inline uint32_t tn_bit_words(uint32_t n) {
    return n / 64 + 1;
}

static inline bool tn_bit_has(const uint64_t *set, uint32_t i) {
    return (set[i / 64] >> (i % 64) & 1) != 0;
}

static inline void tn_bit_add(uint64_t *set, uint32_t i) {
    set[i / 64] |= UINT64_C(1) << (i % 64);
}

static inline void tn_bit_remove(uint64_t *set, uint32_t i) {
    set[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

/* Whether two sets of as many words have an element in common. */
static inline bool tn_bits_meet(const uint64_t *x, const uint64_t *y, uint32_t words) {
    uint32_t w = 0;
    while (w < words && (x[w] & y[w]) == 0) {
        w++;
    }
    return w < words;
}

/* Runs the statement behind it for each element i, ascending. `bits` is an expression for word
 * `word` of the set, read once before the elements of that word: the set may change meanwhile. */
#define TN_FOR_BITS(i, word, bits, n_words)                                                        \
    for (uint32_t word = 0; word < (n_words); word++)                                              \
        for (uint64_t left_ = (bits), i;                                                           \
             left_ != 0 && (i = word * 64u + (uint32_t)__builtin_ctzll(left_), true);              \
             left_ &= left_ - 1)

#endif
