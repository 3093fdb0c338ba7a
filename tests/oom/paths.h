/* Which allocations fail. Without sanitizers every one, in turn. With them, where a run takes ten
 * times as long, an allocation fails if the last CALLS calls on the stack were not the same for one
 * before, in this command or another; and every EVERYth besides. */
#ifndef TENURE_TESTS_OOM_PATHS_H
#define TENURE_TESTS_OOM_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "tests/unit/drawn.h"

enum { CALLS = 8, EVERY = 37, MOST_ALLOCATIONS = 1 << 18, MOST_WAYS = 1 << 14 };

/* In what way allocations were asked for when none failed. */
static uint64_t oom_ways[MOST_ALLOCATIONS];
static long oom_n;

#ifdef TENURE_SANITIZED
#include <execinfo.h>

static inline uint64_t oom_way(void) {
    void *calls[CALLS];
    int n = backtrace(calls, CALLS);
    uint64_t way = 1;
    for (int i = 0; i < n; i++) {
        way = (way ^ (uintptr_t)calls[i]) * 0x9e3779b97f4a7c15;
        way ^= way >> 29;
    }
    return way | 1;
}

static inline bool oom_is_new(uint64_t way) {
    static uint64_t seen[MOST_WAYS];
    static size_t n;
    size_t i = way % MOST_WAYS;
    while (seen[i] != 0 && seen[i] != way) {
        i = (i + 1) % MOST_WAYS;
    }
    bool is_new = seen[i] == 0;
    if (is_new && ++n == MOST_WAYS) {
        abort();
    }
    seen[i] = way;
    return is_new;
}
#else
static inline uint64_t oom_way(void) {
    return 1;
}

static inline bool oom_is_new(uint64_t way) {
    return way == 1;
}
#endif

/* An allocation in a run in which none fails. */
static inline void oom_note(void) {
    if (oom_n == MOST_ALLOCATIONS) {
        abort();
    }
    oom_ways[oom_n++] = oom_way();
}

/* Whether the n-th of them is to fail; to be asked of each once, in their order. */
static inline bool oom_chosen(long n) {
    return oom_is_new(oom_ways[n]) || n % EVERY == 0;
}

#endif
