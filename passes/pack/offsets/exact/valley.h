/* Valley search: is there a packing of a given height? It looks at the skyline of what has been
 * placed and asks what fills one of its valleys. Of the items alive in a section of the valley, the
 * lowest lies on the valley's floor, and then its whole live range is inside the valley, or it
 * starts higher. One branch for each such item, and one that gives the floor of that section up. */
#ifndef TENURE_PASSES_PACK_OFFSETS_EXACT_VALLEY_H
#define TENURE_PASSES_PACK_OFFSETS_EXACT_VALLEY_H

#include "passes/pack/base/stop.h"
#include "passes/pack/offsets/exact/rows.h"

/* Which section to branch on. */
typedef enum tn_valley_pick {
    TN_PICK_SLACK,  /* the valley with the least slack, in it the section with the least */
    TN_PICK_NARROW, /* the narrowest valley, in it the section with fewest candidates */
    TN_PICK_FEWEST, /* the section with fewest candidates anywhere */
    TN_PICK_LOWEST, /* the lowest valley, in it the section with fewest candidates */
} tn_valley_pick;

typedef struct tn_valley_rule {
    tn_valley_pick pick;
    const char *letters; /* order of the candidates: passes/pack/base/item_order.h, A T W Z; those
                            that end level with a wall beside them go first */
    bool ties;           /* ties go to the section with less slack */
} tn_valley_rule;

/* Of an instance in which nothing is fixed or aligned. Fills offsets (units, one an item of the
 * instance) when it finds a packing; adds to *nodes. */
tn_found tn_valley_run(tn_arena *arena, const tn_rows *rows, const tn_valley_rule *rule,
                       const tn_question *question, uint64_t *offsets, uint64_t *nodes);

#endif
