/* The tensors of a sequence one by one, as far as the ops that made it tell. */
#ifndef TENURE_IR_INFER_PARTS_H
#define TENURE_IR_INFER_PARTS_H

#include "ir/infer/infer.h"

typedef struct tn_parts {
    uint32_t n;
    const tn_type **types; /* n of them, in scratch */
} tn_parts;

/* The parts of the sequence that is operand k, when their number and the positions of all inserts
 * and erasures are known: found by going back through at most TN_PARTS_OPS ops that make sequences
 * out of sequences, for at most TN_PARTS_MOST tensors. False otherwise. */
enum { TN_PARTS_OPS = 64, TN_PARTS_MOST = 256 };
bool tn_in_parts(tn_infer *in, uint32_t k, tn_parts *out);
/* A position counted from the end when negative, as one in [0, n); false when outside. */
bool tn_parts_at(int64_t position, uint32_t n, uint32_t *at);

#endif
