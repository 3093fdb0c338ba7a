/* Which ops become one, where their kernel is made from what they compute. */
#ifndef TENURE_PASSES_FUSE_GROW_H
#define TENURE_PASSES_FUSE_GROW_H

#include "passes/fuse/fuse_memory.h"

typedef struct tn_grown {
    uint32_t groups, ops;
} tn_grown;

/* Makes groups of ops of all graphs, each as large as its one nest allows, and with `rows` of these
 * such as are done by rows. Values of `apart` (by
 * id) stay what they are. Types must be inferred. */
tn_grown tn_grow_groups(tn_module *m, tn_arena *scratch, const bool *apart, bool rows,
                        tn_fuse_memory *memory);
/* Makes groups of these, and of ops that are in none, whose nests are done by rows
 * (ir/compute/by_rows.h) where that spares more bytes than their workspace has. `overwritten` as
 * tn_overwritten_values; the figures are of groups that are there in the end. */
void tn_grow_rows(tn_module *m, tn_arena *scratch, const bool *apart, const bool *overwritten,
                  tn_fuse_memory *memory, tn_grown *grown);
/* Whether an op of the model, `last` of its group or not, may be part of one. */
bool tn_grow_may_join(tn_arena *scratch, const tn_op *op, bool last, const bool *overwritten);
/* Whether the op is a view whenever that is asked for. */
bool tn_grow_is_view(const tn_op *op);

#endif
