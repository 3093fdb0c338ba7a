/* Operands, results, attributes, bodies and promises of one step. */
#ifndef TENURE_PASSES_PLAN_PLAN_OPERANDS_H
#define TENURE_PASSES_PLAN_PLAN_OPERANDS_H

#include "passes/plan/plan_build.h"

/* Fills what the step has besides reads, writes, frees and hazards. Values and kind must be set. */
void tn_build_operands(tn_build *b, const tn_op *op, tn_plan_step *s);

#endif
