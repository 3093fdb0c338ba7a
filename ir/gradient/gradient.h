/* The gradient of one operand of one op, as its row of the op table gives it (.grad,
 * ir/ops/grad_text.h). */
#ifndef TENURE_IR_GRADIENT_GRADIENT_H
#define TENURE_IR_GRADIENT_GRADIENT_H

#include "ir/gradient/emit_ops.h"
#include "ir/ops/grad_text.h"

/* What is asked for. */
typedef struct tn_grad {
    tn_emitter *e;
    tn_op *op;               /* of the forward part */
    uint32_t operand;        /* the gradient by this one is wanted */
    tn_value *x;             /* that operand */
    tn_value *d;             /* gradient of result 0, or NULL: it is 0 */
    tn_value *const *ds;     /* gradient of each result, or NULL */
    const char *indices;     /* option of the pass: "auto", "keep", "recompute" (rule max_pool) */
    bool keeps_least;        /* what is made of the forward part alone may be kept in its place */
    const tn_grad_case *row; /* what the row says */
} tn_grad;

/* The gradient by g->operand, in the operand's shape. What g->row reads of the op is all that it
 * reads. Errors are located and raised (tn_fail). */
tn_value *tn_grad_make(tn_grad *g);

/* A rule of ir/gradient/grad_rules.def: is given the values of the formulas in its brackets (NULL
 * for an operand that is left out) and may read the attributes of g->op, the types of all its
 * operands and results, and what is known of their elements; no other operand or result may become
 * an operand of what it makes, but for their shapes. Returns the gradient; NULL: it is 0. */
typedef tn_value *(*tn_grad_rule)(tn_grad *g, tn_value *const *args, uint32_t n);
/* NULL where there is none of that name. */
tn_grad_rule tn_grad_rule_find(const char *name, size_t len);

/* The value of a formula, for rules: $0, $1, ... are the values given, `d` is g->d, and constants
 * have the element type of `d`. */
tn_value *tn_grad_eval(tn_grad *g, const char *formula, ...);

/* Result r of g->op; one that it leaves out becomes a result of that element type and of the shape
 * of `like`. */
tn_value *tn_grad_result(tn_grad *g, uint32_t r, tn_dtype dtype, const tn_value *like);

/* An attribute of g->op, or the default of its version; the fallback where there is neither. */
int64_t tn_grad_int(const tn_grad *g, const char *name, int64_t fallback);
double tn_grad_float(const tn_grad *g, const char *name, double fallback);
const char *tn_grad_text(const tn_grad *g, const char *name, const char *fallback);
const int64_t *tn_grad_ints(const tn_grad *g, const char *name, uint32_t *n);
/* Operand k of g->op as known whole elements, or the attribute of that name where the version has
 * no such operand; NULL where neither is given. An operand whose elements are not known before the
 * run is an error. */
const int64_t *tn_grad_param(const tn_grad *g, uint32_t k, const char *attr, uint32_t *n);
/* Axes counted from the front, ascending. */
const int64_t *tn_grad_axes(const tn_grad *g, const int64_t *axes, uint32_t n, uint32_t rank);
/* A located error: "the gradient of Conv by 'W' cannot be made: " and the text. */
TN_NORETURN void tn_grad_fail(const tn_grad *g, const char *fmt, ...) TN_PRINTF(2, 3);

#define GRAD_RULE(name) tn_value *tn_grad_##name(tn_grad *g, tn_value *const *args, uint32_t n);
#include "ir/gradient/grad_rules.def"
#undef GRAD_RULE

#endif
