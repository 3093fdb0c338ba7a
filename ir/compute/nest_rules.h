/* What several rules of column .compute share; ir/ops/op_rules.def lists them. */
#ifndef TENURE_IR_COMPUTE_NEST_RULES_H
#define TENURE_IR_COMPUTE_NEST_RULES_H

#include "ir/compute/compute.h"
#include "ir/ops/op_rules.h"

/* The types of all expressions; false where they do not fit. */
bool tn_nest_find_types(const tn_compute *c, tn_nest *n);
/* A formula (ir/compute/compute.h) for each element of result 0. */
bool tn_compute_of(tn_compute *c, const char *formula);
/* What another op of the standard makes of x, by the formula of its row. Parameters are those of
 * its attributes that are floats, in their order; NAN: the default. NULL: it has no formula, or one
 * of more operands. */
enum { TN_COMPUTE_PARAMETERS = 2 };
tn_calc *tn_compute_formula_of(const tn_compute *c, const char *op, tn_calc *x,
                               const double *parameters);
/* Adds a stage without axes of its own: a place that all behind axis `depth` share. */
void tn_nest_put_place(tn_nest *n, uint32_t depth, tn_calc *place);
/* A float without places, in a type of at most 16 bits. */
tn_calc *tn_calc_saturate(tn_arena *arena, tn_calc *x, tn_dtype to);

#endif
