/* Values of bodies in the bytes of operands and results of their ops: the output of a branch, or of
 * a called function, where the result of its op lies; and the state of a loop, which is an operand,
 * then an argument and an output of the body in turn, and a result in the end, in one place all the
 * time. Nothing is asked of kernels: what runs the bodies has less to copy. */
#ifndef TENURE_PASSES_ALIAS_BODIES_H
#define TENURE_PASSES_ALIAS_BODIES_H

#include "passes/alias/alias_set.h"
#include "passes/core/pass.h"

/* Before in-place decisions about ops: all loops, the outer ones first. The answer is the number of
 * values that got a place. */
uint32_t tn_join_loop_states(tn_pass_ctx *c, tn_alias_set *set, tn_inplace_kinds kinds);
/* Whether `v` is what an argument of a loop's body will be in the next round. */
bool tn_is_next_state(const tn_value *v, const tn_value *argument);
/* After them: outputs of branches and of called functions. */
uint32_t tn_join_body_outputs(tn_pass_ctx *c, tn_alias_set *set);

#endif
