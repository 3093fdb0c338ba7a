/* Which part of a larger tensor another one is: the facts behind views of kinds PART, PARTS,
 * GATHERED and PERMUTED (ir/ops/ops.h). A row names a rule that works the part out; whether the
 * part is one run of bytes, and may be used as such, is for the planner and the checker to judge,
 * each in its own way. */
#ifndef TENURE_IR_OPS_PART_H
#define TENURE_IR_OPS_PART_H

#include "ir/base/limits.h"
#include "ir/module.h"

/* A box of elements in another: extents and where it starts, by axis of the whole. */
typedef struct tn_part {
    uint32_t rank;
    int64_t whole[TN_MAX_RANK], extent[TN_MAX_RANK], start[TN_MAX_RANK];
} tn_part;

/* The part that the row's rule finds: result i (PART, PARTS, PERMUTED) in the operand the row
 * names, or operand i in result 0 (GATHERED). False where the row has no rule, where extents or
 * indices are not known as numbers, where the elements are no box in the same order, or lie
 * outside. */
bool tn_op_part(const tn_op *op, uint32_t i, tn_part *out);
/* Whether the part shares no byte with elements of the whole behind it, whose type has `bits` bits.
 * Of smaller elements than a byte it would: what is written there next would not leave it alone. */
bool tn_part_has_own_bytes(const tn_part *p, int64_t bits);

/* One of the pieces that are joined to a whole, or that a whole is cut into, along one axis; other
 * axes are spanned. Extents may be expressions. */
typedef struct tn_piece {
    const tn_value *whole, *piece;
    uint32_t axis;
    tn_dim offset; /* bytes of one row of `axis` before the piece; those from the start of the whole
                      where no axis before `axis` is longer than 1 */
} tn_piece;

/* Piece i of an op whose row has .pieces: operand i of what it joins, result i of what it cuts.
 * False where extents are not known, do not fit for all that symbols may stand for, or elements
 * are smaller than a byte. */
bool tn_op_piece(const tn_op *op, uint32_t i, tn_piece *out);
/* How many pieces there are to ask for. */
uint32_t tn_op_pieces(const tn_op *op);

/* ---- for rules ---- */

/* Starts a part as the whole of `whole`; false when an extent is no number. */
bool tn_part_begin(tn_part *p, const tn_value *whole);
/* Extents of the part as those of `v`, which has to be of the whole's rank. */
bool tn_part_take(tn_part *p, const tn_value *v);
/* At most TN_MAX_RANK known integers: those of attribute `attr`, or else of operand k. */
bool tn_part_ints(const tn_op *op, const char *attr, uint32_t k, uint32_t *n, int64_t *out);
/* The axes that n numbers are about: attribute `axes`, or operand k, or else the first n axes. */
bool tn_part_axes(const tn_op *op, uint32_t k, uint32_t rank, uint32_t n, int64_t *out);
/* Attribute `axis`, counted from the end when negative; false when it is outside. */
bool tn_part_axis(const tn_op *op, int64_t fallback, uint32_t rank, uint32_t *out);

#endif
