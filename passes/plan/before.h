/* Where values lay in the plan that the user wants to stay near to. */
#ifndef TENURE_PASSES_PLAN_BEFORE_H
#define TENURE_PASSES_PLAN_BEFORE_H

#include "passes/plan/plan_build.h"

/* Where a storage lay: where most of its values did, one place counted as often as it has values.
 */
typedef struct tn_before_place {
    uint32_t pool;   /* of the plan before; TN_NO_ID: none of its values had a place */
    uint64_t offset; /* of the storage */
    uint32_t n;      /* values that lie where they lay, if the storage does */
    uint32_t second; /* the most that any other place would bring back */
} tn_before_place;

typedef struct tn_before {
    const tn_plan *old;
    const uint32_t *of;           /* by value: that of the plan before, or TN_NO_ID */
    const tn_before_place *place; /* by storage */
    uint32_t n_matched;           /* values with places in both */
} tn_before;

/* The pool of the plan that is what pool `old` of the plan before was: the one of that name, or the
 * only one of its kind in both. TN_NO_ID: none. */
uint32_t tn_before_pool(const tn_build *b, uint32_t old);
/* So many bytes, and the part of them more that the user allows. */
uint64_t tn_with_slack(const tn_build *b, uint64_t bytes);

#endif
