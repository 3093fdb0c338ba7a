/* Which ops can be one, once it was found out: a model is planned several times with groups, and
 * what a group computes is the same each time. */
#ifndef TENURE_PASSES_FUSE_FUSE_MEMORY_H
#define TENURE_PASSES_FUSE_FUSE_MEMORY_H

#include "ir/base/map.h"
#include "ir/compute/compute.h"
#include "passes/fuse/group.h"

/* Of ops that are one nest, or several by rows (ir/compute/by_rows.h). */
typedef struct tn_fuse_outcome {
    bool possible;
    uint32_t n_stages; /* of the first nest */
    int64_t rows;      /* 0: it is one nest */
    uint64_t workspace, spared;
    const uint32_t *over; /* ids of values over which the result of rows may lie, n_over */
    uint32_t n_over;
} tn_fuse_outcome;

typedef struct tn_fuse_memory {
    tn_arena *arena;
    tn_map first; /* by hash of the ops: 1 + number of the entry made last */
    TN_VEC(struct tn_fuse_tried) tried;
    struct tn_fuse_last *last; /* what was made last */
} tn_fuse_memory;

tn_fuse_memory *tn_fuse_memory_new(tn_arena *arena);
/* What comes of the ops of the group, `of` as in tn_group_fuse_own. Modules are the same one, or
 * clones of it. The outcome stays until the next call. */
const tn_fuse_outcome *tn_fuse_try(tn_fuse_memory *memory, const tn_module *m, const tn_group *g,
                                   const uint32_t *of);
/* As tn_compute_of_ops; nothing is made again of what was tried last. */
bool tn_fuse_compute(const tn_fuse_memory *memory, const tn_module *m, const tn_group *g,
                     const uint32_t *of, tn_arena *arena, tn_compute *c, tn_value ***values);
/* What was tried last is gone. */
void tn_fuse_forget(tn_fuse_memory *memory);

#endif
