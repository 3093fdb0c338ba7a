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

/* At most `most` choices: half of them add hardly any operations, a quarter may keep what the next
 * part reads, the others do not; the fewest bytes of each kind first, and none of them with
 * more than `flops` operations added (as a part of the module's). Types must be inferred. */
tn_tile_choices tn_tile_search(tn_module *m, tn_arena *arena, bool io_in_arena, double flops,
                               uint32_t most);
/* These stretches as a choice, its bytes not estimated; false where one of them cannot be, or they
 * add more than so many operations. */
bool tn_tile_choice_of(tn_module *m, double flops, const tn_tile_asks *asks, tn_tile_choice *out);
/* More or fewer parts along an axis, as they are looked for: the next number behind or before n; n
 * where there is none. */
uint32_t tn_tile_parts_near(uint32_t n, bool more);

#endif
