/* A stream is a row of words that grow by a constant, which compilers turn into vector code: plans
 * of gigabytes are stamped about as fast as memory goes. */
#include "tests/headers/replay/stamp.h"

#include <string.h>

enum { WORD = 8 };

static uint64_t word(uint64_t seed, uint64_t index) {
    return seed + index * UINT64_C(0x9e3779b97f4a7c15);
}

static unsigned char byte(uint64_t seed, uint64_t at) {
    uint64_t w = word(seed, at / WORD);
    unsigned char bytes[WORD];
    memcpy(bytes, &w, WORD);
    return bytes[at % WORD];
}

void rp_stamp(unsigned char *to, uint64_t n, uint64_t seed, uint64_t from) {
    uint64_t k = 0;
    for (; k < n && (from + k) % WORD != 0; k++) {
        to[k] = byte(seed, from + k);
    }
    for (; k + WORD <= n; k += WORD) {
        uint64_t w = word(seed, (from + k) / WORD);
        memcpy(to + k, &w, WORD);
    }
    for (; k < n; k++) {
        to[k] = byte(seed, from + k);
    }
}

bool rp_is_stamped(const unsigned char *at, uint64_t n, uint64_t seed, uint64_t from,
                   uint64_t *bad) {
    uint64_t k = 0, wrong = 0;
    for (; k < n && (from + k) % WORD != 0 && at[k] == byte(seed, from + k); k++) {
    }
    if ((from + k) % WORD == 0) { /* a look at all words first; where it fails comes after */
        for (uint64_t i = k; i + WORD <= n; i += WORD) {
            uint64_t have;
            memcpy(&have, at + i, WORD);
            wrong |= have ^ word(seed, (from + i) / WORD);
        }
        k = wrong == 0 ? k + (n - k) / WORD * WORD : k;
    }
    for (; k < n && at[k] == byte(seed, from + k); k++) {
    }
    *bad = k;
    return k >= n;
}

uint64_t rp_seed(uint64_t n) {
    uint64_t z = (n + 1) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 31)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 29);
}
