/* Naming what stands in the way of sharing bytes: reasons from ties and flags of a class, and the
 * member of the class that brings them in. */
#ifndef TENURE_PASSES_ALIAS_REASONS_H
#define TENURE_PASSES_ALIAS_REASONS_H

#include "passes/alias/alias_set.h"
#include "passes/analysis/storages.h"
#include "passes/core/remark.h"

/* The reason why bytes tied so are not free to take: state before constants before inputs before
 * outputs; PLACE for other ties, NONE without any. */
tn_reason tn_reason_of_ties(uint32_t ties);
/* EXCLUDED or PINNED; NONE when no flag of TN_VF_OWN_BYTES is set. */
tn_reason tn_reason_of_flags(uint32_t flags);
/* A member of v's class with one of these ties or flags; v itself where it has. NULL when none of
 * the first few has. */
const tn_value *tn_find_witness(tn_alias_set *s, const tn_value *v, uint32_t ties, uint32_t flags);
/* The first op that reads `v` after `step`, and in *at when; NULL when only who comes after the run
 * does. */
const tn_op *tn_find_reader(const tn_liveness *live, const tn_value *v, int32_t step, int32_t *at);

#endif
