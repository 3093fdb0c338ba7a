/* Private to ir/dim*.c: a look inside an expression, for printing. */
#ifndef TENURE_IR_DIM_DIM_T_H
#define TENURE_IR_DIM_DIM_T_H

#include "ir/dim/dim.h"

typedef enum tn_dim_view_kind {
    TN_DV_UNKNOWN,
    TN_DV_CONST,
    TN_DV_SYM,
    TN_DV_FLOOR,
    TN_DV_CEIL,
    TN_DV_MIN,
    TN_DV_MAX,
    TN_DV_SUM
} tn_dim_view_kind;

typedef struct tn_dim_view {
    tn_dim_view_kind kind;
    int64_t value;
    const char *name;
    tn_dim a, b;
    uint32_t n_terms; /* TN_DV_SUM */
} tn_dim_view;

tn_dim_view tn_dim_view_node(const tn_dims *d, tn_dim a);
/* Term i of a sum: its coefficient, and its atoms (sorted, repeats allowed). */
int64_t tn_dim_view_term(const tn_dims *d, tn_dim a, uint32_t i, uint32_t *n, const tn_dim **atoms);
tn_arena *tn_dims_arena(const tn_dims *d);

#endif
