/* Inputs and outputs with two places (--double-buffer): while a run works in one of them, the
 * caller fills or reads the other, and after it they change parts. */
#ifndef TENURE_PASSES_CORE_DOUBLE_BUFFERS_H
#define TENURE_PASSES_CORE_DOUBLE_BUFFERS_H

#include "ir/module.h"
#include "passes/core/controls.h"

/* Flags what `want` names with TN_VF_DOUBLE, and says in the module what two places lie apart is a
 * multiple of. Behind the binding of states. "inputs", "outputs" and "all" pass over what cannot
 * have two places; a name or a glob that means such a value is TN_USAGE after a diagnostic, as are
 * dimensions that stay open. */
TN_MUST_USE tn_status tn_flag_double_buffers(tn_module *m, const tn_controls *want,
                                             tn_arena *scratch);

#endif
