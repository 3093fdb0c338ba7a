/* States of a search that failed, remembered by hash: each takes the place of whoever had its slot.
 */
#ifndef TENURE_PASSES_PACK_FAILURES_H
#define TENURE_PASSES_PACK_FAILURES_H

#include "ir/base/arena.h"
#include "ir/base/map.h"

/* A state that cannot be completed for less than `room`, in whatever the search counts. Both words
 * of the hash are compared. */
typedef struct tn_failed {
    uint64_t key, check, room;
} tn_failed;

typedef struct tn_failures {
    tn_failed *slots;
    uint64_t mask;
} tn_failures;

/* Empty, with about as many slots as there may be nodes. */
static inline tn_failures tn_failures_make(tn_arena *arena, uint64_t budget) {
    enum { LEAST = 1 << 10, MOST = 1 << 16 };
    tn_failures f = {.mask = LEAST - 1};
    while (f.mask < MOST - 1 && f.mask < budget) {
        f.mask = 2 * f.mask + 1;
    }
    f.slots = TN_ARRAY(arena, tn_failed, f.mask + 1);
    return f;
}

static inline void tn_failures_add(tn_failures *f, tn_failed state) {
    f->slots[state.key & f->mask] = state;
}

/* Whether the same state has failed with at least as much room. */
static inline bool tn_failures_has(const tn_failures *f, tn_failed state) {
    const tn_failed *known = &f->slots[state.key & f->mask];
    return known->room >= state.room && known->key == state.key && known->check == state.check;
}

#endif
