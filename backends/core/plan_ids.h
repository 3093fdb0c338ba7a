/* The names that pools and values have in macros of C: <prefix>_<id>_<word>, where <word> is one of
 * OFFSET, SIZE and so on (docs/HEADER.md). <prefix>_<id> is never a macro. */
#ifndef TENURE_BACKENDS_CORE_PLAN_IDS_H
#define TENURE_BACKENDS_CORE_PLAN_IDS_H

#include "ir/plan/plan.h"

typedef struct tn_plan_ids {
    const char **pools, **values; /* upper case, by number in the plan */
    const char **pool_max;        /* "ARENA_MAX": with open dimensions */
    const char **min, **max;      /* "DIM_BATCH_MIN": of open dimensions */
    const char **found;           /* "FOUND_NZ_1": of extents that data give */
} tn_plan_ids;

enum {
    TN_LONGEST_MACRO = 63,   /* what C99 promises to tell apart */
    TN_LONGEST_OWN_WORD = 23 /* of what stands behind a prefix, but for names of values */
};

/* No macro gets more than `longest` characters. In `arena`. */
tn_plan_ids tn_plan_ids_make(tn_arena *arena, const tn_plan *p, const char *prefix, size_t longest);
/* The macro of the bytes of a pool of constants: "NET_WEIGHTS", or "NET_WEIGHTS_FLASH" where there
 * are several. In `arena`. */
const char *tn_weights_name(tn_arena *arena, const tn_plan *p, const char *macro,
                            const tn_plan_ids *ids, uint32_t pool);
/* "path/name" or "name". */
const char *tn_full_name(tn_arena *arena, const tn_plan_value *v);

#endif
