/* States that a loop hands on as they are, from round to round: what exporters make of weights and
 * lengths that a body reads. Such an argument has the bytes of the operand all the time, and so has
 * the result: neither needs bytes of its own. */
#ifndef TENURE_PASSES_ALIAS_HANDED_ON_H
#define TENURE_PASSES_ALIAS_HANDED_ON_H

#include "ir/module.h"

/* The state of a loop, in all its forms; `result` may be NULL. */
typedef struct tn_loop_state {
    tn_value *operand, *argument, *output, *result;
} tn_loop_state;

/* How many states a loop has whose forms, as operand, argument, output and result, may be one; 0
 * where the body does not fit its op, or it is no loop. */
uint32_t tn_n_loop_states(const tn_op *op);
tn_loop_state tn_loop_state_get(const tn_op *op, uint32_t k);

/* The value that `v` is, byte by byte, whatever data there are: the operand of an op that only
 * looks at its bytes, of a loop that hands it on. NULL where there is none. */
tn_value *tn_same_data(const tn_value *v);
/* Whether the output of the body is the argument, through tn_same_data alone. */
bool tn_is_handed_on(const tn_op *op, uint32_t k);
/* One step on the way of data that stay as they are: as tn_same_data, but from the result of a loop
 * to the argument of its body, and from there to the operand. NULL where `v` is none of these. */
tn_value *tn_handed_from(const tn_value *v);

#endif
