/* Large instances from their fullest moments outwards. Where the load comes near the bound there is
 * hardly a choice, and few items live there: these are packed by exact search, and everything else
 * around them by fast fits. */
#ifndef TENURE_PASSES_PACK_OFFSETS_FULLEST_H
#define TENURE_PASSES_PACK_OFFSETS_FULLEST_H

#include "passes/pack/offsets/exact/portfolio.h"

/* Lowers `best` towards options->goal. A height that is impossible for the fullest items alone is
 * so for all, and raises result->bound. */
void tn_fullest_run(tn_arena *arena, const tn_inst *inst, const tn_search_options *options,
                    tn_packing *best, tn_search_result *result);

#endif
