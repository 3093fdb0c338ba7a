/* The tensors of a sequence one by one, as far as the ops that made it say. */
#ifndef TENURE_IR_INFER_MEMBERS_H
#define TENURE_IR_INFER_MEMBERS_H

#include "ir/infer/infer.h"

/* A sequence is followed back through at most so many ops that make sequences out of sequences, and
 * may have so many members. */
enum { TN_MEMBERS_OPS = 64, TN_MEMBERS_MOST = 256 };

typedef struct tn_members {
    tn_infer *in; /* `in->op` is the op whose rule (.members of its row) is at work */
    uint32_t n;
    const tn_type *types[TN_MEMBERS_MOST];
} tn_members;

/* The members of the sequence that is operand k, in scratch; NULL when their number or the position
 * of an insert or an erasure is not known. */
const tn_members *tn_in_members(tn_infer *in, uint32_t k);

/* ---- for rules, which answer false where something is not known ---- */

bool tn_members_add(tn_members *m, const tn_type *type);
/* A position counted from the end when negative, as one in [0, n); false when outside. */
bool tn_member_at(int64_t position, uint32_t n, uint32_t *at);

#endif
