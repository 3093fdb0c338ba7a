/* What the ops of random modules do to bytes, said once more and without the library's op table:
 * the shadow run and the oracle must not believe what they are to test. */
#ifndef TENURE_TESTS_RANDOM_KERNEL_H
#define TENURE_TESTS_RANDOM_KERNEL_H

#include "ir/module.h"
#include "ir/ops/work_order.h"

/* The extents of a tensor; false when one of them is no number. */
typedef struct extents {
    uint32_t rank;
    int64_t dims[8];
    int64_t count;
} extents;
bool kernel_extents(const tn_value *v, extents *out);

/* Whether the result is data of the model, there before the first step. */
bool kernel_is_constant(const tn_op *op);
/* Whether the op looks at the bytes of operand k. */
bool kernel_reads(const tn_op *op, uint32_t k);
/* Whether a kernel of this op may be given the bytes of operand k to write result r to. */
bool kernel_may_overwrite(const tn_op *op, uint32_t r, uint32_t k);
/* Whether a kernel of this op, going through the elements in the right direction, may be given the
 * bytes of operand k to write result r to, whose elements have another width. */
bool kernel_goes_through(const tn_op *op, uint32_t r, uint32_t k);
/* Whether the operand becomes the result by the op's definition, and does not survive it. */
bool kernel_consumes(const tn_op *op, uint32_t k);
/* By value id: what the op looks at besides its operands, values of its graph computed before it;
 * NULL for ops that do not. */
bool *kernel_looks_at(const tn_op *op, tn_arena *arena);
/* How many leading results of a Loop or Scan are states carried along; the others are stacked up
 * while it runs. All of them for other ops. */
uint32_t kernel_carried(const tn_op *op);
/* What is in turn the same state of a Loop or Scan: its operand, the argument of the body. */
uint32_t kernel_state_operand(const tn_op *op, uint32_t k);
/* The output of a body that becomes result r, once or in the end; NULL when the result is stacked.
 */
const tn_value *kernel_output_of(const tn_op *op, uint32_t region, uint32_t r);
/* Whether the bodies run any number of times, instead of one of them once. */
bool kernel_loops(const tn_op *op);

/* Whether the body runs once, with the operands as its arguments. */
bool kernel_calls(const tn_op *op);

/* Where an element of a result comes from when the op only moves: operand NO_SOURCE when it is made
 * up (padding). */
#define NO_SOURCE UINT32_MAX
typedef struct source {
    uint32_t operand;
    int64_t element;
} source;
/* One for each element of result r, or NULL when the op computes. */
source *kernel_moves(const tn_op *op, uint32_t r, tn_arena *arena);

/* Whether element i of the result is made from elements i of the operands. */
bool kernel_is_elementwise(const tn_op *op);
/* For each element of result 0 in turn, whether it is made from each of operand k, a row of as many
 * as the operand has; NULL where that is not known. */
bool *kernel_needs(const tn_op *op, uint32_t k, tn_arena *arena);
/* Where an element of a value lies among the others: one after the other, or with channels last. */
int64_t kernel_place(const tn_value *v, int64_t element);
/* How many elements a kernel that works in the order makes at once, one behind the other as they
 * lie; 0 where extents are open. */
int64_t kernel_unit(const tn_value *v, tn_work_order order);

#endif
