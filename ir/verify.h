/* Structure of a module: every read sees a definition, links agree both ways, arity fits the op
 * table, regions and aliases are well formed, names are unique in a graph. */
#ifndef TENURE_IR_VERIFY_H
#define TENURE_IR_VERIFY_H

#include "ir/module.h"

/* TN_OK, or TN_ERROR after diagnostics (at most 20). `ordered` also demands that definitions come
 * before reads. */
TN_MUST_USE tn_status tn_module_verify(const tn_module *m, bool ordered);

#endif
