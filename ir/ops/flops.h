/* How many operations an op needs: a model that says which of two programs computes more, not how
 * long either takes. Products count one multiplication and one addition for each pair of elements
 * that meet, all else two operations for each element written (column `.flops` of the op table). */
#ifndef TENURE_IR_OPS_FLOPS_H
#define TENURE_IR_OPS_FLOPS_H

#include "ir/module.h"

/* Of the op itself, without nested graphs; what has open extents counts with those of the point the
 * plan is made for, and nothing where that is not known either. */
double tn_op_flops(const tn_op *op);
/* Of all ops of the graph, without clones; nested graphs count once. */
double tn_graph_flops(const tn_graph *g);
/* As a whole number of at most 2^53, which every reader of JSON can hold. */
uint64_t tn_flops_count(double flops);

#endif
