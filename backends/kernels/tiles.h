/* Sums of products by tiles: what is known of a nest, and the forms (tiles.c says what they are).
 */
#ifndef TENURE_BACKENDS_KERNELS_TILES_H
#define TENURE_BACKENDS_KERNELS_TILES_H

#include "backends/kernels/print.h"

typedef struct tn_tiles {
    tn_printer *p;
    const tn_nest *n;
    const tn_nest_stage *s;
    const tn_calc *x, *w;
    uint32_t column; /* axis */
    uint32_t row;    /* axis; TN_NEST_AXES: none */
    int64_t lo, hi;  /* columns that no guard touches */
    int lanes;       /* at most; 1: no vectors */
    bool product;    /* sums of products of two sides */
    bool dots, strip, whole;
    const tn_nest_guard *border; /* of a row of x, which tiles may cross; NULL: they do not */
    uint32_t vectors;            /* of each sum of a tile */
    /* of `whole`, numbers of 8 bits: x = x_load - x_zero, w likewise; zeros may be NULL */
    const tn_calc *x_load, *w_load, *x_zero, *w_zero;
    int64_t terms;    /* of a sum of these */
    int64_t from, to; /* without vectors: columns that no guard touches */
    tn_nest *behind;  /* what is done to sums in loops behind them; NULL: it is done as they are
                         stored */
    bool again; /* the first lanes are made once more, and not stored again: what is read in their
              place may be what was stored */
    bool copied,
        taps; /* rows of x go by way of copies; the last axis of a stage goes along these */
} tn_tiles;

/* Of a window of one image (tiles_planes.c): axes, TN_NEST_AXES where there is none. */
typedef struct tn_tiles_planes {
    uint32_t line, tap, row_tap;          /* of the result; of the window, along and down */
    const tn_nest_guard *lines, *columns; /* NULL: nothing is outside */
    int64_t stride, dilation;             /* in columns of the image */
    int64_t line_stride, line_dilation;   /* in lines, which are `pitch` elements apart */
    int64_t pitch, wide, high, block;     /* of a plane; lines of the result at a time */
} tn_tiles_planes;

/* Of windows, at most: their stride, rows of the result that share a copy. */
enum { TN_TILES_STRIDE = 4, TN_TILES_SHARING = 4 };

/* The names of sums: of row `r`, of the vector `v` of these. */
const char *tn_tiles_sum(uint32_t r, uint32_t v);

/* Whether any place of the expression moves along the axis. */
bool tn_tiles_reads(const tn_calc *x, uint32_t axis);

/* ---- parts ---- */

/* Whether what is stored is made of what lies there, if the result lies over it. */
bool tn_tiles_reads_place(const tn_nest *n, const tn_calc *x);
/* Moves the index of columns back where a vector would end behind `end`, and sees to it that lanes
 * from tn_tiles_first_lane on alone are stored where the others must not be. */
void tn_tiles_put_again(tn_tiles *t, int64_t end, const char *step);
/* The same where the end is an expression; `whole`: vectors always end there. */
void tn_tiles_put_again_at(tn_tiles *t, const char *end, bool whole, const char *step);
const char *tn_tiles_first_lane(const tn_tiles *t);

void tn_tiles_indent(const tn_tiles *t);
/* "x0 + ..." */
void tn_tiles_put_load(const tn_tiles *t, const tn_calc *load);
/* Of sums: a vector of so many lanes, or where that is 0 a number. */
const char *tn_tiles_type(const tn_tiles *t, int lanes);
/* Whether the sums are stored as they are, side by side. */
bool tn_tiles_is_plain(const tn_tiles *t);
/* "const net_v16 s0 = zero + x2[a1]; ..." */
void tn_tiles_put_starts(const tn_tiles *t, uint32_t rows, int lanes);
/* Stores the sums of a tile, `lanes` of each, or a number where that is 0. */
void tn_tiles_put_stores(const tn_tiles *t, uint32_t rows, int lanes);
/* "s0 += v * x1[a1 * 9 + a4]; ...", `v0` and `v1` being the vectors. */
void tn_tiles_put_products(const tn_tiles *t, uint32_t rows, int lanes);
/* Elements that vectors are made of. */
bool tn_tiles_is_vector(const tn_tiles *t, const tn_calc *x);
void tn_tiles_close_all(const tn_tiles *t, unsigned opened);

/* Whether what is stored can be made of all lanes at a time; that. */
bool tn_tiles_has_vectors(const tn_tiles *t);
void tn_tiles_put_vectors(const tn_tiles *t, const char *sum, int lanes);

/* Where what is stored cannot be made that way: the nest of sums alone, which `t` is of then, and
 * one of what is done to them. False where it has to be done as they are stored. */
bool tn_tiles_make_behind(tn_tiles *t, tn_nest *sums, tn_nest *behind);
/* Does it to so many rows of `axis`, the loop over which is open; nothing at other axes. */
void tn_tiles_put_behind(const tn_tiles *t, uint32_t axis, uint32_t rows);

/* ---- forms ---- */

void tn_tiles_put_columns(const tn_tiles *t, uint32_t rows);
/* `clear`: no guard touches these. */
void tn_tiles_put_single_columns(const tn_tiles *t, uint32_t rows, int64_t from, int64_t end,
                                 bool clear);
void tn_tiles_put_dots(const tn_tiles *t, uint32_t rows);
void tn_tiles_put_strip(const tn_tiles *t, int64_t from, int64_t end, int lanes, bool guarded);
/* Of whole numbers: all loops, with vectors; `rows` sums where x and w lie side by side. */
void tn_tiles_put_whole(const tn_tiles *t);
void tn_tiles_put_whole_dots(const tn_tiles *t, uint32_t rows);
/* Of whole numbers where vectors are none: sums that words of four bytes can be added to, and the
 * loops that do. `clear`: at columns that no guard touches. */
bool tn_tiles_has_quads(const tn_tiles *t, bool clear);
void tn_tiles_put_quads(const tn_tiles *t, uint32_t rows, bool clear);
/* Of windows: all loops, with vectors. False, and nothing is said of `g`, where it is not for them.
 */
bool tn_tiles_find_planes(tn_tiles *t, tn_tiles_planes *g);
/* The extent of an axis, 1 of none; where x is. */
int64_t tn_tiles_extent(const tn_tiles *t, uint32_t axis);
const tn_affine *tn_tiles_place(const tn_tiles *t);
void tn_tiles_put_planes(const tn_tiles *t, const tn_tiles_planes *g);

#endif
