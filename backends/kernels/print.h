/* Pieces of kernels: places, expressions, loops. */
#ifndef TENURE_BACKENDS_KERNELS_PRINT_H
#define TENURE_BACKENDS_KERNELS_PRINT_H

#include "backends/kernels/kernels_c.h"

enum { TN_PRINT_KEPT = 24, TN_PRINT_TABLES = 16 };

/* A part of an expression that a local stands for, and what it was. */
typedef struct tn_print_kept {
    tn_calc *at, was;
} tn_print_kept;

/* A nest while it is written. */
typedef struct tn_printer {
    const tn_kernel_text *t;
    tn_sink *out;
    const tn_compute *c;
    const tn_nest *n;
    unsigned depth;                                    /* of indentation */
    const char *axis[TN_NEST_AXES];                    /* the index, as an expression */
    const char *local[TN_NEST_STAGES + TN_PRINT_KEPT]; /* what a stage leaves; what is kept */
    int64_t ahead[TN_NEST_AXES];                       /* added to the index */
    const void *const *tables; /* those written in front of the loops, n_tables of them */
    uint32_t n_tables;
    bool parallel; /* the next loop over axis 0 may be done by several threads */
    tn_print_kept kept[TN_PRINT_KEPT];
    uint32_t n_kept;
} tn_printer;

void tn_print_line(const tn_printer *p, const char *fmt, ...) TN_PRINTF(2, 3);
/* "a0 * 64 + a1 - 5" */
void tn_print_affine(const tn_printer *p, const tn_affine *at);
/* The number of a table; n_tables where it is not written. */
uint32_t tn_print_table(const tn_printer *p, const void *table);
/* How C writes a type of expressions: "float", "int64_t". */
const char *tn_print_type(tn_dtype type);
/* The type, without its prefix, that elements are loaded and stored by. */
const char *tn_print_element(tn_dtype dtype);
/* A number of an expression of that type. */
void tn_print_number(const tn_printer *p, double x, tn_dtype type);
/* An expression. */
void tn_print_calc(const tn_printer *p, const tn_calc *x);
/* "y0[...] = ...;": the nest's value. */
void tn_print_store(const tn_printer *p);
/* "for (a2 = 0; a2 < 14; a2++) {"; one level deeper then. */
void tn_print_open(tn_printer *p, uint32_t axis, int64_t from, int64_t end, const char *step);
void tn_print_close(tn_printer *p);
/* Loops over the axes of a stage. Terms whose guards do not hold are passed over; guards that read
 * axis `but` are not asked (TN_NEST_AXES: all are). How many levels were opened, for
 * tn_print_close. */
unsigned tn_print_open_stage(tn_printer *p, const tn_nest_stage *s, uint32_t axes, uint32_t but);
/* The guards of a stage that read no axis of its own behind `at`, and `at`, as statements of a
 * loop: `continue;` where one does not hold. */
void tn_print_guards(const tn_printer *p, const tn_nest_stage *s, uint32_t axes, uint32_t at,
                     uint32_t but);

/* Whether a stage leaves an expression, no sum. */
bool tn_print_is_term(const tn_nest_stage *s);
/* What a stage begins with where nothing is stated; what one more element does to what it has. */
const char *tn_print_nothing(const tn_nest_stage *s);
void tn_print_combined(const tn_printer *p, const tn_nest_stage *s, const char *local);

/* Whether both are the same expression. */
bool tn_print_are_equal(const tn_calc *a, const tn_calc *b);
/* Writes as constants what no axis moves, and has the nest's expressions name these. */
void tn_print_keep(tn_printer *p);
/* The same of the nest's value and of terms beside it, for axes from `depth` on, for the block at
 * hand; how many were kept before that, for tn_print_let_go at its end. */
uint32_t tn_print_keep_of(tn_printer *p, uint32_t depth);
void tn_print_let_go(tn_printer *p, uint32_t kept);

/* A printer of the nest, whose axes are called a0, a1, ... and whose locals l0, l1, ... */
tn_printer tn_printer_make(const tn_kernel_text *t, const tn_compute *c, const tn_nest *n);
/* Operands that are loaded, by position; true where one is loaded by an index that may be none. */
bool tn_print_used(const tn_nest *n, bool *used);
/* Writes the nest's tables. `at` is as long lived as the printer. */
void tn_print_tables(tn_printer *p, const void *at[TN_PRINT_TABLES]);
/* A stage, with those inside of it. */
void tn_print_stage(tn_printer *p, uint32_t number);
/* Stages that stand within axes [0, depth), and in rounds of `inside` (0: of none), as loops. */
void tn_print_stages(tn_printer *p, uint32_t depth, uint32_t inside);
/* The nest as it stands, one element after the other. */
void tn_print_plain(tn_printer *p);
/* The nest by tiles in registers; false, with nothing written, where it is not one for these. */
bool tn_print_tiles(tn_printer *p);

#endif
