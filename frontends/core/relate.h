/* Dimensions that follow from others: --dim total=past+sequence. The expression takes the place of
 * the symbol in the whole module, so nothing behind the frontend has to know of it. */
#ifndef TENURE_FRONTENDS_CORE_RELATE_H
#define TENURE_FRONTENDS_CORE_RELATE_H

#include "frontends/core/frontend.h"

/* Whether the text is an expression with at least one symbol in it (ir/dim/dim.h has the grammar);
 * `arena` for work. */
bool tn_is_relation(tn_arena *arena, const char *text);
/* Puts the expressions of the options in place of their symbols. Raises after an error where the
 * model has not one of the symbols, and where one follows from itself. */
void tn_relate(tn_module *m, const tn_load_options *options);
/* Raises after an error where one of them comes out below 0 at some ends of the ranges of those
 * that it follows from; to be called when all is bound and open that will be. */
void tn_relations_demand(tn_module *m);
/* Whether the module has the dimension as an expression, and the same one. */
bool tn_relation_agrees(const tn_module *m, const tn_dim_binding *d);

#endif
