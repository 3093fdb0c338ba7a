/* Moves: what lies idle in the arena at the fullest step is given up there and computed once more
 * before it is read again. */
#ifndef TENURE_PASSES_RECOMPUTE_CLONE_MOVES_H
#define TENURE_PASSES_RECOMPUTE_CLONE_MOVES_H

#include "passes/recompute/picture.h"

enum {
    TN_MOVE_OPS = 64,  /* clones of one move */
    TN_MOVE_VALUES = 8 /* of one class that are wanted again */
};

typedef struct tn_move {
    tn_op *at;               /* the clones come before it */
    tn_op *ops[TN_MOVE_OPS]; /* to be cloned, each behind those it reads */
    uint32_t n_ops;
    tn_value *wanted[TN_MOVE_VALUES]; /* whose readers from `at` on read the clones' results */
    uint32_t n_wanted;
    double flops;
    double gain;  /* by which the pressure falls, as far as can be told without a plan */
    double score; /* for who compares moves */
    uint64_t key; /* of what the move is about */
} tn_move;

typedef struct tn_move_ask {
    const tn_picture *p;
    const bool *clonable; /* by id of the model's ops; clones are */
    uint64_t align;
    double unit;       /* of pressure */
    double most_flops; /* of one move */
    uint32_t most_ops; /* clones of one move, TN_MOVE_OPS at most */
    uint32_t depth;    /* ops between what is alive and what is wanted, at most */
    uint32_t n_full;   /* full steps that are looked at */
} tn_move_ask;

typedef struct tn_moves {
    tn_move *data;
    uint32_t len, cap;
} tn_moves;

/* All moves that look good, in no order; each takes time in proportion to the steps between the two
 * uses. */
void tn_find_moves(const tn_move_ask *ask, tn_arena *arena, tn_moves *out);

#endif
