/* Random packing instances, and the slow sure way to solve small ones. */
#ifndef TENURE_TESTS_UNIT_PACK_GEN_H
#define TENURE_TESTS_UNIT_PACK_GEN_H

#include "passes/pack/pack.h"

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

typedef enum gen_kind { GEN_ALIGNED, GEN_FIXED, GEN_GAPS } gen_kind;

/* Gives buffers alignments, and fixes a few where they do not collide, or gives each second a gap,
 * of which `gaps` holds one a buffer. */
static inline void gen_special(uint64_t *seed, tn_pack_buffer *b, uint32_t n, tn_pack_gap *gaps,
                               gen_kind kind) {
    uint64_t top = 0;
    for (uint32_t i = 0; i < n; i++) {
        int64_t life = b[i].last - b[i].first;
        b[i].align = kind == GEN_GAPS ? 1 : UINT64_C(1) << gen_below(seed, 6);
        if (kind == GEN_FIXED && i % 8 == 0) {
            b[i].fixed = (top + b[i].align - 1) / b[i].align * b[i].align;
            top = b[i].fixed + b[i].size;
        }
        if (kind == GEN_GAPS && i % 2 == 0 && life > 2) {
            int64_t first = b[i].first + 1 + gen_below(seed, (uint32_t)life - 2);
            uint64_t part = gen_below(seed, (uint32_t)b[i].size);
            gaps[i] =
                (tn_pack_gap){first, first + 1 + gen_below(seed, (uint32_t)(b[i].last - first - 1)),
                              0, i % 4 == 0 ? 0 : part};
            b[i].gaps = &gaps[i];
            b[i].n_gaps = 1;
        }
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

/* Cuts rectangle `i` of the n there are; the pieces take its place and the end of the array. */
static inline uint32_t gen_cut(uint64_t *seed, tn_pack_buffer *b, uint64_t *at, uint32_t n,
                               uint32_t i) {
    uint32_t life = (uint32_t)(b[i].last - b[i].first), size = (uint32_t)b[i].size;
    bool upright = gen_below(seed, 2) == 0;
    if (upright ? life < 2 : size < 2) {
        return n;
    }
    b[n] = b[i];
    at[n] = at[i];
    if (upright) {
        b[i].last = b[n].first = b[i].first + 1 + gen_below(seed, life - 1);
    } else {
        b[i].size = 1 + gen_below(seed, size - 1);
        b[n].size = size - b[i].size;
        at[n] = at[i] + b[i].size;
    }
    return n + 1;
}

/* A pinwheel: five pieces that no straight cut separates. */
static inline uint32_t gen_pinwheel(uint64_t *seed, tn_pack_buffer *b, uint64_t *at, uint32_t n,
                                    uint32_t i) {
    uint32_t w = (uint32_t)(b[i].last - b[i].first), h = (uint32_t)b[i].size;
    if (w < 3 || h < 3) {
        return gen_cut(seed, b, at, n, i);
    }
    uint32_t x1 = 1 + gen_below(seed, w - 2), x2 = x1 + 1 + gen_below(seed, w - x1 - 1);
    uint32_t y1 = 1 + gen_below(seed, h - 2), y2 = y1 + 1 + gen_below(seed, h - y1 - 1);
    const uint32_t piece[5][4] = {
        {0, x2, 0, y1}, {x2, w, 0, y2}, {x1, w, y2, h}, {0, x1, y1, h}, {x1, x2, y1, y2}};
    tn_pack_buffer whole = b[i];
    uint64_t base = at[i];
    for (uint32_t k = 0; k < 5; k++) {
        uint32_t to = k == 0 ? i : n + k - 1;
        b[to] = whole;
        b[to].first = whole.first + piece[k][0];
        b[to].last = whole.first + piece[k][1];
        b[to].size = piece[k][3] - piece[k][2];
        at[to] = base + piece[k][2];
    }
    return n + 4;
}

/* At least n - 4 rectangles that tile `times` x `height` without a hole, at `at`: the optimum is
 * the height, and a packing that reaches it wastes nothing anywhere. Needs space for n buffers. */
static inline uint32_t gen_tiling(uint64_t *seed, tn_pack_buffer *b, uint64_t *at, uint32_t n,
                                  uint32_t times, uint32_t height) {
    uint32_t count = 1;
    b[0] = (tn_pack_buffer){0, times, height, 1, TN_PACK_FREE, NULL, 0};
    at[0] = 0;
    while (count + 4 < n) {
        uint32_t i = gen_below(seed, count);
        count = gen_below(seed, 3) == 0 ? gen_pinwheel(seed, b, at, count, i)
                                        : gen_cut(seed, b, at, count, i);
    }
    return count;
}

/* The piece around a random point, so that larger ones are cut more often. */
static inline uint32_t gen_piece(uint64_t *seed, const tn_pack_buffer *b, const uint64_t *at,
                                 uint32_t n, uint32_t times, uint32_t height) {
    int64_t t = gen_below(seed, times);
    uint64_t h = gen_below(seed, height);
    uint32_t i = 0;
    while (i < n && (t < b[i].first || t >= b[i].last || h < at[i] || h >= at[i] + b[i].size)) {
        i++;
    }
    return i;
}

/* A cut at one of `skew` parts of the width or height, counted from either side. */
static inline uint32_t gen_slice(uint64_t *seed, tn_pack_buffer *b, uint64_t *at, uint32_t n,
                                 uint32_t i, uint32_t skew) {
    uint32_t life = (uint32_t)(b[i].last - b[i].first), size = (uint32_t)b[i].size;
    bool upright = gen_below(seed, 2) == 0, near = gen_below(seed, 2) == 0;
    uint32_t whole = upright ? life : size, part = whole / skew;
    if (skew == 1 || whole < 2 * skew) {
        return gen_cut(seed, b, at, n, i);
    }
    uint32_t cut = 1 + gen_below(seed, part);
    cut = near ? cut : whole - cut;
    b[n] = b[i];
    at[n] = at[i];
    if (upright) {
        b[i].last = b[n].first = b[i].first + cut;
    } else {
        b[i].size = cut;
        b[n].size = size - cut;
        at[n] = at[i] + cut;
    }
    return n + 1;
}

typedef enum gen_family {
    GEN_SLICED,    /* straight cuts anywhere */
    GEN_PINWHEELS, /* pinwheels of pinwheels: no straight cut anywhere */
    GEN_SKEWED,    /* straight cuts near the edges: a few huge pieces, many thin ones */
    GEN_MIXED,     /* some of each */
    GEN_FAMILIES
} gen_family;

/* As gen_tiling, of one family, with larger pieces cut more often. */
static inline uint32_t gen_family_tiling(uint64_t *seed, gen_family family, tn_pack_buffer *b,
                                         uint64_t *at, uint32_t n, uint32_t times,
                                         uint32_t height) {
    uint32_t count = 1;
    b[0] = (tn_pack_buffer){0, times, height, 1, TN_PACK_FREE, NULL, 0};
    at[0] = 0;
    while (count + 4 < n) {
        uint32_t i = gen_piece(seed, b, at, count, times, height);
        uint32_t kind = family == GEN_MIXED ? gen_below(seed, 3) : (uint32_t)family;
        count = kind == GEN_PINWHEELS
                    ? gen_pinwheel(seed, b, at, count, i)
                    : gen_slice(seed, b, at, count, i, kind == GEN_SKEWED ? 8 : 1);
    }
    return count;
}

#endif
