/* Whether the columns of a row fit together: for the table, for kernels' facts, for plug-ins. */
#ifndef TENURE_IR_OPS_ROW_CHECK_H
#define TENURE_IR_OPS_ROW_CHECK_H

#include "ir/module.h"

typedef struct tn_row_fault {
    const char *column; /* "inplace"; NULL: the row is right */
    const char *what;   /* is wrong, in the arena; "'Z' is no result of the op" */
} tn_row_fault;

tn_row_fault tn_row_check(tn_arena *arena, const tn_op_info *info);

#endif
