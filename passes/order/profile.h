/* Chains of ops by what they cost, and the best order of several side by side. After Liu (1987):
 * what counts of a chain are its hills and the valleys between them, and side by side the segments
 * with the greatest drop from hill to valley go first. That holds from where all chains have their
 * fewest bytes; up to there it holds backwards (Kayaaslan, Lambert, Marchal and Ucar 2018). */
#ifndef TENURE_PASSES_ORDER_PROFILE_H
#define TENURE_PASSES_ORDER_PROFILE_H

#include <stdbool.h>

#include "ir/base/arena.h"

/* Bytes against those before the chain. */
typedef struct tn_profile {
    uint32_t *op;    /* len */
    int64_t *during; /* len: while the op runs */
    int64_t *after;  /* len + 1: after[i] before the i-th op */
    uint32_t len;
} tn_profile;

tn_profile tn_profile_make(tn_arena *arena, uint32_t len);

/* The chains interleaved, at the lowest hills wherever the chain made of them stands beside others.
 * They must have no bytes in common. */
tn_profile tn_profile_merge(tn_arena *arena, const tn_profile *chains, uint32_t n);

/* The same for chains whose first ops, and nothing else, read `shared` bytes that end with the last
 * of these. False where the answer would depend on what runs beside them. */
bool tn_profile_merge_forked(tn_arena *arena, const tn_profile *chains, uint32_t n, int64_t shared,
                             tn_profile *out);

#endif
