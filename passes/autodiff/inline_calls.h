/* Calls of model-local functions replaced by the ops of their bodies, so that these can be
 * differentiated. */
#ifndef TENURE_PASSES_AUTODIFF_INLINE_CALLS_H
#define TENURE_PASSES_AUTODIFF_INLINE_CALLS_H

#include "ir/gradient/emit_ops.h"

/* Replaces every call in the main graph whose op has no gradient of its own, and those in what
 * comes out of it. Results keep the names they had. *n counts them. An op whose function imports
 * another version of it than the model is a located error. */
TN_MUST_USE tn_status tn_inline_calls(tn_emitter *e, uint64_t *n);

#endif
