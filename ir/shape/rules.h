/* Declarations of all shape rules, from ir/shape/rules.def. */
#ifndef TENURE_IR_SHAPE_RULES_H
#define TENURE_IR_SHAPE_RULES_H

#include "ir/ops.h"

#define RULE(name) void tn_shape_##name(struct tn_infer *in);
#include "ir/shape/rules.def"
#undef RULE

#endif
