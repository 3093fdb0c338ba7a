/* Exact search for the cheapest way to share objects, within a budget of nodes. */
#ifndef TENURE_PASSES_PACK_SLOTS_SLOTS_SEARCH_H
#define TENURE_PASSES_PACK_SLOTS_SLOTS_SEARCH_H

#include "passes/pack/slots/slots.h"

typedef struct tn_slot_search {
    uint64_t limit;       /* only what costs less is of interest */
    uint64_t goal;        /* stop when nothing costs more than this; the bound of the group */
    uint64_t budget;      /* nodes */
    uint64_t deadline_ns; /* of tn_os_clock, 0: none */
} tn_slot_search;

/* Lowers `best` to what it finds below the limit. True when the search came to its end: `best` is
 * then the cheapest below the limit, or, when it is as it was, nothing is cheaper than the limit.
 * Adds the nodes visited to *nodes. */
bool tn_slots_search(tn_arena *scratch, const tn_slot_group *g, const tn_slot_search *options,
                     tn_sharing *best, uint64_t *nodes);

#endif
