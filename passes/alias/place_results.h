/* Results written over operands: those nobody reads any more, op by op in the order at hand, and
 * those the op's definition writes over. */
#ifndef TENURE_PASSES_ALIAS_PLACE_RESULTS_H
#define TENURE_PASSES_ALIAS_PLACE_RESULTS_H

#include "passes/core/pass.h"

typedef struct tn_inplace_counts {
    uint64_t inplace, updates, bodies;
} tn_inplace_counts;

/* Takes back all sharing of gradients, and adds an alias for each result that may take an operand
 * and for what bodies pass on (passes/alias/bodies.h). What may not is refused (tn_refuse). */
tn_inplace_counts tn_place_results(tn_pass_ctx *c, tn_inplace_kinds kinds);

/* Adds an alias for each result that is its operand by the op's definition, which is no choice; an
 * input or constant written over becomes state. Where somebody still needs what the operand held,
 * or the operand is not the op's to write, result and operand keep bytes of their own, and whoever
 * runs the op is warned: its kernel has to copy. The answer is how many were added. */
uint64_t tn_place_demanded(tn_pass_ctx *c);

#endif
