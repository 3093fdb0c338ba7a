/* Shared by the two files that prove stretches that run in parts. */
#ifndef TENURE_IR_CHECK_CHECK_TILED_T_H
#define TENURE_IR_CHECK_CHECK_TILED_T_H

#include "ir/base/limits.h"
#include "ir/check/check_tiled.h"
#include "ir/tiled.h"

/* What a value holds of `of`, by axis of that. */
typedef struct tn_tile_box {
    const tn_value *of;
    uint32_t rank;
    int64_t from[TN_MAX_RANK], to[TN_MAX_RANK];
    int64_t good_from[TN_MAX_RANK], good_to[TN_MAX_RANK];
    bool flat;      /* as a matrix */
    uint32_t along; /* the axis that its rows are of */
} tn_tile_box;

typedef struct tn_tile_proving {
    const tn_module *m, *model; /* with parts, and as it was */
    tn_arena *arena;
    const tn_tiled_stretch *s;
    const tn_tile_box **proved;    /* by value id, of values that stretches made */
    const tn_tiled_value **claims; /* by value id */
} tn_tile_proving;

/* The value as a whole. False where extents are no numbers. */
bool tn_tile_box_whole(const tn_value *v, tn_tile_box *out);
/* What is proved of a value; of one of the model, that it holds itself. */
bool tn_tile_box_of(const tn_tile_proving *w, const tn_value *v, tn_tile_box *out);
/* What the record says of a value, if that can be: as large as its type says. */
bool tn_tile_box_claimed(const tn_tile_proving *w, const tn_value *v, tn_tile_box *out);
/* Whether an op of no node makes `y` of what it reads; NULL, or why not. */
const char *tn_tile_prove_own(const tn_tile_proving *w, const tn_op *op, tn_tiled_kind kind,
                              const tn_tile_box *y);

#endif
