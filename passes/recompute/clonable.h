/* Which ops a plan may run once more. */
#ifndef TENURE_PASSES_RECOMPUTE_CLONABLE_H
#define TENURE_PASSES_RECOMPUTE_CLONABLE_H

#include "ir/module.h"

/* By op id: whether the op may be cloned: an op of the main graph without nested graphs that gives
 * the same results whenever it is run on the same elements, has no effect beside them, moves no
 * state on, and reads nothing that an op overwrites by definition. */
const bool *tn_clonable_ops(const tn_module *m, tn_arena *arena);

#endif
