#include "passes/pack/offsets/exact/blocked.h"

#include <string.h>

#include "ir/base/xmath.h"

tn_blocked tn_blocked_make(tn_arena *arena, const tn_forbidden *f) {
    uint32_t all = f->at[f->n * f->n];
    return (tn_blocked){.forbidden = f,
                        .n = f->n,
                        .single = TN_ARRAY(arena, tn_forbidden_range, all),
                        .joined = TN_ARRAY(arena, tn_forbidden_range, all),
                        .n_single = TN_ARRAY(arena, uint32_t, f->n),
                        .n_joined = TN_ARRAY(arena, uint32_t, f->n)};
}

static bool below(tn_forbidden_range x, tn_forbidden_range y) {
    return x.lo != y.lo ? x.lo < y.lo : x.hi < y.hi;
}

/* The number of ranges of a sorted list that are below r. */
static uint32_t rank_of(const tn_forbidden_range *list, uint32_t n, tn_forbidden_range r) {
    uint32_t from = 0;
    while (from < n) {
        uint32_t mid = from + (n - from) / 2;
        if (below(list[mid], r)) {
            from = mid + 1;
        } else {
            n = mid;
        }
    }
    return from;
}

static void change(tn_blocked *b, uint32_t i, tn_forbidden_range r, bool add) {
    tn_forbidden_range *list = b->single + b->forbidden->at[i * b->n];
    uint32_t n = b->n_single[i], k = rank_of(list, n, r);
    if (add) {
        memmove(&list[k + 1], &list[k], (n - k) * sizeof r);
        list[k] = r;
    } else {
        memmove(&list[k], &list[k + 1], (n - k - 1) * sizeof r);
    }
    b->n_single[i] = add ? n + 1 : n - 1;
}

static void change_all(tn_blocked *b, uint32_t j, uint64_t at, bool add) {
    for (uint32_t i = 0; i < b->n; i++) {
        const tn_forbidden_range *end = tn_forbidden_of(b->forbidden, i, j + 1);
        for (const tn_forbidden_range *k = tn_forbidden_of(b->forbidden, i, j); k < end; k++) {
            change(b, i, (tn_forbidden_range){k->lo + (int64_t)at, k->hi + (int64_t)at}, add);
        }
    }
}

void tn_blocked_add(tn_blocked *b, uint32_t j, uint64_t at) {
    change_all(b, j, at, true);
}

void tn_blocked_remove(tn_blocked *b, uint32_t j, uint64_t at) {
    change_all(b, j, at, false);
}

/* Where one ends and the next begins at the same offset, that offset is free. */
void tn_blocked_join(tn_blocked *b, uint32_t i) {
    const tn_forbidden_range *list = b->single + b->forbidden->at[i * b->n];
    tn_forbidden_range *out = b->joined + b->forbidden->at[i * b->n];
    uint32_t n = 0;
    for (uint32_t k = 0; k < b->n_single[i]; k++) {
        if (n == 0 || list[k].lo >= out[n - 1].hi) {
            out[n++] = list[k];
        } else if (list[k].hi > out[n - 1].hi) {
            out[n - 1].hi = list[k].hi;
        }
    }
    b->n_joined[i] = n;
}

const tn_forbidden_range *tn_blocked_of(const tn_blocked *b, uint32_t i, uint32_t *n) {
    *n = b->n_joined[i];
    return b->joined + b->forbidden->at[i * b->n];
}

uint64_t tn_blocked_lowest(const tn_blocked *b, uint32_t i, uint64_t from, uint64_t align) {
    uint32_t n;
    const tn_forbidden_range *r = tn_blocked_of(b, i, &n);
    uint64_t at = tn_round_up(from, align);
    uint32_t k = rank_of(r, n, (tn_forbidden_range){(int64_t)at, INT64_MIN});
    for (k -= k > 0; k < n && r[k].lo < (int64_t)at; k++) {
        if ((int64_t)at < r[k].hi) {
            at = tn_round_up((uint64_t)r[k].hi, align);
        }
    }
    return at;
}
