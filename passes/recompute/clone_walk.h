/* Walks: moves taken one by one from a form of the module, each if the plan made with it is better.
 * Who calls makes the plans: `put` puts a move into the module, `judge` is told what became of it.
 */
#ifndef TENURE_PASSES_RECOMPUTE_CLONE_WALK_H
#define TENURE_PASSES_RECOMPUTE_CLONE_WALK_H

#include "passes/recompute/clone_set.h"

typedef struct tn_walk_ask {
    const tn_module *m;
    uint64_t align;
    double model;        /* operations of the model */
    bool ties;           /* pressure decides where as many bytes are needed */
    uint32_t most_tries; /* moves planned in vain before a walk ends */
} tn_walk_ask;

typedef struct tn_walk tn_walk;

tn_walk *tn_walk_new(tn_arena *scratch, const tn_walk_ask *ask);
/* The first of all walks from the form that stands in the module, whose clones have so many
 * operations, and may have `most`. `own` is what the picture lies in, and the walk's from now on.
 * A walk ends where no more than `goal` bytes are needed. */
void tn_walk_begin(tn_walk *w, tn_arena *own, const tn_picture *base, double flops, double most,
                   uint64_t goal);
/* Puts the next move into the module. False where the last walk is over: then the form that they
 * began with stands there again. */
bool tn_walk_put(tn_walk *w);
/* What was planned with the move: NULL for nothing. The move stays, or is taken back. True where
 * it needs fewer bytes than any form of this walk before. */
bool tn_walk_judge(tn_walk *w, tn_arena *own, const tn_picture *next);
/* Of the form at hand. */
double tn_walk_flops(const tn_walk *w);
/* Drops what is owned. */
void tn_walk_end(tn_walk *w);

#endif
