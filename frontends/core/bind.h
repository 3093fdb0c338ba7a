/* Binding what a file leaves open: symbols by name (--dim), shapes of inputs (--input-shape), and
 * elements of inputs that shapes depend on (--input-value).
 *
 * Values must be bound before the first dimension is built from a symbol, and shapes of inputs bind
 * the symbols in them. So a frontend reads the types of the main graph's inputs into a table of
 * their own first, calls tn_bind_apply, reads the model, and ends with tn_bind_finish. All
 * functions raise after a diagnostic. */
#ifndef TENURE_FRONTENDS_CORE_BIND_H
#define TENURE_FRONTENDS_CORE_BIND_H

#include "frontends/core/frontend.h"

/* The symbols a model mentions, in order of first mention: for checking the user's names. */
typedef struct tn_bind_names {
    tn_arena *arena;
    tn_dims *free; /* nothing is ever bound here, so every symbol can be seen */
    tn_map seen;
    TN_VEC(const char *) list;
} tn_bind_names;

/* An input as the file has it; dimensions are of the table given to tn_bind_apply. */
typedef struct tn_bind_input {
    const char *name; /* interned */
    const tn_type *type;
} tn_bind_input;

tn_bind_names *tn_bind_names_new(tn_arena *arena);
/* The symbol of that (interned) name in `dims`, noted as mentioned. */
tn_dim tn_bind_symbol(tn_bind_names *names, tn_dims *dims, const char *name);
/* The meaning of a dim_param: a symbol, or an expression over symbols ("past + 1", "2*s0",
 * "s0//2"), which PyTorch's exporter writes. */
tn_dim tn_bind_param(tn_bind_names *names, tn_dims *dims, const char *param);
/* Notes all symbols in a type, whose dimensions are of `dims`. */
void tn_bind_see_type(tn_bind_names *names, const tn_dims *dims, const tn_type *type);

/* Binds in `target` what the options give. Unknown inputs, other ranks, and contradictions (to the
 * file or among the options) are errors. */
void tn_bind_apply(tn_ctx *ctx, const char *file, const tn_load_options *options, tn_dims *stored,
                   const tn_bind_input *inputs, uint32_t n_inputs, tn_dims *target);
/* Shapes of inputs that have no symbol to bind, elements of inputs; and the check that all names of
 * the options exist. */
void tn_bind_finish(tn_module *m, tn_bind_names *names, const tn_load_options *options);

#endif
