/* Which results may begin inside an operand that dies at their step, and from which distance on. */
#ifndef TENURE_PASSES_PLAN_OVERLAP_PAIRS_H
#define TENURE_PASSES_PLAN_OVERLAP_PAIRS_H

#include "ir/ops/work_order.h"
#include "passes/analysis/storages.h"

/* A result and an operand, each in a class of its own. */
typedef struct tn_overlap_value {
    const tn_value *result, *operand;
    uint64_t distance; /* bytes that the operand begins behind the result, at least */
} tn_overlap_value;

typedef struct tn_overlap_pair {
    uint32_t step;
    uint32_t under,
        over;          /* classes: of the operands, which dies, and of the result, which begins */
    uint64_t distance; /* bytes that the class `under` begins behind the class `over`, at least;
                          less than the class `over` has */
    tn_work_order order;
    const tn_overlap_value *values; /* the operands that lie in `under` */
    uint32_t n_values;
} tn_overlap_pair;

typedef struct tn_overlap_pairs {
    tn_overlap_pair *at; /* in order of step; a class dies in one pair at most, and begins in one */
    uint32_t n;
} tn_overlap_pairs;

/* Pairs of classes in the arena (in_arena: by class) for kernels that work in `order`, where their
 * facts state no other. Of several operands that die at a step the one that saves most counts. Ops
 * with nested graphs, with several results, and elements of less than a byte have none. */
tn_overlap_pairs tn_find_overlap_pairs(tn_module *m, const tn_storages *s, const tn_liveness *live,
                                       const bool *in_arena, tn_work_order order, tn_arena *arena);

#endif
