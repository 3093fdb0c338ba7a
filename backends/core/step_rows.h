/* What steps are given and have to keep, as rows of tables in C: attributes and their values,
 * claims, moves. Each function writes the rows of all steps in their order and returns how many;
 * the head of the table is the backend's, and so is what stands in an empty one. */
#ifndef TENURE_BACKENDS_CORE_STEP_ROWS_H
#define TENURE_BACKENDS_CORE_STEP_ROWS_H

#include "ir/base/sink.h"
#include "ir/plan/plan.h"

typedef struct tn_step_rows {
    const tn_plan *p;
    tn_sink *out;
    const uint32_t *rows; /* by plan value: the number that stands for it, or TN_NO_ID; NULL: every
                             value stands as its own */
    const char *absent, *unplaced; /* what stands for no value, and for one without a number */
} tn_step_rows;

/* Which table holds the values of an attribute. OMITTED: tensors, types, and texts longer than C
 * compilers must take. */
typedef enum tn_attr_table {
    TN_ATTRS_INTS,
    TN_ATTRS_FLOATS,
    TN_ATTRS_STRINGS,
    TN_ATTRS_OMITTED,
} tn_attr_table;

/* " 12," */
void tn_put_value_row(const tn_step_rows *r, uint32_t value);
/* {"name", table, {at, count}}, */
uint32_t tn_put_attr_rows(const tn_step_rows *r);
/* Any but OMITTED. */
uint32_t tn_put_attr_values(const tn_step_rows *r, tn_attr_table table);
/* {result, operand, promise}, as the enumerations count. */
uint32_t tn_put_claim_rows(const tn_step_rows *r);
/* {when, what, body, from, to, axis, reverse}, */
uint32_t tn_put_move_rows(const tn_step_rows *r);

#endif
