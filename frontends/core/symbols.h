/* The dimensions that a module has by name. */
#ifndef TENURE_FRONTENDS_CORE_SYMBOLS_H
#define TENURE_FRONTENDS_CORE_SYMBOLS_H

#include "ir/module.h"

typedef struct tn_symbols {
    tn_arena *arena;
    TN_VEC(const char *) list; /* each once */
} tn_symbols;

/* In `arena`. */
tn_symbols tn_symbols_of(const tn_module *m, tn_arena *arena);
bool tn_symbols_have(const tn_symbols *all, const char *name);
/* Raises after an error with a suggestion where there is none of that name. */
void tn_symbols_demand(const tn_symbols *all, const tn_module *m, const char *name);

#endif
