/* What ops of a module compute: one alone, or a few as one. */
#ifndef TENURE_IR_COMPUTE_COMPUTE_OPS_H
#define TENURE_IR_COMPUTE_COMPUTE_OPS_H

#include "ir/compute/compute.h"
#include "ir/module.h"

/* The nests of one op. False where the row does not say what it computes, or types and extents are
 * not known. Memory is `arena`. */
bool tn_compute_of_op(const tn_module *m, const tn_op *op, tn_arena *arena, tn_compute *c);

/* What n ops compute, of which all but the last feed others of them alone: the result is that of
 * the last op, operands are the values that are loaded (`values`, none twice). The ops may be parts
 * of a fused one.
 *
 * One nest (of[i] is 0 of all): ops stand in the order of their graph, and `values` are as many as
 * c->n_operands. Several: op i is of nest of[i], ops stand in the order of these, and the nests are
 * done by rows (c->rows, by_rows.h; values are c->rows->n_values). NULL for `of`: as the fused op
 * has them.
 *
 * False where there are none, or these would compute much more than the ops apart. */
bool tn_compute_of_ops(const tn_module *m, const tn_op *const *ops, uint32_t n, const uint32_t *of,
                       tn_arena *arena, tn_compute *c, tn_value ***values);

#endif
