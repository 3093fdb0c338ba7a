/* Chains of ops by what they cost, and the best order of several side by side. After Liu (1987):
 * what counts of a chain are its hills and the valleys between them, and side by side the segments
 * with the greatest drop from hill to valley go first. That holds from where all chains have their
 * fewest bytes; up to there it holds backwards (Kayaaslan, Lambert, Marchal and Ucar 2018). */
#ifndef TENURE_PASSES_ORDER_HILL_VALLEY_H
#define TENURE_PASSES_ORDER_HILL_VALLEY_H

#include <stdbool.h>

#include "ir/base/arena.h"

/* Bytes against those before the chain. */
typedef struct tn_hills {
    uint32_t *op;    /* len */
    int64_t *during; /* len: while the op runs */
    int64_t *after;  /* len + 1: after[i] before the i-th op */
    uint32_t len;
} tn_hills;

tn_hills tn_hills_make(tn_arena *arena, uint32_t len);

/* The chains interleaved, at the lowest hills wherever the chain made of them stands beside others.
 * They must have no bytes in common. */
tn_hills tn_hills_merge(tn_arena *arena, const tn_hills *chains, uint32_t n);

#endif
