/* Which elements of an operand an element of a result needs: the facts behind results that begin
 * inside a dying operand (overlap). A row names a rule that works this out axis by axis. What
 * follows from it for bytes, given an order in which a kernel works, is for the planner and the
 * checker to judge, each in its own way. */
#ifndef TENURE_IR_OPS_REACH_H
#define TENURE_IR_OPS_REACH_H

#include "ir/base/limits.h"
#include "ir/module.h"

#define TN_EVERY UINT32_MAX

/* The element of the result at coordinates c reads a box of the operand, or nothing. Along operand
 * axis i the box begins at lowest[i][c[by[i]]], or nothing is read where that is below 0. */
typedef struct tn_reach {
    tn_arena *arena; /* for what the rule makes */
    uint32_t which;  /* position of the operand among those the row names */
    uint32_t result, operand;
    uint32_t rank, in_rank; /* axes of the result and of the operand */
    int64_t extent[TN_MAX_RANK], in[TN_MAX_RANK];
    uint32_t by[TN_MAX_RANK];           /* TN_EVERY: from the first element on, whatever c is */
    const int64_t *lowest[TN_MAX_RANK]; /* NULL: the same coordinate */
    bool flat; /* both are taken as rows of elements in row-major order: an axis each */
} tn_reach;

/* What `result` needs of `operand`. False where the row does not know, or extents or parameters are
 * not known as numbers. Empty results need nothing. */
bool tn_op_reach(const tn_op *op, uint32_t result, uint32_t operand, tn_arena *arena,
                 tn_reach *out);
/* Whether the row names the operand among those it knows that of. */
bool tn_reach_names(const tn_op *op, uint32_t operand);

/* ---- for rules ---- */

/* By coordinate along result axis `axis`, which operand axis i then follows; 0 at first. */
int64_t *tn_reach_table(tn_reach *r, uint32_t i, uint32_t axis);
/* Operand axis i has the coordinate of a result axis of the same extent. */
bool tn_reach_same(tn_reach *r, uint32_t i, uint32_t axis);
/* The first n axes of both have the same extents and coordinates. */
bool tn_reach_same_axes(tn_reach *r, uint32_t n);

#endif
