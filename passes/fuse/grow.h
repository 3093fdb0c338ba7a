/* Which ops become one, where their kernel is made from what they compute. */
#ifndef TENURE_PASSES_FUSE_GROW_H
#define TENURE_PASSES_FUSE_GROW_H

#include "passes/fuse/group.h"

typedef struct tn_grown {
    uint32_t groups, ops;
} tn_grown;

/* Makes groups of ops of all graphs, each as large as its one nest allows. Values of `apart` (by
 * id) stay what they are. Types must be inferred. */
tn_grown tn_grow_groups(tn_module *m, tn_arena *scratch, const bool *apart);

#endif
