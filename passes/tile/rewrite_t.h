/* Shared by what makes the parts of a stretch (rewrite.c) and what puts together what leaves it
 * (leave.c). */
#ifndef TENURE_PASSES_TILE_REWRITE_T_H
#define TENURE_PASSES_TILE_REWRITE_T_H

#include "passes/tile/rewrite.h"

/* What a part has instead of a value of the stretch, or of one that enters. */
typedef struct tn_held {
    tn_value *v;
    const tn_value *of;
    uint32_t n, axis[TN_TILED_AXES];
    tn_tiled_range at[TN_TILED_AXES], good[TN_TILED_AXES];
    bool flat;
} tn_held;

typedef struct tn_rewriting {
    tn_tile_model *model;
    tn_module *m;
    tn_arena *scratch;
    tn_map names; /* of values there are, by id of the interned name */
    tn_tiled *tiled;
    /* of the stretch at hand: */
    const tn_stretch *s;
    tn_tiled_stretch *record;
    tn_op *behind; /* new ops stand before it */
    uint32_t part; /* number */
    const tn_tile_part *work;
    TN_VEC(tn_held) held; /* of the part at hand */
    uint32_t *made;       /* by value id: 1 + place in `held` of what its op makes */
    /* where parts keep what the next one reads: */
    tn_tiled_range *holds; /* by part and op: what there has to be of its results */
    tn_held *kept;         /* by value id */
} tn_rewriting;

/* By exit, what there is of it. */
typedef struct tn_leaving {
    tn_held *columns, *rows; /* of the row of parts at hand; of all rows */
    tn_held whole;           /* what is put together in place, so far */
    bool puts;
} tn_leaving;

/* A name that no value of the graph has. Interned. */
const char *tn_part_name(tn_rewriting *w, const char *base, const char *what);
/* A constant: n numbers, as a list or (rank 2) one below the other. */
tn_value *tn_part_numbers(tn_rewriting *w, const int64_t *data, uint32_t n, uint32_t rank);
/* An op that the model does not have. */
tn_op *tn_part_op(tn_rewriting *w, const char *type, const char *name, tn_tiled_kind kind);
/* Adds the result that holds it, and says so. */
void tn_part_result_add(tn_rewriting *w, tn_op *op, tn_held *h);
/* These elements of a value, cut out of what there is. */
tn_value *tn_part_cut(tn_rewriting *w, const tn_held *from, uint32_t n, const uint32_t *axis,
                      const tn_tiled_range *at);
/* Joins n that lie side by side along axis d of the stretch, as the value `v` of the model or,
 * NULL, as what *into says then. One alone stays as it is, unless it is to be v. */
void tn_part_join(tn_rewriting *w, const tn_held *parts, uint32_t n, uint32_t d, tn_held *into,
                  tn_value *v);
/* Whether it holds these elements and no others, all of them right. */
bool tn_held_is(const tn_held *h, uint32_t n, const uint32_t *axis, const tn_tiled_range *at);
/* Of what is put together in place: how often there are rows, and elements of each. */
int64_t tn_held_rows(const tn_held *h);
int64_t tn_held_row(const tn_held *h);

/* ---- kept_rows.c: stretches whose parts keep what the next one reads ---- */

/* NULL, or why there can be no such parts. */
const char *tn_keeping_refuse(const tn_stretch *s, tn_arena *scratch);
void tn_keeping_begin(tn_rewriting *w);
/* Result v of op i, once the op has run for the part at hand, or not: what was kept comes before
 * it, and what is read later is cut out of both. */
void tn_keep(tn_rewriting *w, uint32_t i, const tn_value *v);

/* ---- leave.c, by exit ---- */

void tn_leaving_begin(tn_rewriting *w, tn_leaving *l);
/* What of the part at hand leaves; what is complete once a row of parts is; and all. */
void tn_leave(tn_rewriting *w, tn_leaving *l, const uint32_t *at);
void tn_leave_row(tn_rewriting *w, tn_leaving *l, uint32_t row, uint32_t n);
void tn_leave_all(tn_rewriting *w, tn_leaving *l, uint32_t n);

#endif
