/* A small generator of random numbers (splitmix64), the same on every machine. */
#ifndef TENURE_TESTS_RANDOM_RNG_H
#define TENURE_TESTS_RANDOM_RNG_H

#include <stdbool.h>
#include <stdint.h>

typedef struct rng {
    uint64_t state;
} rng;

static inline uint64_t rng_next(rng *r) {
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A number below n (n >= 1). */
static inline uint32_t rng_below(rng *r, uint32_t n) {
    return (uint32_t)((rng_next(r) >> 32) * n >> 32);
}

/* True `percent` times in a hundred. */
static inline bool rng_chance(rng *r, uint32_t percent) {
    return rng_below(r, 100) < percent;
}

#endif
