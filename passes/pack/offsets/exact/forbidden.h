/* What two items forbid each other: some differences of their offsets, an open interval for every
 * time at which parts of both are in use. */
#ifndef TENURE_PASSES_PACK_OFFSETS_EXACT_FORBIDDEN_H
#define TENURE_PASSES_PACK_OFFSETS_EXACT_FORBIDDEN_H

#include "passes/pack/base/instance.h"

/* The offset of one item minus that of another (units) is not strictly between lo and hi. */
typedef struct tn_forbidden_range {
    int64_t lo, hi;
} tn_forbidden_range;

typedef struct tn_forbidden {
    uint32_t n;   /* items */
    uint32_t *at; /* n * n + 1: where those of the pair (i, j) begin */
    tn_forbidden_range *list;
} tn_forbidden;

tn_forbidden tn_forbidden_make(tn_arena *arena, const tn_inst *inst);

/* The first range of item i against item j; those of i against j + 1 follow the last. */
static inline const tn_forbidden_range *tn_forbidden_of(const tn_forbidden *f, uint32_t i,
                                                        uint32_t j) {
    return f->list + f->at[i * f->n + j];
}

/* Whether a range lies on one side of 0: then neither of the two is the lower one at all times, and
 * they can interlock. */
bool tn_forbidden_tangled(const tn_forbidden *f, uint32_t i, uint32_t j);

/* Classes of items that have an alignment above one unit in common, are no larger than it, and may
 * not share an offset: each needs a multiple of the alignment for itself. */
typedef struct tn_rivals {
    uint32_t *class_of; /* an item's class, or UINT32_MAX */
    uint32_t n;         /* classes */
} tn_rivals;

tn_rivals tn_rivals_make(tn_arena *arena, const tn_inst *inst, const tn_forbidden *f);

#endif
