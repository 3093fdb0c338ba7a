/* Buffers that are live as long as any other is conflict with all, so where they lie costs nothing:
 * put at the bottom, they leave an instance with fewer buffers and a lower height by their sizes.
 * Without them others may be live throughout what remains, and are peeled too. */
#ifndef TENURE_PASSES_PACK_OFFSETS_PEEL_H
#define TENURE_PASSES_PACK_OFFSETS_PEEL_H

#include "passes/pack/pack.h"

typedef struct tn_peeled {
    tn_pack_buffer *rest; /* what remains */
    uint32_t *of_rest;    /* its indices among all */
    uint32_t n_rest;
    uint64_t *offsets; /* one a buffer; of what remains, as if it was alone: all 0 */
    uint64_t base;     /* bytes peeled; what remains lies above */
} tn_peeled;

/* Exact: a lowest packing of the rest above `base` is a lowest packing of all. False when nothing
 * can be peeled, or nothing would remain. The buffers must be well formed. */
bool tn_peel(tn_arena *arena, const tn_pack_buffer *buffers, uint32_t n, tn_peeled *out);

#endif
