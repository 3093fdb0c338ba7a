/* The shadow run: a plan executed on marks instead of data. Every quarter of a byte in the pools
 * carries the mark of whoever wrote it; every read compares all of its operand with what the
 * operand must hold; every write leaves marks of its own. Ops that move nothing leave the marks
 * where they are, and kernels that were not promised otherwise write before they have read. Freed
 * storages are poisoned. Loops run several times, branches are drawn by chance. */
#ifndef TENURE_TESTS_RANDOM_SHADOW_H
#define TENURE_TESTS_RANDOM_SHADOW_H

#include "ir/plan/plan.h"

typedef enum shadow_order {
    SHADOW_PLANNED, /* step after step; loops run none to three times */
    SHADOW_LOOSE,   /* any order that waits for hazards, for the writers of what is read, for the
                       begin of the op around, at an end for the bodies, and in a plan of queues for
                       those before it in its queue; loops run once */
} shadow_order;

/* What went wrong first, in `arena`; NULL when all reads found what they should. *bytes is raised
 * by the bytes compared. */
const char *shadow_run(const tn_plan *p, const tn_module *m, shadow_order order, uint64_t seed,
                       tn_arena *arena, uint64_t *bytes);

#endif
