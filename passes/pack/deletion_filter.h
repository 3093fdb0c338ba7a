/* Shrinking a set that is proven too large until every member of it is needed for the proof, as far
 * as a budget goes: a deletion filter that tries halves, quarters and so on before single members.
 */
#ifndef TENURE_PASSES_PACK_DELETION_FILTER_H
#define TENURE_PASSES_PACK_DELETION_FILTER_H

#include "passes/pack/pack.h"

/* The proven lower bound of some of the buffers; adds what it cost to *spent. */
typedef uint64_t tn_bound_fn(tn_arena *scratch, void *self, const uint32_t *ids, uint32_t n,
                             uint64_t *spent);

typedef struct tn_shrinking {
    tn_bound_fn *bound;
    void *self;
    uint64_t capacity; /* a set stays in question as long as its bound is above this */
    uint64_t budget;   /* of what `bound` spends, after which the set stays as it is */
    uint32_t wall_ms;  /* the same by the clock; 0: no limit */
} tn_shrinking;

/* Shrinks out->buffers[0..out->n), whose bound is above the capacity; the first ones are tried
 * first. Sets out->bytes to the bound of what is left. */
void tn_shrink(tn_arena *arena, const tn_shrinking *s, tn_pack_misfit *out);

/* Buffers by ascending size: small ones are the first a reader can do without. */
uint32_t *tn_smallest_first(tn_arena *arena, const tn_pack_buffer *buffers, uint32_t n);
/* Turns out->buffers round, so that the largest stands first. */
void tn_misfit_turn(tn_pack_misfit *out);

#endif
