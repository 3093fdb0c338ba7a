/* Formulas of ops that are not tenure's: of kernels' facts, of plug-ins. What is wrong with one is
 * said before any model is there. */
#ifndef TENURE_IR_COMPUTE_FORMULA_H
#define TENURE_IR_COMPUTE_FORMULA_H

#include "ir/compute/compute.h"

typedef struct tn_formula_error {
    const char *at;   /* in the formula */
    const char *what; /* NULL: there is none */
} tn_formula_error;

/* As tn_compute_formula, and says what is wrong. */
tn_calc *tn_formula_read(const tn_compute *c, const tn_nest *n, const char *text,
                         tn_formula_error *error);
/* Whether formulas may call it: not what only rules of indices know how to use. */
bool tn_formula_has(tn_calc_op op);
/* Messages that say what there is. */
const char *tn_formula_no_function(tn_arena *arena, const char *name);
const char *tn_formula_no_name(tn_arena *arena, const tn_op_info *info, const char *name);

/* What a row says with its formula, which is not NULL, for ops of any of its versions. */
typedef struct tn_formula_says {
    const char *fault; /* NULL: it is one; else the rest is not set */
    bool all;          /* it names all operands */
    bool truth;        /* results are truths */
    int32_t like;      /* else they have the element type of this operand; -1: not known */
} tn_formula_says;

tn_formula_says tn_formula_look(tn_arena *arena, const tn_op_info *info);
/* The columns of the row that follow: what it computes, that it is element-wise and, where nothing
 * gives the types of results and all operands are named, these. */
void tn_formula_settle(tn_arena *arena, const tn_formula_says *says, tn_op_info *row);

#endif
