/* Packing near an earlier packing: most buffers lie where they lay. Plain arrays in, offsets and a
 * proven lower bound of what has to move out.
 *
 * Problem. Some buffers (passes/pack/pack.h) have an offset that they lay at before, and a weight.
 * Among the packings that are no higher than a capacity, find one with the least weight of buffers
 * that lie elsewhere. Deterministic: searches count their work. */
#ifndef TENURE_PASSES_PACK_KEEP_H
#define TENURE_PASSES_PACK_KEEP_H

#include "passes/pack/pack.h"

typedef struct tn_keep_item {
    tn_pack_buffer buffer; /* `fixed`: nowhere else, whatever `before` says */
    uint64_t before;       /* offset that it lay at, or TN_PACK_FREE */
    uint32_t weight;       /* what it counts for when it lies elsewhere; not looked at without
                              `before` */
} tn_keep_item;

typedef struct tn_keep_options {
    uint64_t capacity; /* bytes; what `start` needs at least */
    uint32_t effort;   /* as tn_pack_options */
} tn_keep_options;

typedef struct tn_keep_result {
    uint64_t *offset; /* by item */
    uint64_t height;
    uint64_t moved; /* weights of those that had an offset and lie elsewhere */
    uint64_t least; /* proven: every packing within the capacity moves so much at least */
} tn_keep_result;

/* `start` holds the offsets of a packing within the capacity, which is what comes back where
 * nothing better is found. Results are in `arena`. Items of no bytes lie anywhere below the
 * capacity. */
void tn_pack_keep(tn_arena *arena, const tn_keep_item *items, uint32_t n, const uint64_t *start,
                  const tn_keep_options *options, tn_keep_result *out);

#endif
