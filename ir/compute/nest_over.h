/* Nests over rows: axes of operand 0 that belong together, gone through behind the others. */
#ifndef TENURE_IR_COMPUTE_NEST_OVER_H
#define TENURE_IR_COMPUTE_NEST_OVER_H

#include "ir/compute/nest_rules.h"

typedef struct tn_rows {
    /* given: axes, which may be parts of those of the operand, and which of them, as bits, make a
     * row */
    uint32_t rank, within;
    int64_t dims[TN_NEST_AXES], steps[TN_NEST_AXES];
    /* found */
    tn_nest *n;
    uint32_t depth;              /* the nest's axes before those of a row */
    uint32_t axis[TN_NEST_AXES]; /* where the nest has each axis */
    int64_t count;               /* elements of a row */
    tn_affine row, element;      /* where a row begins; where the element of the result lies */
    tn_affine place;             /* which element of the row a stage is at, or the result's */
} tn_rows;

/* The axes of operand 0, rows being those of `within`. */
void tn_rows_of(const tn_compute *c, tn_rows *r, uint32_t within);
/* The nest of a result: `each`, which has the operand's axes; else an element a row. False where it
 * has too many axes with so many stages. */
bool tn_rows_begin(tn_compute *c, tn_rows *r, uint32_t result, uint32_t stages, bool each);
/* A stage over a row, whose body is the operand's element, at `at` if that is not NULL. */
tn_nest_stage *tn_rows_stage(tn_compute *c, tn_rows *r, tn_combine combine, tn_affine *at);
/* The element in whose place the result is. */
tn_calc *tn_rows_element(tn_compute *c, const tn_rows *r);

/* A stage's sum by the elements of a row. */
tn_calc *tn_rows_mean(tn_compute *c, const tn_rows *r, uint32_t stage);
/* Root of what a stage leaves by the elements of a row, and of `epsilon`. */
tn_calc *tn_rows_deviation(tn_compute *c, const tn_rows *r, uint32_t stage, double epsilon);
/* The axes of attribute or operand `axes`, as bits; false where nobody knows them before the run.
 */
bool tn_rows_axes(const tn_compute *c, uint32_t *within);

#endif
