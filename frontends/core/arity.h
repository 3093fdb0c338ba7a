/* Whether an op has as many operands and results as its row in the op table allows. */
#ifndef TENURE_FRONTENDS_CORE_ARITY_H
#define TENURE_FRONTENDS_CORE_ARITY_H

#include "ir/module.h"

/* Raises after a located error where it has not, all its results being there. The verifier would
 * see it too, but reports mistakes of passes. */
void tn_check_arity(tn_ctx *ctx, const tn_op *op, uint32_t n_operands);

#endif
