/* Sequences whose tensors are known one by one. */
#ifndef TENURE_IR_GRADIENT_PLAIN_SEQUENCES_H
#define TENURE_IR_GRADIENT_PLAIN_SEQUENCES_H

#include "ir/gradient/emit_ops.h"

/* Exporters write a Split whose results are read one by one as SplitToSequence and SequenceAt, and
 * lists of tensors as SequenceConstruct. No gradient goes through a sequence: where the position is
 * known, who reads a tensor of one reads a result of a Split, or the tensor itself, from now on.
 * Returns how many are read so. */
uint32_t tn_plain_sequences(tn_emitter *e);

#endif
