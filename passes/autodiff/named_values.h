/* Values that options of the pass name. */
#ifndef TENURE_PASSES_AUTODIFF_NAMED_VALUES_H
#define TENURE_PASSES_AUTODIFF_NAMED_VALUES_H

#include "ir/base/diag.h"
#include "ir/module.h"

/* The names in a list with commas; one that holds commas, or quotes, is written in quotes
 * (ir/base/quote.h). In `arena`. TN_USAGE where the quotes are wrong; `option` names the list. */
TN_MUST_USE tn_status tn_names_split(const tn_module *m, tn_arena *arena, const char *option,
                                     const char *text, const char *const **names, uint32_t *n);
/* The value of the main graph of that name; an error with a suggestion where there is none. */
TN_MUST_USE tn_status tn_name_find(const tn_module *m, tn_arena *arena, const char *option,
                                   const char *name, tn_value **out);

#endif
