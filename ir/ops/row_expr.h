/* Numbers that a row states as expressions over the extents of operands and results and over
 * attributes: bytes of workspace, extents of results. docs/FACTS.md has the grammar. */
#ifndef TENURE_IR_OPS_ROW_EXPR_H
#define TENURE_IR_OPS_ROW_EXPR_H

#include "ir/module.h"

typedef struct tn_row_expr tn_row_expr;

/* A constant of the target that expressions may name, "target.NAME". */
typedef struct tn_row_const {
    const char *name;
    int64_t value;
} tn_row_const;

/* What names in an expression may refer to. */
typedef struct tn_row_names {
    const tn_op_info *info; /* its operands, results and attributes */
    bool results;           /* whether results may be named */
    const tn_row_const *consts;
    uint32_t n_consts;
} tn_row_names;

/* Reads an expression; NULL when it is none: *at is then the byte of `text` where it goes wrong,
 * and *want says what is wrong, in `arena`. */
const tn_row_expr *tn_row_expr_parse(tn_arena *arena, const char *text, const tn_row_names *names,
                                     size_t *at, const char **want);
/* The value for one op; TN_DIM_UNKNOWN where something it is made of is not known, or is divided by
 * zero. Properties of operands left out are 0. */
tn_dim tn_row_expr_eval(const tn_row_expr *e, const tn_op *op);
/* Why it has no value for the op, whatever open extents and data will be: an index outside of a
 * list, a division by 0, a number too large. NULL where it has one, or may have. */
const char *tn_row_expr_fault(tn_arena *arena, const tn_row_expr *e, const tn_op *op);

/* ---- what rows hold ---- */

/* Bytes that a kernel of the op needs beside its operands and results; one of several ways to do
 * the same. */
struct tn_row_bytes {
    const char *name; /* of the way, "" for none */
    const tn_row_expr *bytes;
    const tn_row_expr *when; /* this way is there where it is not 0; NULL: always */
    int64_t cost;            /* ways of less cost are better */
};

/* The ways, best first; where none is there the kernel needs nothing. */
struct tn_row_memory {
    const struct tn_row_bytes *ways;
    uint32_t n;
};

/* The type of one result. */
struct tn_row_type {
    const char *result;             /* as .sig has it */
    const char *like;               /* operand whose element type, and extents where `dims` is
                                       NULL, it has; NULL: none */
    const char *elem_attr;          /* attribute that names the element type; NULL: none */
    tn_dtype elem;                  /* where stated */
    const tn_row_expr *const *dims; /* NULL: those of `like` */
    uint32_t rank;
    bool joint; /* extents of all operands, broadcast against each other; the element type is what
                   the model states, before `like` or `elem` */
};

struct tn_row_types {
    const struct tn_row_type *of;
    uint32_t n;
};

/* The shape rule of rows with .types. */
void tn_shape_stated(struct tn_infer *in);

/* Bytes of way `i` of a column for one op, as far as they are a number: false where `when` says no,
 * or where a number is not known (*known tells the two apart). */
bool tn_row_way(const struct tn_row_memory *memory, uint32_t i, const tn_op *op, int64_t *bytes,
                bool *known);
/* Whether a way of that name needs so many bytes for the op. */
bool tn_row_has_way(const struct tn_row_memory *memory, const tn_op *op, const char *name,
                    uint64_t bytes);

#endif
