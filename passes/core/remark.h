/* Remarks: what passes tell about reuse that did not come about. A pass that refuses calls
 * tn_refuse (passes/core/pass.h), which counts by reason and, when somebody listens, keeps a
 * record. Reuse that did come about needs none: the plan says it. */
#ifndef TENURE_PASSES_CORE_REMARK_H
#define TENURE_PASSES_CORE_REMARK_H

#include "ir/base/sink.h"
#include "ir/module.h"

typedef enum tn_reason {
    TN_REASON_NONE, /* nothing against it */
#define REASON(id, name, text) TN_REASON_##id,
#include "passes/core/remark.def"
#undef REASON
    TN_REASON_COUNT
} tn_reason;

/* A reason in a set of them (tn_pass_info.refusals). */
#define TN_REASON_BIT(id) (1u << TN_REASON_##id)

/* One word, and a phrase that may stand behind "refused: ". */
const char *tn_reason_name(tn_reason reason);
const char *tn_reason_text(tn_reason reason);

/* `value` did not get the bytes of `of`. */
typedef struct tn_refusal {
    const tn_op *op; /* where it would have happened */
    const tn_value *value, *of;
    tn_alias_kind kind;
    tn_reason reason;
    /* Who stands in the way, where that is somebody in particular: a value of the same bytes or
     * another operand; the op that reads it; the step at which it does. */
    const tn_value *witness; /* NULL: nobody */
    const tn_op *by;         /* NULL: nobody, or who comes after the run */
    int32_t step;            /* of `by`; meaningless without it */
} tn_refusal;

/* Records in the order they were made. They point into the module and last as long as both it and
 * `arena`. */
typedef struct tn_refusals {
    tn_arena *arena;
    TN_VEC(tn_refusal) list;
} tn_refusals;

/* "y" is not written over "x": those bytes are read later: "x" at step 7 (Add 'sum') */
void tn_refusal_print(const tn_refusal *r, tn_sink *out);
/* The part of it behind the first colon. */
void tn_refusal_print_why(const tn_refusal *r, tn_sink *out);

#endif
