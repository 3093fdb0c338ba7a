/* Exact sharing for groups that need few objects: which sizes the objects have is decided first,
 * the cheapest choice first, and whether they are enough by a sweep over time. */
#ifndef TENURE_PASSES_PACK_SLOTS_SLOTS_SWEEP_H
#define TENURE_PASSES_PACK_SLOTS_SLOTS_SWEEP_H

#include "passes/pack/slots/slots.h"

/* Raises *bound as far as all cheaper choices of sizes are proven not to be enough, at most to
 * `limit`; fills `out` and returns true when a choice cheaper than `limit` is enough, which then
 * costs *bound. `budget` and *nodes count states of the sweep. */
bool tn_slots_by_sizes(tn_arena *scratch, const tn_slot_group *g, uint64_t limit, uint64_t budget,
                       uint64_t deadline_ns, tn_sharing *out, uint64_t *bound, uint64_t *nodes);

/* The sweep: whether objects of these sizes (n of them, falling) are enough. */
typedef enum tn_enough { TN_ENOUGH, TN_NOT_ENOUGH, TN_ENOUGH_UNKNOWN } tn_enough;
typedef struct tn_slot_sweep tn_slot_sweep;
/* *left is what is left of a budget of states, of all sweeps together. */
tn_slot_sweep *tn_slot_sweep_make(tn_arena *arena, const tn_slot_group *g, uint64_t *left);
/* Fills out->object with indices of sizes. */
tn_enough tn_slots_sweep(tn_arena *scratch, tn_slot_sweep *s, const uint64_t *sizes, uint32_t n,
                         tn_sharing *out);

#endif
