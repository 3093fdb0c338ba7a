/* Where the user wants single values to lie (--fix), and at which alignment (--align-value). */
#ifndef TENURE_PASSES_PLAN_VALUE_PLACES_H
#define TENURE_PASSES_PLAN_VALUE_PLACES_H

#include "passes/plan/plan_build.h"

/* By storage; arrays in the scratch arena of the build. */
typedef struct tn_value_places {
    uint32_t *must;  /* the pool it has to lie in, or TN_NO_ID */
    uint64_t *fixed; /* its offset in bytes, or TN_PACK_FREE */
    uint64_t *align; /* in bytes, at least 1 */
} tn_value_places;

/* What is asked for, held against the plan's pools and its storages. TN_USAGE or TN_NOFIT, with a
 * diagnostic, where a wish names what is not there, or wishes contradict each other. */
TN_MUST_USE tn_status tn_value_places_read(const tn_build *b, tn_value_places *to);

#endif
