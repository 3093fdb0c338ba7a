/* Losses over many classes, by parts of their rows. */
#ifndef TENURE_IR_GRADIENT_LOSS_PARTS_H
#define TENURE_IR_GRADIENT_LOSS_PARTS_H

#include "ir/gradient/emit_ops.h"

typedef struct tn_loss_parts {
    uint32_t n;          /* of all such losses together */
    uint32_t first, end; /* ids of the ops that were made: end is behind the last */
} tn_loss_parts;

/* Each row of scores is a product of its own, and so are its loss and what flows back from it.
 * Where scores over classes are among the largest results of the module (at least half of the
 * largest), a SoftmaxCrossEntropyLoss over them in the main graph that gives one number becomes the
 * sum of those of up to eight parts of the rows, each with its own part of the product (MatMul or
 * Gemm) behind which nothing but views and ops on single elements stand, of which nobody else
 * reads. Scores and their gradients are then alive one part at a time, if what follows from a
 * part's scores comes before the next part: tn_put_late does that.
 *
 * Outputs on the way are the parts joined again. *loss is replaced if it was such a loss. Scores of
 * extents that are no numbers stay whole. */
tn_loss_parts tn_loss_by_parts(tn_emitter *e, tn_value **loss);

#endif
