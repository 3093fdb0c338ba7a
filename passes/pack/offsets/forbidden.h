/* What two items forbid each other: some differences of their offsets, an open interval for every
 * time at which parts of both are in use. */
#ifndef TENURE_PASSES_PACK_BANS_H
#define TENURE_PASSES_PACK_BANS_H

#include "passes/pack/instance.h"

/* The offset of one item minus that of another (units) is not strictly between lo and hi. */
typedef struct tn_ban {
    int64_t lo, hi;
} tn_ban;

typedef struct tn_bans {
    uint32_t n;   /* items */
    uint32_t *at; /* n * n + 1: where the bans of the pair (i, j) begin */
    tn_ban *list;
} tn_bans;

tn_bans tn_bans_make(tn_arena *arena, const tn_inst *inst);

/* The first ban of item i against item j; those of i against j + 1 follow the last. */
static inline const tn_ban *tn_bans_of(const tn_bans *bans, uint32_t i, uint32_t j) {
    return bans->list + bans->at[i * bans->n + j];
}

/* Whether a ban lies on one side of 0: then neither of the two is the lower one at all times, and
 * they can interlock. */
bool tn_bans_tangled(const tn_bans *bans, uint32_t i, uint32_t j);

/* Classes of items that have an alignment above one unit in common, are no larger than it, and may
 * not share an offset: each needs a multiple of the alignment for itself. */
typedef struct tn_rivals {
    uint32_t *class_of; /* an item's class, or UINT32_MAX */
    uint32_t n;         /* classes */
} tn_rivals;

tn_rivals tn_rivals_make(tn_arena *arena, const tn_inst *inst, const tn_bans *bans);

#endif
