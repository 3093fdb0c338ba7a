/* Results written over operands: those nobody reads any more, op by op in the order at hand, and
 * those the op's definition writes over. */
#ifndef TENURE_PASSES_ALIAS_INPLACE_H
#define TENURE_PASSES_ALIAS_INPLACE_H

#include "passes/core/pass.h"

typedef struct tn_inplace_counts {
    uint64_t inplace, updates, carried;
} tn_inplace_counts;

/* Takes back all sharing of gradients, and adds an alias for each result that may take an operand,
 * and, but `again`, for what bodies pass on (passes/alias/carry.h);
 * refusals are told as those of the pass at hand. `all`: also on the conditions "rows" and
 * "update". `again`: after others have taken aliases away; only what is possible now is of
 * interest, nothing is refused, and what was refused before and is granted now is no refusal any
 * more. */
tn_inplace_counts tn_place_results(tn_pass_ctx *c, bool all, bool again);

/* Adds an alias for each result that is its operand by the op's definition, which is no choice; an
 * input or constant written over becomes state. Where somebody still needs what the operand held,
 * or the operand is not the op's to write, result and operand keep bytes of their own, and whoever
 * runs the op is warned: its kernel has to copy. The answer is how many were added. */
uint64_t tn_place_demanded(tn_pass_ctx *c);

#endif
