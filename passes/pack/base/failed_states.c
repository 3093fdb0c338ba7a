#include "passes/pack/base/failed_states.h"

#include <string.h>

#include "ir/base/map.h"
#include "passes/pack/base/budgets.h"

enum { LEAST_STATES = 1 << 10, LEAST_BYTES = 1 << 14 }; /* allocated at first */

struct tn_failed_state {
    uint64_t hash, space;
    uint64_t older; /* number of the state before it with the same place in `newest` */
    uint64_t at;    /* bytes written before its key since the beginning */
    uint32_t len;
};

tn_failed_states tn_failed_states_make(tn_arena *arena, uint64_t budget) {
    tn_failed_states f = {.arena = arena, .mask = LEAST_STATES - 1, .first = 1, .end = 1};
    while (f.mask < TN_LIMIT_FAILED_STATES - 1 && f.mask < budget) {
        f.mask = 2 * f.mask + 1;
    }
    f.newest = TN_ARRAY(arena, uint64_t, f.mask + 1);
    return f;
}

static tn_failed_state *state_of(const tn_failed_states *f, uint64_t number) {
    return &f->ring[number % TN_LIMIT_FAILED_STATES];
}

static uint64_t hash_of(const tn_failed_states *f) {
    return tn_hash(f->key.data, f->key.len, 0);
}

/* States of one place stand from new to old, so the first one forgotten ends them. */
bool tn_failed_known(const tn_failed_states *f, uint64_t space) {
    uint64_t hash = hash_of(f);
    for (uint64_t k = f->newest[hash & f->mask]; k >= f->first;) {
        const tn_failed_state *s = state_of(f, k);
        if (s->hash == hash && s->space >= space && s->len == f->key.len &&
            memcmp(f->bytes + s->at % TN_LIMIT_FAILED_BYTES, f->key.data, s->len) == 0) {
            return true;
        }
        k = s->older;
    }
    return false;
}

/* Until the limit is reached an array is filled once from its beginning. The limits fit any size.
 */
static void *grow(tn_arena *arena, void *data, uint64_t *n, uint64_t needed, size_t size,
                  uint64_t least) {
    uint64_t more = *n == 0 ? least : *n;
    while (more < needed) {
        more *= 2;
    }
    data = more == *n ? data : tn_arena_regrow(arena, data, (size_t)*n, (size_t)more, size);
    *n = more;
    return data;
}

/* Where a key goes: behind the last one, or at the beginning where it would not fit whole; those it
 * takes the place of are forgotten. */
static uint64_t make_way(tn_failed_states *f, uint32_t len) {
    uint64_t at = f->bytes_end;
    if (at % TN_LIMIT_FAILED_BYTES + len > TN_LIMIT_FAILED_BYTES) {
        at += TN_LIMIT_FAILED_BYTES - at % TN_LIMIT_FAILED_BYTES;
    }
    while (f->first < f->end && (f->end - f->first == TN_LIMIT_FAILED_STATES ||
                                 state_of(f, f->first)->at + TN_LIMIT_FAILED_BYTES < at + len)) {
        f->first++;
    }
    return at;
}

void tn_failed_add(tn_failed_states *f, uint64_t space) {
    uint32_t len = f->key.len;
    if (len > TN_LIMIT_FAILED_BYTES / 64) {
        return;
    }
    uint64_t hash = hash_of(f), at = make_way(f, len), last = at + len,
             index = f->end % TN_LIMIT_FAILED_STATES;
    last = last > TN_LIMIT_FAILED_BYTES ? TN_LIMIT_FAILED_BYTES : last;
    f->ring = grow(f->arena, f->ring, &f->n_ring, index + 1, sizeof *f->ring, LEAST_STATES);
    f->bytes = grow(f->arena, f->bytes, &f->n_bytes, last, 1, LEAST_BYTES);
    memcpy(f->bytes + at % TN_LIMIT_FAILED_BYTES, f->key.data, len);
    *state_of(f, f->end) = (tn_failed_state){hash, space, f->newest[hash & f->mask], at, len};
    f->newest[hash & f->mask] = f->end++;
    f->bytes_end = at + len;
}
