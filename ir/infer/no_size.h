/* Why a value has no size, in the words of messages and reports. */
#ifndef TENURE_IR_INFER_NO_SIZE_H
#define TENURE_IR_INFER_NO_SIZE_H

#include "ir/infer/infer.h"

/* What of the type alone is in the way. Interned or constant. */
const char *tn_no_size_of_type(tn_ctx *ctx, const tn_type *t);
/* The same of result i, which has type t now that the rule of its op has run: what the op's
 * operands lack, or the op. In `in->scratch` where it says what --dim could limit. */
const char *tn_no_size_of_result(tn_ctx *ctx, const tn_infer *in, uint32_t i, const tn_type *t);

#endif
