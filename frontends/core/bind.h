/* Binding what a file leaves open: symbols by name (--dim), shapes of inputs (--input-shape), and
 * elements of inputs that shapes depend on (--input-value). It works on the module a frontend has
 * read, so frontends need not know of it. */
#ifndef TENURE_FRONTENDS_CORE_BIND_H
#define TENURE_FRONTENDS_CORE_BIND_H

#include "frontends/core/frontend.h"

/* Replaces each bound symbol by its value in all types and known contents of the module; an extent
 * that nothing is known of is set from the shape given for its input. Names that the model does not
 * have, other ranks, and contradictions (to the model or among the options) raise after an error
 * with a suggestion. */
void tn_bind_open(tn_module *m, const tn_load_options *options);
/* TN_USAGE after an error where the module has not bound these dimensions to these values. */
TN_MUST_USE tn_status tn_bind_agrees(const tn_module *m, const tn_dim_binding *dims, uint32_t n);

#endif
