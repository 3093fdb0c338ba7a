/* A capacity the arena must not exceed: one more try with a search for a layout that fits, and what
 * to say when there is none. */
#ifndef TENURE_PASSES_PLAN_CAPACITY_H
#define TENURE_PASSES_PLAN_CAPACITY_H

#include "ir/plan/plan.h"
#include "passes/plan/arena_layout.h"
#include "passes/plan/overlap_pairs.h"

/* Lays out again with search when `layout` is larger than the capacity and nothing proves that it
 * has to be; what is found lies in `arena`. Statuses and diagnostics as tn_layout_make. */
TN_MUST_USE tn_status tn_capacity_search(tn_module *m, const tn_storages *s, uint32_t n_steps,
                                         const tn_layout_ask *ask, uint64_t capacity,
                                         tn_arena *arena, tn_layout *layout);

/* Says by how much the plan made from `layout` exceeds the capacity of its arena; whether that is
 * proven; and names the smallest set of tensors to be found that does not fit by itself, or else
 * what is alive at the peak. `pairs`: results that may begin inside operands. Returns TN_NOFIT. */
tn_status tn_capacity_refuse(const tn_plan *plan, const tn_layout *layout, const tn_layout_ask *ask,
                             const tn_overlap_pairs *pairs, const tn_loc *loc, tn_arena *scratch);

/* Notes that name storages of the plan which do not fit into `capacity` by themselves. `bytes` of
 * the set may be 0: then nobody knows by how much. */
void tn_capacity_note_set(const tn_plan *plan, const tn_pack_misfit *set, uint64_t capacity,
                          const tn_loc *loc, tn_arena *scratch);

#endif
