#include "ir/plan/space.h"

#include "ir/base/sort.h"

#include <string.h>

enum { SEEN_BITS = 10 };

static void mark(tn_space *s, uint32_t i) {
    for (uint32_t l = 0; l < s->n_levels; l++, i /= 64) {
        s->level[l][i / 64] |= (uint64_t)1 << i % 64;
    }
}

static void unmark(tn_space *s, uint32_t i) {
    for (uint32_t l = 0; l < s->n_levels; l++, i /= 64) {
        s->level[l][i / 64] &= ~((uint64_t)1 << i % 64);
        if (s->level[l][i / 64] != 0) {
            return;
        }
    }
}

/* The last marked index at or before i. Index 0 is always marked. */
static uint32_t at_or_before(const tn_space *s, uint32_t i) {
    for (uint32_t l = 0; l < s->n_levels; l++) {
        uint64_t word = s->level[l][i / 64] & (~(uint64_t)0 >> (63 - i % 64));
        if (word != 0) {
            i = i / 64 * 64 + 63 - (uint32_t)__builtin_clzll(word);
            while (l-- > 0) {
                i = i * 64 + 63 - (uint32_t)__builtin_clzll(s->level[l][i]);
            }
            return i;
        }
        if (i < 64) {
            return 0;
        }
        i = i / 64 - 1;
    }
    return 0;
}

/* Bytes are used many times over, by values that come close to one another: most borders are among
 * the last ones seen, or stand in order as it is. Returns how many are left. */
static size_t drop_repeats(uint64_t *borders, size_t n, bool *sorted) {
    uint64_t seen[1 << SEEN_BITS] = {0}; /* 1 more than the border; 0: none */
    size_t kept = 0;
    *sorted = true;
    for (size_t i = 0; i < n; i++) {
        uint64_t at = borders[i];
        uint64_t *slot = &seen[at * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SEEN_BITS)];
        if (*slot == at + 1 && at != UINT64_MAX) {
            continue;
        }
        *slot = at + 1;
        *sorted = *sorted && (kept == 0 || borders[kept - 1] <= at);
        borders[kept++] = at;
    }
    return kept;
}

static uint32_t sort_borders(uint64_t *borders, size_t n) {
    bool sorted;
    uint32_t kept = 0;
    n = drop_repeats(borders, n, &sorted);
    if (!sorted) {
        TN_SORT(borders, n, tn_by_u64);
    }
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || borders[i] != borders[i - 1]) {
            borders[kept++] = borders[i];
        }
    }
    return kept;
}

void tn_space_init(tn_space *s, tn_arena *arena, uint64_t *borders, size_t n) {
    memset(s, 0, sizeof *s);
    s->arena = arena;
    uint32_t kept = sort_borders(borders, n);
    s->border = borders;
    s->n = kept - 1;
    s->end = TN_ARRAY(arena, uint32_t, kept);
    s->owner = TN_ARRAY(arena, const tn_owner *, kept);
    for (uint32_t bits = kept; s->n_levels == 0 || bits > 1; bits = (bits + 63) / 64) {
        s->level[s->n_levels++] = TN_ARRAY(arena, uint64_t, bits / 64 + 1);
    }
    s->end[0] = s->n;
    mark(s, 0);
}

static uint32_t index_of(const tn_space *s, uint64_t address) {
    uint32_t lo = 0, hi = s->n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (s->border[mid] < address) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

static void cut(tn_space *s, uint32_t i) {
    uint32_t start = at_or_before(s, i);
    if (start == i || i == s->n) {
        return;
    }
    s->end[i] = s->end[start];
    s->owner[i] = s->owner[start];
    s->end[start] = i;
    mark(s, i);
}

void tn_space_cut(tn_space *s, uint64_t lo, uint64_t hi, uint32_t *from, uint32_t *to) {
    *from = index_of(s, lo);
    *to = index_of(s, hi);
    cut(s, *from);
    cut(s, *to);
}

void tn_space_add(tn_space *s, uint32_t i, uint32_t id) {
    tn_owner *o = TN_NEW(s->arena, tn_owner);
    *o = (tn_owner){id, s->owner[i]};
    s->owner[i] = o;
}

void tn_space_give(tn_space *s, uint32_t from, uint32_t to, uint32_t id) {
    for (uint32_t i = s->end[from]; i < to; i = s->end[i]) {
        unmark(s, i);
    }
    s->end[from] = to;
    s->owner[from] = NULL;
    tn_space_add(s, from, id);
}
