/* The C header backend's parts: one function a section of the header. */
#ifndef TENURE_BACKENDS_C_HEADER_C_HEADER_T_H
#define TENURE_BACKENDS_C_HEADER_C_HEADER_T_H

#include "backends/core/backend.h"
#include "backends/core/emit.h"

typedef struct tn_ch {
    const tn_plan *p;
    tn_sink *out;
    tn_arena *scratch;
    const char *macro;  /* prefix of macros, upper case */
    const char *symbol; /* prefix of types and variables, lower case */
    const char *suffix; /* of numbers that are sizes or offsets: "u", "ul" or "ull" */
    uint32_t max_pairs; /* of storages whose disjointness the header asserts */
    bool tables;
    const char **pool_ids;  /* upper case */
    const char **value_ids; /* upper case, by plan value */
    uint32_t *rows; /* plan value -> index among the placed ones, or TN_NO_ID; a table's row */
    uint32_t n_rows;
} tn_ch;

/* Writes a template: "@M" stands for the prefix of macros, "@m" for that of types and variables. */
void tn_ch_put(const tn_ch *h, const char *template);
/* Whether a value has bytes somewhere. */
static inline bool tn_ch_is_placed(const tn_plan_value *v) {
    return v->storage != TN_NO_ID;
}
/* "path/name" or "name". */
const char *tn_ch_full_name(tn_arena *arena, const tn_plan_value *v);
const char *tn_ch_upper(tn_arena *arena, const char *text);
const char *tn_ch_lower(tn_arena *arena, const char *text);
/* The largest number that divides both the address of a value in its pool and its storage's
 * alignment: what a reader may rely on. */
uint64_t tn_ch_align(const tn_plan *p, const tn_plan_value *v);

void tn_ch_put_banner(const tn_ch *h);
/* Include guard, includes, and macros for what compilers say differently. */
void tn_ch_put_preamble(const tn_ch *h);
void tn_ch_put_pools(const tn_ch *h);
void tn_ch_put_tensors(const tn_ch *h);
void tn_ch_put_unplanned(const tn_ch *h);
/* What the caller has to copy after a run. */
void tn_ch_put_bindings(const tn_ch *h);
/* Static assertions on bounds, alignment, and disjointness of what is alive at once. */
void tn_ch_put_asserts(const tn_ch *h);
/* The arrays behind the pools. */
void tn_ch_put_arrays(const tn_ch *h);
/* Tensors, storages and steps as constant tables. */
void tn_ch_put_tables(const tn_ch *h);

#endif
