/* The attributes of an op as its definition has them: which there are in a version, with type and
 * default; and the attributes of one op of a model, resolved, so that nobody who runs it needs the
 * definition any more. */
#ifndef TENURE_IR_OPS_OP_ATTRS_H
#define TENURE_IR_OPS_OP_ATTRS_H

#include "ir/module.h"

/* One entry of column `.attrs`. The texts lie in the table and are not terminated. */
typedef struct tn_attr_spec {
    const char *name;
    uint32_t name_len;
    tn_attr_kind kind;
    bool required;
    const char *fallback; /* text of the default; NULL when there is none */
    uint32_t fallback_len;
} tn_attr_spec;

/* Reads the first entry of *at that holds in `version` (0: the newest) and moves *at behind it;
 * false at the end. Start with the row's `.attrs`, which may be NULL. */
bool tn_attr_spec_next(const char **at, int64_t version, tn_attr_spec *out);

/* Whether the definition of the op, in its version, has an attribute of that name. */
bool tn_op_declares(const tn_op *op, const char *name);
/* Whether the op runs its one body again and again in a way its row describes: what it carries,
 * slices and stacks is known. Not so for the batched Scan of opset 8. */
bool tn_op_iterates(const tn_op *op);

/* The attributes of `op` with nothing left to look up, sorted by name, *n of them, in `arena`:
 * - an attribute that the op leaves out has the default of its version, if that has one;
 * - `axis` and `axes` are counted from the front, where the rank is known;
 * - windows (whatever declares strides) have kernel_shape, strides, dilations and pads for each
 *   spatial axis, and auto_pad became NOTSET, where the extents are known;
 * - `perm` of Transpose and the axes and directions of Scan are stated, where the ranks are known.
 * Nested graphs are left out: they are bodies, not parameters. */
const tn_attr *tn_op_resolve_attrs(const tn_module *m, const tn_op *op, tn_arena *arena,
                                   uint32_t *n);

#endif
