/* Where elements lie that one nest makes and another one loads. */
#ifndef TENURE_IR_COMPUTE_NEST_PLACES_H
#define TENURE_IR_COMPUTE_NEST_PLACES_H

#include "ir/compute/nest.h"

bool tn_affine_has_table(const tn_affine *at);
/* Whether both are one place, whatever the axes of the nest are. */
bool tn_nest_same_place(const tn_nest *n, const tn_affine *a, const tn_affine *b);
/* The index along each axis of `of`, which go through all elements at `place`, of the element at
 * `at`, which counts axes of `over`, in its stage `s` or, NULL, outside of stages. False where that
 * is none of the same index for all. */
bool tn_nest_split_by(const tn_nest *of, const tn_affine *place, const tn_nest *over,
                      const tn_nest_stage *s, const tn_affine *at, tn_affine *index);
/* The same of the elements that `of` stores. */
bool tn_nest_split(const tn_nest *of, const tn_nest *over, const tn_nest_stage *s,
                   const tn_affine *at, tn_affine *index);
/* `at` counts n_axes axes, the indices of which `axis` has; it counts what these count then. False
 * where a table stands in the way. The same of all places of an expression. */
bool tn_nest_move_place(tn_affine *at, const tn_affine *axis, uint32_t n_axes);
bool tn_nest_move_calc(tn_calc *x, const tn_affine *axis, uint32_t n_axes);
/* Whether the expression, or anything the nest computes, loads the operand. */
bool tn_calc_loads(const tn_calc *x, uint32_t operand);
bool tn_nest_loads(const tn_nest *n, uint32_t operand);
/* Whether any place of the expression moves along the axis. */
bool tn_calc_moves(const tn_calc *x, uint32_t axis);

#endif
