/* Declarations of all shape rules, from ir/ops/rules.def. */
#ifndef TENURE_IR_OPS_RULES_H
#define TENURE_IR_OPS_RULES_H

#include "ir/ops/ops.h"

#define RULE(name) void tn_shape_##name(struct tn_infer *in);
#include "ir/ops/rules.def"
#undef RULE

#endif
