/* What one op of a model is, and its attributes resolved, so that a runtime needs no operator schema.
 */
#ifndef TENURE_IR_OPS_OP_ATTRS_H
#define TENURE_IR_OPS_OP_ATTRS_H

#include "ir/module.h"

/* Whether the op (may be NULL) is the one of ai.onnx that has that type. */
bool tn_op_is_standard(const tn_op *op, const char *type);
/* Whether the definition of the op, in its version, has an attribute of that name. */
bool tn_op_declares(const tn_op *op, const char *name);
/* Whether the op repeats its one body in a way its row describes: its states, and what it slices
 * and stacks, are known. Not so for the batched Scan of opset 8, nor where axes do not fit the
 * values or are counted from the back of one whose rank is not known. */
bool tn_op_iterates(const tn_op *op);

/* The attributes of `op` with nothing left to look up, sorted by name, *n of them, in `arena`:
 * - an attribute that the op leaves out has the default of its version, if that has one;
 * - `axis` and `axes` are counted from the front, where the rank is known;
 * - windows (whatever declares strides) have kernel_shape, strides, dilations and pads for each
 *   spatial axis, and auto_pad became NOTSET, where the extents are known;
 * - `perm` of Transpose and the axes and directions of Scan are stated, where the ranks are known.
 * Nested graphs are left out: they are bodies, not parameters. So is all that a Constant holds,
 * which is data of the model as initializers are. */
const tn_attr *tn_op_resolve_attrs(const tn_module *m, const tn_op *op, tn_arena *arena,
                                   uint32_t *n);

#endif
