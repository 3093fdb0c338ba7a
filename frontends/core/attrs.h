/* Attributes that became operands in the version of an op that the model imports. */
#ifndef TENURE_FRONTENDS_CORE_ATTRS_H
#define TENURE_FRONTENDS_CORE_ATTRS_H

#include "ir/module.h"

/* Each node is read in one way: operands count where one of them is there, and the attributes are
 * taken away; where none is, as exporters that merge models have it, the attributes count. A
 * warning says which. Others that the version does not have stay. */
void tn_settle_attrs(tn_module *m);

#endif
