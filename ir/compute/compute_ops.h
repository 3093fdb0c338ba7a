/* What ops of a module compute: one alone, or a few as one. */
#ifndef TENURE_IR_COMPUTE_COMPUTE_OPS_H
#define TENURE_IR_COMPUTE_COMPUTE_OPS_H

#include "ir/compute/compute.h"
#include "ir/module.h"

/* The nests of one op. False where the row does not say what it computes, or types and extents are
 * not known. Memory is `arena`. */
bool tn_compute_of_op(const tn_module *m, const tn_op *op, tn_arena *arena, tn_compute *c);

/* The one nest of n ops, in the order of their graph, of which all but the last feed others of them
 * alone: its result is that of the last op, its operands the values that are loaded (`values`, as
 * many as c->n_operands, none twice). False where there is none that computes hardly more than the
 * ops apart. The ops may be parts of a fused one. */
bool tn_compute_of_ops(const tn_module *m, const tn_op *const *ops, uint32_t n, tn_arena *arena,
                       tn_compute *c, tn_value ***values);

#endif
