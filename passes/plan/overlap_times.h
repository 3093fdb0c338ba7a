/* Results that begin inside dying operands, told to the packer: live ranges with parts of buffers.
 */
#ifndef TENURE_PASSES_PLAN_OVERLAP_TIMES_H
#define TENURE_PASSES_PLAN_OVERLAP_TIMES_H

#include "passes/pack/pack.h"
#include "passes/plan/overlap_pairs.h"

/* Buffers whose live ranges are steps become ones of finer times, in which the pairs that are
 * allowed may share bytes; nothing is forbidden besides. Gaps lie in `arena`, and sizes, alignments
 * and fixed offsets stay. Wherever a partner lies, in another pool or in none, the rest stays
 * right. allowed    by pair; NULL: all buffer_of  by class: index in `buffers`, UINT32_MAX for
 * those that are not there unit       multiple of all alignments in use; distances are rounded up
 * to it */
void tn_overlap_times(tn_arena *arena, const tn_overlap_pairs *pairs, const bool *allowed,
                      const uint32_t *buffer_of, uint64_t unit, tn_pack_buffer *buffers,
                      uint32_t n);

/* The step of such a time; -1 before the first. */
int64_t tn_overlap_step(int64_t time);

#endif
