/* Private to ir/ops/row_expr*.c: what an expression is. */
#ifndef TENURE_IR_OPS_ROW_EXPR_T_H
#define TENURE_IR_OPS_ROW_EXPR_T_H

#include "ir/ops/row_expr.h"
#include "ir/ops/sig.h"

typedef enum tn_expr_kind {
    E_INT,
    E_HAS,    /* whether the operand is there */
    E_CONST,  /* whether it is data of the model */
    E_EXTENT, /* along axis i */
    E_RANK,
    E_ELEMENTS,
    E_BYTES,
    E_WIDTH,   /* bytes of an element */
    E_ELEMENT, /* element i, where known */
    E_ATTR,
    E_ATTR_AT, /* item i of a list */
    E_ADD,
    E_SUB,
    E_MUL,
    E_DIV,
    E_MOD,
    E_CEIL,
    E_MIN,
    E_MAX,
    E_UP, /* a rounded up to a multiple of b */
    E_LESS,
    E_EQUAL,
    E_NOT,
    E_AND,
    E_OR,
    E_IF,
} tn_expr_kind;

struct tn_row_expr {
    tn_expr_kind kind;
    bool of_result;
    tn_word port; /* of E_HAS to E_ELEMENT */
    const char *attr;
    int64_t i;
    const tn_row_expr *a, *b, *c;
};

#endif
