/* Private to lib/op_facts*.c. */
#ifndef TENURE_LIB_OP_FACTS_T_H
#define TENURE_LIB_OP_FACTS_T_H

#include "ir/ops/row_expr.h"
#include "ir/plan/json_item.h"
#include "lib/op_facts.h"

typedef struct tn_facts_reading {
    tn_json_reader r;
    tn_op_set *set;
    TN_VEC(tn_op_fact) facts;
    TN_VEC(tn_fusion) fusions;
    TN_VEC(tn_row_const) consts; /* of the file being read */
} tn_facts_reading;

/* Whether an optional key is there. */
bool tn_facts_has(const tn_json_item *at, const char *name);
/* "FILE: error: ops[2].inplace: WHAT" */
TN_NORETURN void tn_facts_refuse(const tn_json_item *at, const char *name, const char *what);
/* Reads the columns of an entry into `f`, whose domain, name and versions are set. `base` is the
 * row of the table, or that of no op. */
void tn_facts_read_columns(tn_facts_reading *r, tn_json_item *at, const tn_op_info *base,
                           tn_op_fact *f);

#endif
