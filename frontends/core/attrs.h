/* Attributes that the version of an op does not have: in most cases those that became operands. */
#ifndef TENURE_FRONTENDS_CORE_ATTRS_H
#define TENURE_FRONTENDS_CORE_ATTRS_H

#include "ir/module.h"

/* Each node is read in one way: operands count where one of them is there, and the attributes are
 * taken away; where none is, as exporters that merge models have it, the attributes count. A
 * warning says which. Attributes that no version has stay. */
void tn_settle_attrs(tn_module *m);

#endif
