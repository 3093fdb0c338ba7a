/* What several rules of column .compute share; ir/ops/op_rules.def lists them. */
#ifndef TENURE_IR_COMPUTE_NEST_RULES_H
#define TENURE_IR_COMPUTE_NEST_RULES_H

#include "ir/compute/compute.h"
#include "ir/ops/op_rules.h"

/* Whether all operands that are there, and all results, have 32-bit floats. */
bool tn_compute_floats(const tn_compute *c);

#endif
