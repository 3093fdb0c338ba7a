/* Sorting by several keys. Sorts by one number, in linear time, are in ir/base/key_sort.h. */
#ifndef TENURE_IR_BASE_SORT_H
#define TENURE_IR_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Below, at or above 0 as x comes before, with or behind y. */
#define TN_COMPARE(x, y) (((x) > (y)) - ((x) < (y)))

/* The first of some comparisons that tells two items apart, or 0. */
#define TN_FIRST_OF(...)                                                                           \
    tn_first_of((const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))
static inline int tn_first_of(const int *list, size_t n) {
    size_t i = 0;
    while (i + 1 < n && list[i] == 0) {
        i++;
    }
    return list[i];
}

/* Sorts n items, which may be none and nowhere. */
#define TN_SORT(items, n, compare) tn_sort((items), (n), sizeof *(items), (compare))
static inline void tn_sort(void *items, size_t n, size_t size,
                           int (*compare)(const void *, const void *)) {
    if (n > 1) {
        qsort(items, n, size, compare);
    }
}

static inline int tn_by_u32(const void *a, const void *b) {
    return TN_COMPARE(*(const uint32_t *)a, *(const uint32_t *)b);
}

static inline int tn_by_u64(const void *a, const void *b) {
    return TN_COMPARE(*(const uint64_t *)a, *(const uint64_t *)b);
}

#endif
