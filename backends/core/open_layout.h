/* What a program loads where the dimensions of a plan stay open: the numbers that sizes, extents
 * and offsets are made of, in one order for every artefact of the plan. */
#ifndef TENURE_BACKENDS_CORE_OPEN_LAYOUT_H
#define TENURE_BACKENDS_CORE_OPEN_LAYOUT_H

#include "ir/dim/dim_code.h"
#include "ir/plan/plan.h"

/* How a variant places a storage that has an open size, or whose offset depends on one. */
typedef struct tn_open_storage {
    uint32_t storage; /* of the plan */
    uint64_t from;    /* it begins there, or behind what it lies above */
    tn_ids above;     /* other open storages, as row_of counts them; placed before */
} tn_open_storage;

typedef struct tn_open_value {
    uint32_t bytes, offset, elements; /* positions among the operations; TN_NO_ID: the number of
                                         the plan stands. `offset` counts from the storage */
    uint32_t *extents;                /* by axis, likewise */
} tn_open_value;

/* All in the arena that it was made in. */
typedef struct tn_open {
    const tn_plan *p;
    tn_dims *dims;            /* expressions of the plan, and those of extents */
    tn_dim_code code;         /* the open dimensions first, in their order */
    const tn_plan **variants; /* the plan, and others that differ in places of storages alone */
    uint32_t n_variants;
    uint32_t n_storages;    /* open ones */
    tn_open_storage *order; /* n_storages of them for each variant, each behind those below it */
    uint32_t *row_of;       /* by storage: its number among the open ones, or TN_NO_ID */
    uint32_t *size_of;      /* by that: position among the operations */
    bool *moves;            /* by storage: whether the offset is loaded */
    tn_open_value *values;  /* by value; all TN_NO_ID for those without a place */
    uint64_t *pool_from;    /* by pool: bytes of the storages that have numbers */
    uint32_t *pool_row;     /* by pool: position among the open ones, or TN_NO_ID */
    uint32_t n_pools;       /* open ones */
    uint32_t *related;      /* by relation of the plan: position among the operations */
    /* Operations whose numbers have to be no less than 0 and fit: sizes in bytes and elements; and
     * extents. Ascending, each once. */
    tn_ids sizes, extents;
    uint64_t *pool_max; /* by pool: bytes that are enough for all dimensions; NULL where they have
                           no limit, or sizes none that is known */
} tn_open;

/* Of the variants of a program those that can be one, the plan first; *n of them. */
const tn_plan **tn_open_variants(tn_arena *arena, const tn_plan *p, uint32_t *n);
/* Steps that `step` waits for in any of the variants. */
tn_ids tn_open_hazards(const tn_open *o, tn_arena *arena, uint32_t step);
/* NULL for a plan without open dimensions. */
tn_open *tn_open_make(tn_arena *arena, const tn_plan *p);
/* Whether the offset of a value in its pool is loaded. */
bool tn_open_moves(const tn_open *o, const tn_plan_value *v);
/* Whether a number of a row of all this is beyond 16 bits. */
bool tn_open_needs_32(const tn_open *o);
/* Fills in pool_max. */
void tn_open_find_limits(tn_open *o, tn_arena *arena);

#endif
