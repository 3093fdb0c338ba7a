/* The failed states of a depth-first search, so that none is searched twice. A state is what
 * decides whether the rest of the search can succeed, written as bytes: its key. States are found
 * by hash and confirmed by their whole key, so what is pruned has been refuted, whatever the hash
 * is worth.
 *
 * Memory is bounded: the oldest states give way to new ones. Which states are known depends on the
 * order of additions alone, so a search visits the same nodes under any hash. */
#ifndef TENURE_PASSES_PACK_BASE_FAILED_STATES_H
#define TENURE_PASSES_PACK_BASE_FAILED_STATES_H

#include <stdbool.h>
#include <string.h>

#include "ir/base/arena.h"

typedef struct tn_failed_state tn_failed_state;

typedef struct tn_failed_states {
    tn_arena *arena;
    TN_VEC(uint8_t) key;   /* the key being written */
    uint64_t *newest;      /* by hash: number of the last state with it, from 1; 0: none */
    uint64_t mask;         /* of hashes */
    tn_failed_state *ring; /* states by their number */
    uint8_t *bytes;        /* their keys, one behind the other, over the oldest ones in the end */
    uint64_t n_ring, n_bytes;       /* allocated */
    uint64_t first, end, bytes_end; /* numbers of the states known: first .. end - 1 */
} tn_failed_states;

/* Nothing is known. `budget`: nodes the search may visit; memory is laid out for as many failures,
 * up to a limit. */
tn_failed_states tn_failed_states_make(tn_arena *arena, uint64_t budget);

/* Begins the key of a state; what is put next becomes part of it. Equal states must put equal
 * numbers in equal order, other states others. */
static inline void tn_failed_key(tn_failed_states *f) {
    f->key.len = 0;
}

/* Makes the key longer by n bytes, and says where they go. */
static inline uint8_t *tn_failed_extend(tn_failed_states *f, uint32_t n) {
    while (f->key.cap - f->key.len < n) {
        f->key.data = tn_vec_grow(f->arena, f->key.data, &f->key.cap, 1);
    }
    f->key.len += n;
    return f->key.data + (f->key.len - n);
}

/* Small numbers take few bytes: seven bits each, the last without the eighth. */
static inline void tn_failed_put(tn_failed_states *f, uint64_t x) {
    enum { MOST = 10 };
    uint8_t *to = tn_failed_extend(f, MOST), *at = to;
    for (; x >= 128; x >>= 7) {
        *at++ = (uint8_t)(x | 128);
    }
    *at++ = (uint8_t)x;
    f->key.len -= MOST - (uint32_t)(at - to);
}

/* Words of a bit set, as they are. */
static inline void tn_failed_put_words(tn_failed_states *f, const uint64_t *words, uint32_t n) {
    memcpy(tn_failed_extend(f, 8 * n), words, 8 * (size_t)n);
}

/* Whether the state whose key has been written failed with at least as much space: what the search
 * counts, or 0 where a state fails for good. */
bool tn_failed_known(const tn_failed_states *f, uint64_t space);
/* The state whose key has been written has failed with this much space. */
void tn_failed_add(tn_failed_states *f, uint64_t space);

#endif
