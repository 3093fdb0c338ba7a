/* Sets of ops as bits, with the work to tell them apart: what searches remember. */
#ifndef TENURE_PASSES_ORDER_REACHED_H
#define TENURE_PASSES_ORDER_REACHED_H

#include "passes/order/op_state.h"

/* One set that was reached, and how. */
typedef struct tn_reached {
    uint64_t peak;       /* least peak of the ways there known so far */
    uint32_t parent;     /* TN_SCHED_NONE: the empty set */
    uint32_t path;       /* ops run since the parent: `len` of tn_reach.ops from here on */
    uint32_t hash;       /* the half in the table */
    uint16_t len, count; /* ops in the set */
} tn_reached;

/* Remembered sets that lie side by side. There may be millions: pieces of a fixed size are never
 * moved and leave nothing behind. */
enum { TN_REACHED_PIECE = 256 };
typedef struct tn_reached_piece {
    tn_reached *sets;
    uint64_t *bits; /* tn_reach.words a set */
} tn_reached_piece;

/* The lower half of the hash stands beside the set: most of the others need not be looked at. */
typedef struct tn_reach_slot {
    uint32_t hash, set; /* set + 1; 0: empty */
} tn_reach_slot;

typedef struct tn_reach {
    tn_arena *arena;
    const tn_sched *p;
    uint32_t words;
    TN_VEC(tn_reached_piece) pieces;
    uint32_t n_sets;
    uint64_t *op_hash; /* by op; a set's hash is the exclusive or of its ops' (Zobrist) */
    TN_VEC(uint32_t) ops;
    tn_reach_slot *table; /* open addressing */
    uint32_t table_size;

    /* The set at hand. */
    tn_op_state w;
    uint64_t *now, *ready; /* bits */
    uint64_t hash;
    uint32_t count;
    uint64_t work;          /* neighbours looked at so far, about */
    TN_VEC(uint32_t) trail; /* ops run since tn_reach_go */
} tn_reach;

tn_reach tn_reach_make(tn_arena *arena, const tn_sched *p);

static inline tn_reached *tn_reach_set(const tn_reach *r, uint32_t set) {
    return &r->pieces.data[set / TN_REACHED_PIECE].sets[set % TN_REACHED_PIECE];
}

/* Makes a remembered set the one at hand. */
void tn_reach_go(tn_reach *r, uint32_t set);
/* Runs an op from the set at hand, or takes back the last one. */
void tn_reach_run(tn_reach *r, uint32_t v);
void tn_reach_back(tn_reach *r);
/* The lowest ready op that is at least v, or TN_SCHED_NONE. */
uint32_t tn_reach_ready(const tn_reach *r, uint32_t v);
/* Remembers the set at hand, reached from `parent` by the trail's ops from `from` on with this
 * peak. TN_SCHED_NONE when it was reached as well before; else the set. */
uint32_t tn_reach_note(tn_reach *r, uint32_t parent, uint32_t from, uint64_t peak);
/* Of the set at hand with op v, which is not run for it: the half of its hash in the table. */
uint32_t tn_reach_hash_next(tn_reach *r, uint32_t v);
/* Whether a remembered set with op v, which has this hash, was reached with at most this peak. */
bool tn_reach_knows_next(const tn_reach *r, uint32_t set, uint32_t v, uint32_t hash, uint64_t peak);
/* Runs all that costs nothing: commits (exact.c says why) while the peak stays within `limit`.
 * Returns the greatest cost met, at least `peak`. */
uint64_t tn_reach_commit(tn_reach *r, uint64_t peak, uint64_t limit);
/* The ops from the empty set to this one. */
void tn_reach_order(const tn_reach *r, uint32_t set, uint32_t *out);

#endif
