/* How an op makes a part of its results from parts of its operands: facts for running ops in parts.
 * They say which axis of an operand goes with an axis of the results, and which elements along it
 * an element needs. Which parts are made, and with which pads, is for the planner and the checker
 * to work out, each in its own way. */
#ifndef TENURE_IR_OPS_TILING_H
#define TENURE_IR_OPS_TILING_H

#include "ir/module.h"
#include "ir/ops/reach.h"

/* Along the axis, what element r of a result needs of operand 0. */
typedef enum tn_tile_kind {
    TN_TILE_SAME,   /* element r */
    TN_TILE_WINDOW, /* elements r * stride - pad + j * dilation for j below kernel, those there are
                     */
    TN_TILE_SPREAD, /* all elements i for which i * stride - pad + j * dilation is r, for some j
                       below kernel */
    TN_TILE_SCALED, /* element r / scale, and `reach` neighbours on either side, those there are;
                       what is made of an operand's part has the same elements but for those that
                       have neighbours which the part lacks */
    TN_TILE_PADDED, /* element r - pad, or a constant */
} tn_tile_kind;

/* One axis of the results of one op. */
typedef struct tn_tiling {
    tn_arena *arena; /* for what rules make */
    const tn_op *op;
    uint32_t axis;  /* of every result */
    int64_t extent; /* of that axis */
    tn_tile_kind kind;
    uint32_t *by; /* by operand, the axis that goes with it; TN_EVERY: a part needs all of the
                     operand. Operands behind the first are read element r for element r */
    int64_t in;   /* extent of that axis of operand 0 */
    int64_t kernel, stride, dilation, pad;
    int64_t scale, reach;
    uint32_t sizes; /* position of an operand whose elements state extents of the result, which
                       for a part are others; TN_EVERY: none does */
} tn_tiling;

/* False where the row does not know, where extents are no numbers, or where the op cannot work in
 * parts along the axis. `arena` is for what the tiling holds. */
bool tn_op_tiling(const tn_op *op, uint32_t axis, tn_arena *arena, tn_tiling *out);

/* What Pad adds: n numbers before and n behind, at most TN_MAX_RANK. False where they are not
 * known.
 */
bool tn_tile_pads(const tn_op *op, uint32_t *n, int64_t *pads);

/* ---- for rules ---- */

/* Operand k, if it is there, follows axis `at` of its own; false where that has another extent. */
bool tn_tile_by(tn_tiling *t, uint32_t k, uint32_t at);

#endif
