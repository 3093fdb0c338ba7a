/* The clones that stand in a module: making those of a move, taking them back, and writing down all
 * of them so that they can be made again. */
#ifndef TENURE_PASSES_RECOMPUTE_CLONE_SET_H
#define TENURE_PASSES_RECOMPUTE_CLONE_SET_H

#include "passes/recompute/clone_moves.h"

/* A use that reads another value than before. */
typedef struct tn_redirected {
    tn_op *op;
    uint32_t index;
    tn_value *before;
} tn_redirected;

/* How to take a move back. */
typedef struct tn_done {
    tn_op *clones[TN_MOVE_OPS];
    uint32_t n_clones;
    TN_VEC(tn_redirected) uses;
} tn_done;

/* What follows goes to `arena`. */
tn_done tn_move_do(tn_arena *arena, const tn_picture *p, const tn_move *move);
void tn_move_undo(const tn_done *done);

/* The order of the model's ops in the main graph, and clones, each by the op it stands for and
 * where it stands, and who reads a clone's result. */
typedef struct tn_clone_set tn_clone_set;
tn_clone_set *tn_clones_write_down(tn_arena *arena, const tn_module *m);
uint32_t tn_clones_count(const tn_clone_set *set);
/* The set without clone i and those that are read by it alone; NULL where somebody who reads the
 * clone is run before the op it stands for. `m` is the module of the set, with any clones. */
tn_clone_set *tn_clones_without(tn_arena *arena, const tn_module *m, const tn_clone_set *set,
                                uint32_t i);
/* Takes all clones out and makes those of the set, in its order. */
void tn_clones_make(tn_arena *arena, tn_module *m, const tn_clone_set *set);
/* Operations of all clones. */
double tn_clones_flops(const tn_module *m);
/* By the order in which they are run, gives the results of clones names by the value and their
 * number: NAME.again, NAME.again2. */
void tn_clones_name(tn_arena *arena, tn_module *m);

#endif
