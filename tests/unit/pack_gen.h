/* Random packing instances, and the slow sure way to solve small ones. */
#ifndef TENURE_TESTS_UNIT_PACK_GEN_H
#define TENURE_TESTS_UNIT_PACK_GEN_H

#include "passes/pack/pack.h"
#include "tests/unit/unit.h"

/* A small generator of its own, so that instances are the same everywhere. */
static inline uint32_t gen_below(uint64_t *seed, uint32_t n) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*seed >> 33) % n);
}

static inline void gen_plain(uint64_t *seed, tn_pack_buffer *b, uint32_t n, uint32_t times,
                             uint32_t sizes) {
    for (uint32_t i = 0; i < n; i++) {
        int64_t first = gen_below(seed, times);
        int64_t last = first + 1 + gen_below(seed, times - (uint32_t)first);
        b[i] = (tn_pack_buffer){first, last, 1 + gen_below(seed, sizes), 1, TN_PACK_FREE, NULL, 0};
    }
}

static inline bool gen_meet(const tn_pack_buffer *a, const tn_pack_buffer *b) {
    return a->first < b->last && b->first < a->last;
}

/* The lowest aligned offset for buffer i above or between those placed (offset not UINT64_MAX). */
static inline uint64_t gen_lowest(const tn_pack_buffer *b, uint32_t n, const uint64_t *at,
                                  uint32_t i) {
    uint64_t x = 0;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t j = 0; j < n; j++) {
            if (j != i && at[j] != UINT64_MAX && gen_meet(&b[i], &b[j]) && x < at[j] + b[j].size &&
                at[j] < x + b[i].size) {
                x = at[j] + b[j].size;
                x = (x + b[i].align - 1) / b[i].align * b[i].align;
                again = true;
            }
        }
    }
    return x;
}

/* Places what is left in every order; an optimal packing is built by taking its buffers by offset.
 */
static inline void gen_search(const tn_pack_buffer *b, uint32_t n, uint64_t *at, uint64_t height,
                              uint64_t *best) {
    bool all = true;
    for (uint32_t i = 0; i < n && height < *best; i++) {
        if (at[i] != UINT64_MAX) {
            continue;
        }
        all = false;
        at[i] = gen_lowest(b, n, at, i);
        uint64_t top = at[i] + b[i].size;
        gen_search(b, n, at, top > height ? top : height, best);
        at[i] = UINT64_MAX;
    }
    *best = all && height < *best ? height : *best;
}

/* The least height, without gaps. */
static inline uint64_t gen_optimum(const tn_pack_buffer *b, uint32_t n) {
    uint64_t at[16], best = UINT64_MAX, height = 0;
    for (uint32_t i = 0; i < n; i++) {
        at[i] = b[i].size == 0 ? 0 : b[i].fixed == TN_PACK_FREE ? UINT64_MAX : b[i].fixed;
        uint64_t top = at[i] == UINT64_MAX ? 0 : at[i] + b[i].size;
        height = top > height ? top : height;
    }
    gen_search(b, n, at, height, &best);
    return best;
}

#endif
