/* The packing library alone: buffers with live ranges or conflicts in, offsets out. tenure.h
 * includes this header.
 *
 *   tenure_pack_item items[] = {{0, 2, 64, 1, TENURE_PACK_FREE}, {1, 3, 32, 1, TENURE_PACK_FREE}};
 *   tenure_packing problem = {.struct_size = sizeof problem, .item_size = sizeof *items,
 *                             .items = items, .count = 2};
 *   tenure_packed packed = {.struct_size = sizeof packed};
 *   uint64_t offsets[2];
 *   tenure_pack(ctx, &problem, NULL, offsets, &packed);
 */
#ifndef TENURE_PACKER_H
#define TENURE_PACKER_H

#include "tenure/tenure.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TENURE_PACK_FREE UINT64_MAX

typedef struct tenure_pack_item {
    int64_t first, last; /* live at times from first, up to but without last */
    uint64_t size;       /* bytes */
    uint64_t align;      /* 0: any */
    uint64_t fixed;      /* the offset it must have, or TENURE_PACK_FREE */
} tenure_pack_item;

typedef struct tenure_pack_pair {
    uint32_t a, b; /* indices of items, not the same */
} tenure_pack_pair;

typedef struct tenure_packing {
    size_t struct_size; /* sizeof(tenure_packing) */
    size_t item_size;   /* sizeof(tenure_pack_item) */
    const tenure_pack_item *items;
    size_t count;
    /* Pairs that may not overlap, instead of live ranges, which mean nothing then; or NULL. */
    const tenure_pack_pair *conflicts;
    size_t n_conflicts;
} tenure_packing;

typedef struct tenure_packed {
    size_t struct_size; /* set by the caller */
    uint64_t height;    /* the largest offset + size */
    uint64_t bound;     /* no packing is lower: proven */
    uint64_t nodes;     /* of the search */
    const char *algorithm;
    int optimal;
} tenure_packed;

/* Packs; `offsets` has room for one an item, and what comes out has been checked. `options` are
 * those of the command `pack` (tenure_options_for), or NULL. TENURE_NOFIT where a capacity was
 * given and nothing that fits was found: offsets and *packed are the lowest packing then, and
 * packed->bound says whether none can fit. */
TENURE_API tenure_status tenure_pack(tenure_context *ctx, const tenure_packing *problem,
                                     const tenure_options *options, uint64_t *offsets,
                                     tenure_packed *packed);
/* The same for an instance in CSV (docs/PACK.md) at `path`, "-" for standard input: *out is the
 * instance with offsets, on TENURE_OK; *report what a person reads, also on TENURE_NOFIT. */
TENURE_API tenure_status tenure_pack_file(tenure_context *ctx, const char *path,
                                          const tenure_options *options, tenure_buffer **out,
                                          tenure_buffer **report);

#ifdef __cplusplus
}
#endif

#endif
