/* Plans with open dimensions: offsets and sizes for extents at hand. */
#ifndef TENURE_IR_PLAN_PLAN_EXTENTS_H
#define TENURE_IR_PLAN_PLAN_EXTENTS_H

#include "ir/plan/plan.h"

/* Bytes, all arrays in the arena given to tn_plan_resolve. */
typedef struct tn_resolved {
    uint64_t *storage_size, *storage_offset; /* by storage; offsets from the start of the pool */
    uint64_t *value_bytes, *value_offset;    /* by value; offsets from the start of the storage */
    uint64_t *pool_size;                     /* by pool */
} tn_resolved;

/* All storages, each behind those that it lies above; NULL where the relation goes in a circle. */
const uint32_t *tn_plan_upwards(const tn_plan *p, tn_arena *arena);

/* Works the plan out for the extents `dims`, one for each of p->ranges, in time linear in storages
 * and the relation. A storage begins at the smallest multiple of its alignment that is not below
 * the end of any storage in its `above`; without any it lies where the plan says. The size of an
 * arena is a multiple of its alignment. TN_ERROR after a diagnostic for an extent out of range,
 * and where bytes overflow 63 bits. */
TN_MUST_USE tn_status tn_plan_resolve(const tn_plan *p, const int64_t *dims, tn_arena *arena,
                                      tn_resolved *out);

/* The same without a diagnostic; false where it cannot be done. */
bool tn_plan_try(const tn_plan *p, const int64_t *dims, tn_arena *arena, tn_resolved *out);

/* A plan that is worked out for many extents: what they have nothing to do with is found once. */
typedef struct tn_plan_many {
    const tn_plan *p;
    const uint32_t *order; /* tn_plan_upwards */
    tn_dim *exprs;         /* different ones, of storages and values */
    uint64_t *bytes;       /* by those */
    uint32_t n_exprs;
    uint32_t *size; /* by storage: its size among them, or n_exprs where that is a number */
    tn_resolved at; /* what storages and pools have for the last extents; of values nothing */
} tn_plan_many;

/* The plan's relation goes in no circle. All in the arena. */
tn_plan_many tn_plan_many_make(const tn_plan *p, tn_arena *arena);
/* As tn_plan_try, which it is equal to; the result is `at`. */
bool tn_plan_many_try(tn_plan_many *m, const int64_t *dims);

/* Only the sizes of storages, before the plan has a relation; `arena` for work. */
bool tn_plan_sizes(const tn_plan *p, const int64_t *dims, tn_arena *arena, uint64_t *sizes);

/* The extent of a dimension that follows from others, p->relations[relation]; false where it is
 * none. */
bool tn_plan_related(const tn_plan *p, uint32_t relation, const int64_t *dims, int64_t *extent);

/* Of the variants of a plan that hold for these extents, the one with the smallest arena; NULL
 * where none does. */
const tn_plan *tn_plan_smallest(const tn_plan *p, const int64_t *dims);
/* The most bytes of the arena that are alive at one step. */
uint64_t tn_plan_load(const tn_plan *p, const tn_resolved *at, tn_arena *arena);
/* The plan, one variant, with the numbers for these extents in place of those for its point. It
 * shares what does not depend on extents with `p`, which has to stay. NULL after a diagnostic. */
tn_plan *tn_plan_for(const tn_plan *p, const int64_t *dims);

/* Gives the table the limits of extents that data give, so that tn_dim_most counts them as the most
 * they can be; false where the text of one cannot be read. */
bool tn_plan_limit_dims(const tn_plan *p, tn_dims *d);

#endif
