/* What several rules of column .compute share; ir/ops/op_rules.def lists them. */
#ifndef TENURE_IR_COMPUTE_NEST_RULES_H
#define TENURE_IR_COMPUTE_NEST_RULES_H

#include "ir/compute/compute.h"
#include "ir/ops/op_rules.h"

/* The types of all expressions; false where they do not fit. */
bool tn_nest_find_types(const tn_compute *c, tn_nest *n);
/* Whether it gives a truth, of whatever it is made. */
bool tn_calc_is_truth(tn_calc_op op);
/* An op of one argument, or of two. */
tn_calc *tn_calc_one(const tn_compute *c, tn_calc_op op, tn_calc *a);
tn_calc *tn_calc_two(const tn_compute *c, tn_calc_op op, tn_calc *a, tn_calc *b);
/* The nest of the piece of result 0 that operand `i` gives: the result's from `at` on along `axis`.
 * `in`: where its element lies. */
tn_nest *tn_compute_piece(tn_compute *c, uint32_t i, uint32_t axis, int64_t at, tn_affine *in);
/* A formula (ir/compute/compute.h) for each element of result 0. */
bool tn_compute_of(tn_compute *c, const char *formula);
/* What another op of the standard makes of x, by the formula of its row. Parameters are those of
 * its attributes that are floats, in their order; NAN: the default. NULL: it has no formula, or one
 * of more operands. */
enum { TN_COMPUTE_PARAMETERS = 2 };
tn_calc *tn_compute_formula_of(const tn_compute *c, const char *op, tn_calc *x,
                               const double *parameters);
/* Logarithms of the shares of operand 0 along an axis, as a result of its shape. */
bool tn_compute_log_softmax_of(tn_compute *c, uint32_t result, uint32_t axis);
/* Adds a stage without axes of its own: a place that all behind axis `depth` share. */
void tn_nest_put_place(tn_nest *n, uint32_t depth, tn_calc *place);
/* A float without places, in a type of at most 16 bits. */
tn_calc *tn_calc_saturate(tn_arena *arena, tn_calc *x, tn_dtype to);

/* Sums of products of two operands, the first and the second argument of the body of stage 0, which
 * is the nest's value; NULL where there is no rule. `of`: the number of the filter. */
tn_nest *tn_compute_conv_of(tn_compute *c, uint32_t image, uint32_t filter, tn_affine *of);
tn_nest *tn_compute_matmul_of(tn_compute *c, uint32_t left, uint32_t right);
tn_nest *tn_compute_gemm_of(tn_compute *c, uint32_t left, uint32_t right);
/* Sums of operand 0 over windows, and over all places. `count`, if asked for: terms of an average.
 */
tn_nest *tn_compute_pool_of(tn_compute *c, tn_calc **count);
tn_nest *tn_compute_global_pool_of(tn_compute *c, int64_t *places);

/* ---- whole numbers of 8 bits that stand for floats ---- */

/* Operands: the whole numbers, their scale and their zero point, which may be left out. */
typedef struct tn_quantum {
    uint32_t x, scale, zero;
} tn_quantum;
/* Whether they are, with a scale and a zero point for all. */
bool tn_quantum_is(const tn_compute *c, tn_quantum q);
/* Whether the operand is one float, or one number of 8 bits. */
bool tn_compute_is_float(const tn_compute *c, uint32_t operand);
bool tn_compute_is_byte(tn_dtype dtype);
/* x less the zero point at `at` of an operand, if that is there. */
tn_calc *tn_quantum_less(const tn_compute *c, tn_calc *x, uint32_t zero, const tn_affine *at);
/* What an element stands for. */
tn_calc *tn_quantum_float(const tn_compute *c, tn_quantum q, const tn_affine *at);
/* A float that is in steps of the result already: rounded half to even, the zero point added,
 * saturated. */
tn_calc *tn_quantum_round(const tn_compute *c, tn_calc *x, uint32_t zero, const tn_affine *at);

#endif
