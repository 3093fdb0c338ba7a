/* Expressions as a list of operations, each on numbers that stand before it, for artefacts that
 * work them out by themselves. What several expressions have in common is there once. */
#ifndef TENURE_IR_DIM_DIM_CODE_H
#define TENURE_IR_DIM_DIM_CODE_H

#include "ir/dim/dim.h"

typedef enum tn_dim_act {
    TN_DIM_ACT_SYMBOL, /* the value of `name` */
    TN_DIM_ACT_CONST,  /* `value` */
    TN_DIM_ACT_ADD,
    TN_DIM_ACT_MUL,
    TN_DIM_ACT_FLOOR, /* a floordiv b */
    TN_DIM_ACT_CEIL,  /* a ceildiv b */
    TN_DIM_ACT_MIN,
    TN_DIM_ACT_MAX,
} tn_dim_act;

typedef struct tn_dim_op {
    tn_dim_act act;
    uint32_t a, b;    /* earlier positions in the list */
    int64_t value;    /* of CONST */
    const char *name; /* of SYMBOL, interned */
} tn_dim_op;

typedef struct tn_dim_code {
    tn_arena *arena;
    TN_VEC(tn_dim_op) ops;
    tn_map exprs, consts, made; /* expression, number, operation -> position in the list */
} tn_dim_code;

/* An empty list for expressions of one table. */
tn_dim_code tn_dim_code_make(tn_arena *arena);
/* The position of the operation that gives `a`, which is not TN_DIM_UNKNOWN. */
uint32_t tn_dim_code_add(tn_dim_code *c, const tn_dims *d, tn_dim a);

#endif
