/* The attributes of sliding windows, resolved; and what op_attrs.c and this file share. */
#ifndef TENURE_IR_OPS_WINDOW_ATTRS_H
#define TENURE_IR_OPS_WINDOW_ATTRS_H

#include "ir/base/arena.h"
#include "ir/ops/op_attrs.h"

/* The attributes of one op while they are being resolved. */
typedef struct tn_resolving {
    const tn_module *m;
    tn_arena *arena;
    TN_VEC(tn_attr) attrs;
} tn_resolving;

/* The attribute as resolved so far, or NULL. */
tn_attr *tn_resolving_find(const tn_resolving *r, const char *name);
/* Adds or replaces a list of ints; `name` and `ints` must live as long as the arena. */
void tn_resolving_set_ints(tn_resolving *r, const char *name, uint32_t n, const int64_t *ints);

/* States kernel_shape, strides, dilations and pads of an op that declares strides, and turns
 * auto_pad into pads where all extents it depends on are numbers. */
void tn_resolve_windows(const tn_op *op, tn_resolving *r);

#endif
