/* The attributes that a row declares (.attrs, ir/ops/sig.h), read one by one:
 *
 *     const char *at = op->info->attrs;
 *     for (tn_attr_spec s; tn_attr_spec_next(&at, op->version, &s);) { ... }
 */
#ifndef TENURE_IR_OPS_ATTR_SPEC_H
#define TENURE_IR_OPS_ATTR_SPEC_H

#include "ir/module.h"
#include "ir/ops/sig.h"

typedef struct tn_attr_spec {
    const char *name; /* with `text`, part of the table's string: `len` bytes, no NUL behind them */
    size_t len;
    tn_attr_kind kind; /* TN_ATTR_TENSOR for sparse tensors too */
    bool required;
    const char *text; /* the default as it is written, or NULL: none */
    size_t text_len;
} tn_attr_spec;

/* The next attribute from *at on that ops of the version have; *at moves behind it. */
bool tn_attr_spec_next(const char **at, int64_t version, tn_attr_spec *out);
/* The default as an attribute, made in the module's arena; false where there is none. Kinds with
 * defaults are INT, FLOAT, STRING, INTS and STRINGS. */
bool tn_attr_default(tn_module *m, const tn_attr_spec *spec, tn_attr *out);
/* The attribute as the op states it, else its default; false where there is neither. */
bool tn_op_attr_or_default(const tn_op *op, const tn_attr_spec *spec, tn_attr *out);

#endif
