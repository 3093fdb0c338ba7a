/* Which stretches to run in parts: few sets of them, best by estimate, for different arenas. */
#ifndef TENURE_LIB_TILE_SEARCH_H
#define TENURE_LIB_TILE_SEARCH_H

#include "ir/base/map.h"
#include "passes/tile/rewrite.h"

typedef struct tn_tile_choice {
    tn_tile_asks asks;
    double bytes; /* estimated: what is alive at most, in the order of the graph */
    double flops; /* operations added */
} tn_tile_choice;

typedef TN_VEC(tn_tile_choice) tn_tile_choices;

/* At most `most` choices, the fewest bytes first, none of them with more than `flops` operations
 * added (as a part of the module's). Types must be inferred. */
tn_tile_choices tn_tile_search(tn_module *m, tn_arena *arena, bool io_in_arena, double flops,
                               uint32_t most);

#endif
