/* What an op with nested graphs copies between its values and theirs. */
#ifndef TENURE_PASSES_PLAN_PLAN_MOVES_H
#define TENURE_PASSES_PLAN_PLAN_MOVES_H

#include "passes/plan/plan_build.h"

/* Fills the moves of a BEGIN; its bodies must be listed. None for ops whose kernel runs the bodies
 * by itself (SequenceMap, ops the table does not know). */
void tn_build_moves(const tn_build *b, const tn_op *op, tn_plan_step *s);

#endif
