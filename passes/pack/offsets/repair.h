/* Mending a packing of a large instance: the few items that end too high are freed together with
 * their neighbours in time, and packed anew around everything else, which stays where it is. */
#ifndef TENURE_PASSES_PACK_OFFSETS_REPAIR_H
#define TENURE_PASSES_PACK_OFFSETS_REPAIR_H

#include "passes/pack/offsets/first_fit.h"

typedef struct tn_repair_options {
    uint64_t goal;       /* bytes */
    uint64_t budget;     /* steps of work */
    const char *without; /* base/without.h */
} tn_repair_options;

/* Lowers `best` towards the goal; returns the work done. The instance has no gaps. */
uint64_t tn_repair_run(tn_arena *arena, const tn_inst *inst, const tn_repair_options *options,
                       tn_packing *best);

#endif
