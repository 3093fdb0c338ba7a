/* Stretches of ops that can run in parts. */
#ifndef TENURE_PASSES_TILE_STRETCH_H
#define TENURE_PASSES_TILE_STRETCH_H

#include "ir/base/map.h"
#include "ir/ops/tiling.h"
#include "ir/tiled.h"

/* What is asked for: ops `first` to `last` of the main graph, by position, in parts along axes of
 * the first result of `last`. */
typedef struct tn_tile_ask {
    uint32_t first, last;
    uint32_t n, axis[TN_TILED_AXES], parts[TN_TILED_AXES];
    bool puts;  /* what leaves is written part by part into its place, where parts of it are no runs
                   of bytes: it is there as a whole from the first part on, but never twice */
    bool keeps; /* along one axis: what the next part reads, too, is kept for it, and nothing is
                   made twice */
} tn_tile_ask;

/* A module as stretches are looked for in it; it must not change meanwhile. */
typedef struct tn_tile_model {
    tn_module *m;
    tn_arena *arena;
    tn_op **ops; /* of the main graph, by position */
    uint32_t n_ops;
    uint32_t n_ids;     /* ops that were made later have ids from here on */
    uint32_t *position; /* by op id; TN_EVERY: not of the main graph */
    const bool *may;    /* by op id: whether it can be run in parts as far as its effects go */
    bool *kept;         /* by value id: must be there as a whole */
    tn_map tilings;     /* by op id and axis: index in `known` */
    TN_VEC(tn_tiling *) known; /* NULL: there is none */
} tn_tile_model;

/* Types must be inferred. */
tn_tile_model *tn_tile_model_make(tn_module *m, tn_arena *arena);
/* NULL: the op cannot work in parts along that axis of its results. */
const tn_tiling *tn_tile_tiling(tn_tile_model *w, const tn_op *op, uint32_t axis);
/* The extent, -1 where it is no number. */
int64_t tn_tile_extent(const tn_value *v, uint32_t axis);
/* Whether parts along the axis lie one behind the other in memory. */
bool tn_tile_is_run(const tn_value *v, uint32_t axis);

/* A set of ops that run in parts together: whatever comes from outside is there as a whole, and
 * what others read of them (`exits`) is made part by part. */
typedef struct tn_stretch {
    tn_tile_model *model;
    tn_tile_ask ask;
    TN_VEC(tn_op *) ops;                             /* in order */
    TN_VEC(const tn_tiling *) tiling[TN_TILED_AXES]; /* beside `ops` */
    uint32_t *member;                                /* by op id: place in `ops`, or TN_EVERY */
    uint32_t *axis[TN_TILED_AXES]; /* by value id, of results of `ops`; else TN_EVERY */
    TN_VEC(tn_value *) exits;
} tn_stretch;

static inline bool tn_stretch_has(const tn_stretch *s, const tn_op *op) {
    return op != NULL && op->id < s->model->n_ids && s->member[op->id] != TN_EVERY;
}

/* In `arena`. NULL where the stretch can be made, else why not. */
const char *tn_stretch_make(tn_tile_model *w, const tn_tile_ask *ask, tn_arena *arena,
                            tn_stretch *out);

#endif
