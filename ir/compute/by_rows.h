/* Nests of which each makes what those behind it load, done a few rows at a time: what one hands to
 * another is then a workspace of a block of rows, no tensor.
 *
 * A row is an index of some outer axes of the last nest. It may be one where a row of the result
 * needs of whatever the nests make for one another the same row alone, such as a query of attention
 * (its scores, its weights), a token of a feed-forward network, a channel of a pooled convolution.
 * Rows need not be neighbours in memory. A nest cut to a block is an ordinary nest of smaller
 * extents, whose operands begin where the block does; sums keep their order, so results are those
 * of the nests done whole, bit for bit. */
#ifndef TENURE_IR_COMPUTE_BY_ROWS_H
#define TENURE_IR_COMPUTE_BY_ROWS_H

#include "ir/compute/nest_fuse.h"

enum { TN_ROWS_NESTS = 16, TN_ROWS_LOOPS = 4, TN_ROWS_OPERANDS = 64, TN_ROWS_ALIGN = 64 };

/* What loads of the cut nests count. */
typedef struct tn_rows_operand {
    uint32_t value; /* what loads counted before; of c->rows, number in `values` */
    bool made;      /* by nest `nest`: it lies in the workspace */
    uint32_t nest;
    uint64_t offset; /* there, in bytes */
    int64_t
        move[TN_ROWS_LOOPS]; /* elements by which it begins later for one index more of a loop */
} tn_rows_operand;

/* Loops around the nests, outermost first. All go by one index at a time, but for the last, which
 * goes by `block`; its last block begins earlier where these do not divide the extent, and makes
 * some rows once more. */
typedef struct tn_by_rows {
    uint32_t n_loops;
    int64_t extent[TN_ROWS_LOOPS];
    int64_t block, total;        /* rows of the last loop at a time; rows of all loops together */
    int64_t move[TN_ROWS_LOOPS]; /* of the result */
    tn_rows_operand operand[TN_ROWS_OPERANDS];
    uint32_t n_operands, n_values;
    uint64_t offset[TN_ROWS_NESTS]; /* in the workspace, of what a nest makes; the last one's is the
                                       result */
    uint64_t workspace;             /* bytes */
    uint64_t spared;                /* bytes of the tensors that need not exist */
} tn_by_rows;

/* Cuts n nests, in an order in which they can be done; nest i makes value `made[i]`, which later
 * ones load. `facts` say the values' types. False where there are no rows, or one block has them
 * all; the nests are then of no use. Loads count `rows->operand`, the result of nest i is number
 * n - 1 - i. */
bool tn_nests_by_rows(tn_nest *nests, uint32_t n, const uint32_t *made,
                      const tn_compute_value *facts, tn_by_rows *rows);

/* Of ops that are one nest, or several done by rows: whether the result, of the same shape and type
 * as the value, may lie over it. By rows, where each block reads its own rows alone, before it
 * writes these. */
tn_nest_over tn_compute_may_lie_over(const tn_compute *c, uint32_t value);

#endif
