/* Copies that happen at once, one after the other: an order in which no copy writes over what
 * another one has yet to read. Where copies wait for each other in a circle, sources are kept
 * aside first. (Parallel moves, as compilers do them when they leave SSA form: May, "The parallel
 * assignment problem redefined", 1989; here for ranges that may overlap in part.) */
#ifndef TENURE_BACKENDS_CORE_PARALLEL_COPIES_H
#define TENURE_BACKENDS_CORE_PARALLEL_COPIES_H

#include <stdbool.h>

#include "ir/base/arena.h"

/* Bytes of one of several spaces that do not overlap. */
typedef struct tn_range {
    uint32_t space;
    uint64_t at, size;
} tn_range;

typedef struct tn_copy {
    tn_range from, to; /* from.size 0: nothing is read */
} tn_copy;

typedef enum tn_copy_act {
    TN_ACT_COPY,    /* from its source to its target */
    TN_ACT_KEEP,    /* from its source to byte `aside` of what is kept */
    TN_ACT_RESTORE, /* from there to its target */
} tn_copy_act;

typedef struct tn_copy_step {
    tn_copy_act act;
    uint32_t copy;
    uint64_t aside; /* of KEEP and RESTORE; a multiple of 16 */
} tn_copy_step;

typedef struct tn_copy_order {
    tn_copy_step *steps;
    uint32_t n;
    uint64_t aside; /* bytes that have to be kept */
} tn_copy_order;

/* In `arena`. A copy may overlap itself: it has to be made as memmove does. */
tn_copy_order tn_parallel_copies(tn_arena *arena, const tn_copy *copies, uint32_t n);

#endif
