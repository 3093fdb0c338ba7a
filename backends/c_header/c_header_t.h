/* The C header backend's parts: one function a section of the header. */
#ifndef TENURE_BACKENDS_C_HEADER_C_HEADER_T_H
#define TENURE_BACKENDS_C_HEADER_C_HEADER_T_H

#include "backends/core/backend.h"
#include "backends/core/emit.h"
#include "backends/core/open_layout.h"
#include "backends/core/plan_ids.h"

typedef struct tn_ch {
    const tn_plan *p;
    tn_sink *out;
    tn_arena *scratch;
    const char *macro;   /* prefix of macros, upper case */
    const char *symbol;  /* prefix of types and variables, lower case */
    const char *suffix;  /* of numbers that are sizes or offsets: "u", "ul" or "ull" */
    bool narrow;         /* no numbers of 64 bits in tables: the target has less */
    uint32_t max_pairs;  /* of storages whose disjointness the header asserts */
    const tn_open *open; /* what is loaded from a layout; NULL: all is constant */
    tn_dims *limits;     /* tn_plan_limits */
    tn_plan_ids ids;
    const char **members;   /* of the struct of open dimensions */
    bool wide;              /* numbers of a layout have 64 bits */
    uint64_t largest;       /* size_t of the target */
    bool of_set;            /* one plan of several: the main header has the arrays */
    bool tables, names;     /* names: tables hold those of the model, too */
    const char **pool_ids;  /* upper case */
    const char **value_ids; /* upper case, by plan value */
    uint32_t *rows; /* plan value -> index among the placed ones, or TN_NO_ID; a table's row */
    uint32_t n_rows;
    uint32_t *numbers;    /* plan value -> its row, or behind all rows: the others, as they come */
    uint32_t n_unplanned; /* without a place */
    uint32_t n_left_out;  /* of these, the ones that somebody has to find memory for */
} tn_ch;

/* Writes a template: "@M" stands for the prefix of macros, "@m" for that of types and variables;
 * "@s" and "@d" for the types of sizes and dimensions in tables, "@u" and "@w" for those with which
 * open dimensions are worked out, "@n" for 1 if tables hold names;
 * what comes between "@<" and "@>" is left out when tables hold no names, between "@(" and "@)"
 * when no dimensions are open; "@i", "@W", "@D" and "@L" are for what works these out. */
void tn_ch_put(const tn_ch *h, const char *template);
/* Whether a value has bytes somewhere. */
static inline bool tn_ch_is_placed(const tn_plan_value *v) {
    return v->storage != TN_NO_ID;
}
/* Whether it has none, but needs some: somebody else has to find them. */
static inline bool tn_ch_needs_place(const tn_plan_value *v) {
    return !tn_ch_is_placed(v) && v->left_out != TN_LEFT_UNUSED;
}
/* Sets `macro` and `symbol` (tn_artefact_prefix), of at most `longest` characters. */
void tn_ch_name_prefix(tn_ch *h, const tn_emission *e, const char *asked, size_t longest);
/* Sets ids and rows; no macro gets more than `longest` characters. */
void tn_ch_name_all(tn_ch *h, size_t longest);
/* "\"name\", " in a table that holds names. */
void tn_ch_put_name(const tn_ch *h, const char *name);
/* The largest number that divides both the address of a value in its pool and its storage's
 * alignment: what a reader may rely on. */
uint64_t tn_ch_align(const tn_plan *p, const tn_plan_value *v);

void tn_ch_put_banner(const tn_ch *h);
/* Includes, macros for what compilers say differently, accessors, element types. */
void tn_ch_put_preamble(const tn_ch *h);
void tn_ch_put_dialect(const tn_ch *h);
/* Where constants lie, as a number. */
void tn_ch_put_layout(const tn_ch *h);
void tn_ch_put_pools(const tn_ch *h);
void tn_ch_put_tensors(const tn_ch *h);
/* How many values have no place, which they are, and an assertion that the user knows. */
void tn_ch_put_unplanned(const tn_ch *h);
/* What the caller has to copy after a run. */
void tn_ch_put_bindings(const tn_ch *h);
/* Static assertions on bounds, alignment, and disjointness of what is alive at once. */
void tn_ch_put_asserts(const tn_ch *h);
/* The arrays behind the pools. */
void tn_ch_put_arrays(const tn_ch *h);
/* Tensors, storages and steps as constant tables. */
void tn_ch_put_tables(const tn_ch *h);

/* The header of one plan of a set, or of the only one. */
void tn_ch_emit_plan(const tn_emission *e, const tn_plan *p, tn_sink *out, const char *prefix);
/* A header for each plan of the set, and the main one, which includes them. TN_USAGE where the main
 * one has no name. */
TN_MUST_USE tn_status tn_ch_emit_set(const tn_emission *e, const char *prefix, size_t longest);
/* What follows what is written under the prefix: by its hash it is told from another plan's. */
void tn_ch_put_guarded(tn_ch *h, void (*put)(const tn_ch *h));
/* The numbers and texts of options. */
void tn_ch_read_options(tn_ch *h, const tn_emission *e);

#endif
