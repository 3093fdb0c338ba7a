/* Nests of several ops as one: what makes an operand takes the place of its loads, so that the
 * operand need not exist. Loads of both nests count the same operands. */
#ifndef TENURE_IR_COMPUTE_NEST_FUSE_H
#define TENURE_IR_COMPUTE_NEST_FUSE_H

#include "ir/compute/compute.h"

/* `into` loads `operand` where it stores, and has no stages: it does something to each element.
 * It becomes `from`, with its axes and stages, and what was done to each element done to its value.
 * False where that cannot be; `into` is then of no use. */
bool tn_nest_put_behind(tn_arena *arena, tn_nest *into, uint32_t operand, const tn_nest *from);

/* Wherever `into` loads `operand`, what `from` stores there is computed. Stages of `from`, and
 * where that costs less its value, become stages of `into`: made once for all that share them.
 * False where that cannot be, or would compute much more than the two do apart; `into` is then of
 * no use. */
bool tn_nest_put_inside(tn_arena *arena, tn_nest *into, uint32_t operand, const tn_nest *from);

/* Sums of a tile in registers: products, and windows that slide. What is done to their terms takes
 * them out of these forms. */
bool tn_nest_has_tiles(const tn_nest *n);

/* Whether it is a whole number that stands for a float: (an element - its zero point) * a scale. */
bool tn_calc_is_quantum(const tn_calc *x);
/* Products whose factors are such become sums of whole numbers. False where that cannot be. The
 * operands of `c` are those that the nest counts. */
bool tn_nest_sum_whole(const tn_compute *c, tn_nest *n);

typedef enum tn_nest_over {
    TN_OVER_NOT,
    TN_OVER_ELEMENTS, /* each element is read just before the one in its place is written */
    TN_OVER_ROWS,     /* a row is read as a whole before it is written */
} tn_nest_over;
/* Whether the result, of the same shape and type, may lie over the operand. */
tn_nest_over tn_nest_may_lie_over(const tn_nest *n, uint32_t operand);

#endif
