/* Checked arithmetic: each returns false, and leaves *out alone, when the result does not fit. */
#ifndef TENURE_IR_BASE_XMATH_H
#define TENURE_IR_BASE_XMATH_H

#include <stdbool.h>
#include <stdint.h>

static inline bool tn_add_i64(int64_t a, int64_t b, int64_t *out) {
    int64_t r;
    if (__builtin_add_overflow(a, b, &r)) {
        return false;
    }
    *out = r;
    return true;
}

static inline bool tn_mul_i64(int64_t a, int64_t b, int64_t *out) {
    int64_t r;
    if (__builtin_mul_overflow(a, b, &r)) {
        return false;
    }
    *out = r;
    return true;
}

static inline bool tn_add_u64(uint64_t a, uint64_t b, uint64_t *out) {
    uint64_t r;
    if (__builtin_add_overflow(a, b, &r)) {
        return false;
    }
    *out = r;
    return true;
}

static inline bool tn_mul_u64(uint64_t a, uint64_t b, uint64_t *out) {
    uint64_t r;
    if (__builtin_mul_overflow(a, b, &r)) {
        return false;
    }
    *out = r;
    return true;
}

static inline bool tn_is_power_of_2(uint64_t n) {
    return n > 0 && (n & (n - 1)) == 0;
}

/* a rounded up to a multiple of `align` (>= 1, any number). */
static inline bool tn_align_u64(uint64_t a, uint64_t align, uint64_t *out) {
    uint64_t rest = a % align;
    if (rest == 0) {
        *out = a;
        return true;
    }
    return tn_add_u64(a, align - rest, out);
}

/* The same for a sum that is known to fit. */
static inline uint64_t tn_round_up(uint64_t a, uint64_t align) {
    return a % align == 0 ? a : a + (align - a % align);
}

/* Division rounding towards minus infinity and plus infinity; b != 0. */
static inline int64_t tn_floordiv_i64(int64_t a, int64_t b) {
    int64_t q = a / b, r = a % b;
    return (r != 0 && ((r < 0) != (b < 0))) ? q - 1 : q;
}

/* What the first leaves, for b > 0: no multiple of b has to fit. */
static inline int64_t tn_floormod_i64(int64_t a, int64_t b) {
    int64_t r = a % b;
    return r < 0 ? r + b : r;
}

static inline int64_t tn_ceildiv_i64(int64_t a, int64_t b) {
    int64_t q = a / b, r = a % b;
    return (r != 0 && ((r < 0) == (b < 0))) ? q + 1 : q;
}

/* The greatest common divisor; that of x and 0 is x. */
static inline uint64_t tn_gcd(uint64_t a, uint64_t b) {
    while (b != 0) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

#endif
