/* Stretches of ops that run in parts (docs/TILE.md): which ops of a module took the place of which.
 * Who changed the module says so here; whether it is right is the checker's to prove
 * (ir/check/check_tiled.c). Ops and values are named by their ids, so that a copy of the module can
 * have the same record. */
#ifndef TENURE_IR_TILED_H
#define TENURE_IR_TILED_H

#include "ir/base/arena.h"

enum { TN_TILED_AXES = 2 }; /* rows, and columns */

/* Elements from `from` on, before `to`. */
typedef struct tn_tiled_range {
    int64_t from, to;
} tn_tiled_range;

/* A value that holds a part of a value of the model: along up to TN_TILED_AXES axes, n of them, the
 * elements in `at`; along all others every one. Of these those in `good` are as they are in the
 * model; the rest, beside the places where a part was cut, is of no use. */
typedef struct tn_tiled_value {
    uint32_t value, of;
    uint32_t n, axis[TN_TILED_AXES];
    tn_tiled_range at[TN_TILED_AXES], good[TN_TILED_AXES];
    bool flat; /* as a matrix: all axes up to the first of `axis` are one, and all behind it */
} tn_tiled_value;

typedef enum tn_tiled_kind {
    TN_TILED_CUT,   /* Slice: a part of a value of the model, or of another part */
    TN_TILED_RUN,   /* what an op of the model does, for a part of its results */
    TN_TILED_JOIN,  /* Concat: parts that lie side by side */
    TN_TILED_FILL,  /* Pad: the first part with room for all others behind it */
    TN_TILED_SHAPE, /* Reshape: to a matrix and back */
    TN_TILED_PUT,   /* ScatterND: one more part written into that room */
} tn_tiled_kind;

typedef struct tn_tiled_op {
    uint32_t op, was; /* `was`: the op of the model that is run, erased now */
    tn_tiled_kind kind;
} tn_tiled_op;

/* One stretch. */
typedef struct tn_tiled_stretch {
    uint32_t first, last; /* positions among the ops of the main graph as it was */
    uint32_t n_axes, axis[TN_TILED_AXES], parts[TN_TILED_AXES]; /* asked for */
    bool puts;                   /* what leaves is put together in place, not joined */
    bool keeps;                  /* parts keep what the next one reads, too */
    TN_VEC(uint32_t) was;        /* ops of the model, in order */
    TN_VEC(tn_tiled_op) ops;     /* in order */
    TN_VEC(tn_tiled_value) made; /* by ops of `ops`, but for what is whole again */
} tn_tiled_stretch;

typedef struct tn_tiled {
    TN_VEC(tn_tiled_stretch) stretches;
    TN_VEC(uint32_t) consts; /* values made for them: where parts begin and end */
} tn_tiled;

#endif
