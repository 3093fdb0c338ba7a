/* Giving values to the symbols of a module that stands already. */
#ifndef TENURE_IR_SUBSTITUTE_H
#define TENURE_IR_SUBSTITUTE_H

#include "ir/module.h"

/* Puts the values that tn_dims_bind gave to symbols in place of them, in all types, known contents,
 * attributes, and limits of extents that data give. */
void tn_module_substitute(tn_module *m);

#endif
