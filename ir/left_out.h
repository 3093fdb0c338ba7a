/* Which values have no bytes in a plan, and whether their user can do anything about it. */
#ifndef TENURE_IR_LEFT_OUT_H
#define TENURE_IR_LEFT_OUT_H

#include "ir/module.h"

typedef enum tn_left_out {
    TN_LEFT_NOT,    /* not left out: it has a place */
    TN_LEFT_OPEN,   /* its size follows from what the model leaves open: a dimension with a name, or
                       the shape of an input */
    TN_LEFT_DATA,   /* nothing tells its size before the run: it depends on data, or the type has
                       none (sequences, strings), or one beyond all memories */
    TN_LEFT_UNUSED, /* it needs no bytes: a constant that nothing reads, a branch that never runs,
                       an argument that is not given */
} tn_left_out;

/* What infer-shapes gives as the reason (tn_value.unplanned) for values of branches that a known
 * condition rules out. */
#define TN_NEVER_RUNS "in a branch that never runs: the condition is known"

/* The same for arguments of functions. */
#define TN_NOT_GIVEN "the call leaves this argument out"

/* Whether `v` is an argument of a function for which its call has no operand, or one for which the
 * function around has none. Ops that read it go without that operand. */
bool tn_is_not_given(const tn_value *v);

/* Why infer-shapes found no size for `v` that is a number a plan can hold. */
tn_left_out tn_left_out_of(const tn_module *m, const tn_value *v);

#endif
