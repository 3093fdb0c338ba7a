/* Which value of one plan is which of another, made from another state of the same model. */
#ifndef TENURE_IR_PLAN_PLAN_MATCH_H
#define TENURE_IR_PLAN_PLAN_MATCH_H

#include "ir/plan/plan.h"

/* By value of `p`: the value of `in` with the same name in the same graph, or TN_NO_ID. Names
 * repeat in no graph of a valid model; where they do, the first counts. In `arena`. */
uint32_t *tn_plan_match_names(tn_arena *arena, const tn_plan *p, const tn_plan *in);
/* The same, and where a name is new, by structure: inputs by position and type; results of a step
 * are those of the first step of `in` with the same op and the same operands at the same positions
 * (constants with new names: the same type), and so are its constants. No value of `in` is named
 * twice. Steps with nested graphs match by names alone. */
uint32_t *tn_plan_match(tn_arena *arena, const tn_plan *p, const tn_plan *in);

#endif
