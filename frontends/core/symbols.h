/* The dimensions that a module has by name. */
#ifndef TENURE_FRONTENDS_CORE_SYMBOLS_H
#define TENURE_FRONTENDS_CORE_SYMBOLS_H

#include "ir/module.h"

typedef struct tn_symbols {
    const tn_module *m;
    tn_arena *arena;
    TN_VEC(const char *) list; /* each once */
    tn_map known;              /* of the ids of their names */
} tn_symbols;

/* In `arena`. */
tn_symbols tn_symbols_of(const tn_module *m, tn_arena *arena);
/* Whether there is one of that name, or will be when inference finds that data give it: an extent
 * of an op's result ("value.axis", ir/infer/by_data.h) may be one. */
bool tn_symbols_have(const tn_symbols *all, const char *name);
/* Raises after an error with a suggestion where there is none; asks the table for one that may be.
 */
void tn_symbols_demand(const tn_symbols *all, const char *name);

#endif
