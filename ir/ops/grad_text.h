/* The language of column .grad: what the gradient by each operand of an op is, and with it what the
 * gradient needs of the forward pass: the operands and results that are named, and nothing else.
 *
 *   column  := "0" | "=" expansion | case { ";" case }
 *   case    := operand [versions] { guard } ":" formula
 *   guard   := "{" attribute ( "=" value | ">0" ) "}" | "{" ("?" | "!") name "}"
 *   formula := term { ("+" | "-") term }
 *   term    := factor { ("*" | "/") factor }
 *   factor  := "-" factor | number | name | "(" formula ")"
 *            | Op "(" [ argument { "," argument } ] ")" | "@" rule "(" [ formula { "," formula } ]
 * ")" argument := formula | attribute "=" (number | name)
 *
 * An op with an expansion is replaced by plain ops first (ir/gradient/expand.h).
 * "0" says that nothing flows through the op (through the operand, as the formula of a case): its
 * derivative is 0 almost everywhere. An operand without a case has no known gradient. The first
 * case counts whose versions ("data@7", as in ir/ops/sig.h) and guards hold: an attribute has the
 * value, an operand or a result is there ("?") or left out ("!").
 *
 * Names are those of operands and results; `d` is the gradient of result 0, `ds` says that a rule
 * takes those of all results, `self` the operand the case is for (of several that one name stands
 * for), a name of an attribute its value as a scalar. Op is an op of ai.onnx in the version that
 * the model imports, or com.microsoft's as "com.microsoft.Op". A rule is a function of
 * ir/gradient/grad_rules.def. What a formula gives is summed along the axes that broadcasting has
 * stretched, until it has the operand's shape. */
#ifndef TENURE_IR_OPS_GRAD_TEXT_H
#define TENURE_IR_OPS_GRAD_TEXT_H

#include "ir/module.h"
#include "ir/ops/sig.h"

/* One token: a piece of the table's string. */
typedef enum tn_grad_token_kind {
    TN_GRAD_END,
    TN_GRAD_NUMBER,
    TN_GRAD_NAME, /* dots inside belong to it */
    TN_GRAD_RULE, /* without its "@" */
    TN_GRAD_ARG,  /* "$0": value 0 of those given to whoever evaluates the text */
    TN_GRAD_MARK, /* one character */
} tn_grad_token_kind;
typedef struct tn_grad_token {
    tn_grad_token_kind kind;
    const char *text;
    size_t len;
} tn_grad_token;
/* The next token from *at on, before `end`; *at moves behind it. */
tn_grad_token tn_grad_next_token(const char **at, const char *end);
/* Whether the token is that one character, or that name. */
bool tn_grad_is(const tn_grad_token *t, const char *text);

typedef struct tn_grad_case {
    tn_word operand;
    const char *guards; /* from the first "{" to ":", or that ":" */
    const char *formula, *end;
    bool zero; /* nothing flows */
} tn_grad_case;
/* The next case from *at on that holds in `version`; *at moves behind it. False behind the last. */
bool tn_grad_next_case(const char **at, int64_t version, tn_grad_case *out);

typedef enum tn_grad_flow {
    TN_GRAD_UNKNOWN, /* nobody knows the derivative */
    TN_GRAD_ZERO,    /* it is 0 almost everywhere, or stops here by definition */
    TN_GRAD_GIVEN,   /* by the formula of *out */
} tn_grad_flow;
/* What the row says of operand k of the op, where `straight` with rounding taken as if it did not
 * round. `out` may be NULL. */
tn_grad_flow tn_op_grad(const tn_op *op, uint32_t k, bool straight, tn_grad_case *out);

/* Bits of the operands and results (those behind the 32nd never) that the formula reads; what
 * stands for several has all their bits. */
void tn_grad_needs(const tn_op_info *info, int64_t version, const tn_grad_case *c,
                   uint32_t *operands, uint32_t *results);
/* The same of all cases of the newest version together. */
void tn_grad_all_needs(const tn_op_info *info, uint32_t *operands, uint32_t *results);

#endif
