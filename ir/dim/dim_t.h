/* Private to ir/dim: how expressions are stored.
 *
 * An expression is a node in a table: a constant, a symbol, a division, a minimum or maximum, or a
 * sum. A sum is a polynomial: sorted terms, each a coefficient and a sorted list of atoms. An atom
 * is any node that is neither constant nor sum. A sum of one atom with coefficient 1 is that atom
 * itself, and a sum without atoms is a constant, so equal expressions have equal ids. */
#ifndef TENURE_IR_DIM_DIM_T_H
#define TENURE_IR_DIM_DIM_T_H

#include "ir/dim/dim.h"

typedef enum tn_dim_kind {
    TN_DK_UNKNOWN,
    TN_DK_CONST,
    TN_DK_SYM,
    TN_DK_FLOOR, /* a floordiv b */
    TN_DK_CEIL,  /* a ceildiv b */
    TN_DK_MIN,
    TN_DK_MAX,
    TN_DK_SUM
} tn_dim_kind;

typedef struct tn_dim_term {
    int64_t coef;
    uint32_t n;
    const tn_dim *atoms; /* sorted, repeats allowed */
} tn_dim_term;

typedef struct tn_dim_node {
    tn_dim_kind kind;
    int64_t value;    /* TN_DK_CONST */
    const char *name; /* TN_DK_SYM, interned */
    tn_dim a, b;      /* TN_DK_FLOOR to TN_DK_MAX; TN_DIM_UNKNOWN otherwise */
    uint32_t n;       /* TN_DK_SUM */
    const tn_dim_term *terms;
    uint32_t weight; /* nodes when written out as a tree; shared parts count each time */
} tn_dim_node;

enum { TN_DIM_RECENT = 256 };

struct tn_dims {
    tn_arena *arena;
    TN_VEC(tn_dim_node) nodes;
    tn_map by_hash;       /* content hash -> first id of its chain */
    TN_VEC(tn_dim) chain; /* id -> next id of equal hash, 0 ends */
    tn_dim
        recent[TN_DIM_RECENT]; /* constants, each where its value says: most are asked for often */
    tn_map bound;              /* symbol name id -> bound value */
    tn_map products;           /* two ids -> what tn_dim_mul made of them */
    tn_map at_point;           /* id -> its value at the point of all open symbols */
    TN_VEC(tn_dim_range) ranges;
    tn_map range_named;                /* symbol name id -> index in `ranges` */
    TN_VEC(tn_dim_relation) relations; /* as they were given */
    tn_map related;                    /* symbol name id -> index in `relations` */
    TN_VEC(tn_dim_limit) limits;
    tn_map limit_named; /* id of a symbol's name -> its place in `limits` */
    tn_map limit_of;    /* the same of what it is an extent of */
    tn_map most;        /* id -> what tn_dim_most made of it */
    TN_VEC(tn_dim_asked) asked;
    TN_VEC(tn_dim_assumed) assumed; /* not in copies */
    tn_map assumed_at;              /* mixed extent and number -> 1 */
};

/* Nodes never change, and a table that grows leaves its old copy in the arena: the pointer stays
 * good while other nodes are made. */
static inline const tn_dim_node *tn_dim_at(const tn_dims *d, tn_dim a) {
    return &d->nodes.data[a];
}
/* The id of the node equal to *n, made when there is none. `terms` and what they point to must live
 * in the table's arena. */
tn_dim tn_dim_intern(tn_dims *d, const tn_dim_node *n);

/* ---- dim_sum.c ---- */

/* An order of expressions by what they say and not by when they were made: sums are sorted by it,
 * and with that printed in it. Negative, 0 or positive. */
int tn_dim_order(const tn_dims *d, tn_dim a, tn_dim b);

enum { TN_DIM_MAX_TERMS = 256, TN_DIM_MAX_ATOMS = 16 /* of a term */ };

/* A sum being put together. Too many terms and coefficients out of range make it an overflow, and
 * the expression unknown. */
typedef struct tn_dim_sum {
    uint32_t n;
    bool overflow;
    tn_dim_term terms[TN_DIM_MAX_TERMS];
} tn_dim_sum;

/* Makes *sum empty; the array is left as it is. */
void tn_dim_sum_start(tn_dim_sum *sum);
/* Adds the term at its sorted place. Its atoms are referenced, not copied. */
void tn_dim_sum_add(const tn_dims *d, tn_dim_sum *sum, tn_dim_term term);
tn_dim tn_dim_sum_intern(tn_dims *d, const tn_dim_sum *sum);
/* The terms of any expression; *one holds the term of what is no sum. Returns how many. */
uint32_t tn_dim_terms(tn_dims *d, tn_dim a, tn_dim_term *one, const tn_dim_term **out);

#endif
