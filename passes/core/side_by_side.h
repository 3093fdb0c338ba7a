/* From what the caller asks for to the module: which steps may run side by side. */
#ifndef TENURE_PASSES_CORE_SIDE_BY_SIDE_H
#define TENURE_PASSES_CORE_SIDE_BY_SIDE_H

#include "ir/module.h"
#include "passes/core/controls.h"

/* States it in the module; the rules are kept in `arena`. TN_ERROR after an error where a pattern
 * is no pair, names a queue that there is not, or fits no node. */
TN_MUST_USE tn_status tn_concurrency_apply(tn_module *m, const tn_controls *c, tn_arena *arena);
/* The module is for one order again. */
void tn_concurrency_end(tn_module *m);

#endif
