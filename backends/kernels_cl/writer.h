/* Private to the folder: a kernel while it is written. */
#ifndef TENURE_BACKENDS_KERNELS_CL_WRITER_H
#define TENURE_BACKENDS_KERNELS_CL_WRITER_H

#include "backends/kernels/print.h"
#include "backends/kernels_cl/kernels_cl.h"

enum { TN_CL_ITEMS = 64 /* of a work-group */, TN_CL_TILE = 8 /* rows of a work-item at most */ };

typedef struct tn_cl_writer {
    tn_printer p;
    const tn_nest *n;
    tn_cl_over over;
    tn_cl_kernel *k;
    uint32_t depth; /* axes [0, depth) are those of the range */
    uint32_t sum;   /* the stage that tiles are of */
    uint32_t row;   /* axis along which a work-item makes `tile` elements, */
    uint32_t tile;
    uint32_t column, lanes; /* and along which it makes a vector of `lanes` of each; 1: none */
    const char *name[TN_NEST_STAGES][TN_CL_TILE];
} tn_cl_writer;

typedef bool tn_cl_about(const tn_cl_writer *w, const tn_calc *load);
/* Whether some load of the expression is such. */
bool tn_cl_any_load(const tn_cl_writer *w, const tn_calc *x, tn_cl_about *what);
/* Whether the load is of another element in another row. */
bool tn_cl_moves_with_row(const tn_cl_writer *w, const tn_calc *load);
/* Finds an axis for rows, of which as many as there are work-items enough go to one: sets `row` and
 * `tile`, which stays 1 where there is none. */
void tn_cl_find_tile(tn_cl_writer *w);
/* The range over the axes, and the axes: "const int32_t a0 = ...;". Behind the last full tile, or
 * vector, comes one that begins earlier: of its elements the first `skip_row`, `skip_column` are
 * those of others. */
void tn_cl_put_range(tn_cl_writer *w);

/* Axes [from, to) of one number, the last of them going fastest. */
void tn_cl_put_axes(const tn_cl_writer *w, uint32_t from, uint32_t to, const char *number);
/* Indices of axes [from, to) together. */
int64_t tn_cl_product(const tn_nest *n, uint32_t from, uint32_t to);

/* A work-group a row; false where the nest has no rows, or none that are worth one. */
bool tn_cl_find_rows(tn_cl_writer *w);
void tn_cl_put_rows(tn_cl_writer *w);

/* Sums of products by vectors: sets `column`, `lanes`, and `row`, `tile`; false where the nest is
 * no such. */
bool tn_cl_find_vectors(tn_cl_writer *w);
void tn_cl_put_vectors(tn_cl_writer *w);

#endif
