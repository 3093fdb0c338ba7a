/* Where items may not lie because of those that have a place: by item the offsets blocked, kept in
 * order while places are taken and given up again, and joined where they overlap. */
#ifndef TENURE_PASSES_PACK_OFFSETS_EXACT_BLOCKED_H
#define TENURE_PASSES_PACK_OFFSETS_EXACT_BLOCKED_H

#include "passes/pack/offsets/exact/forbidden.h"

typedef struct tn_blocked {
    const tn_forbidden *forbidden;
    uint32_t n;                 /* items */
    tn_forbidden_range *single; /* of item i from forbidden->at[i * n] on, lowest first */
    tn_forbidden_range *joined; /* the same, no two of which overlap */
    uint32_t *n_single, *n_joined;
} tn_blocked;

tn_blocked tn_blocked_make(tn_arena *arena, const tn_forbidden *f);
/* Item j comes to lie at an offset, or is taken away from there. */
void tn_blocked_add(tn_blocked *b, uint32_t j, uint64_t at);
void tn_blocked_remove(tn_blocked *b, uint32_t j, uint64_t at);
/* Joins the ranges of item i. What follows speaks of them as last joined. */
void tn_blocked_join(tn_blocked *b, uint32_t i);
/* Those of item i, lowest first: open intervals of offsets. */
const tn_forbidden_range *tn_blocked_of(const tn_blocked *b, uint32_t i, uint32_t *n);
/* The lowest multiple of `align` at or above `from` that is not blocked for item i. */
uint64_t tn_blocked_lowest(const tn_blocked *b, uint32_t i, uint64_t from, uint64_t align);

#endif
