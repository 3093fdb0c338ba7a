/* The moves an exact search needs from a set of ops. Until bytes are freed again, an op that frees
 * nothing only makes what follows costlier, so ops can wait until a tensor is about to end that
 * needs them: from any set, some best way on begins by running exactly what is missing for the end
 * of some tensor. That leaves far fewer sets to look at than one op at a time. */
#ifndef TENURE_PASSES_ORDER_MOVES_H
#define TENURE_PASSES_ORDER_MOVES_H

#include "passes/order/set.h"

typedef struct tn_move {
    uint32_t first, len; /* ops to run, in order: a piece of tn_moves.ops */
    uint64_t during;     /* greatest bytes in use on the way */
    uint64_t after;      /* live bytes then */
    bool falls;          /* `after` is no more than now, nor than anything in between */
} tn_move;

typedef struct tn_moves {
    TN_VEC(tn_move) list; /* what tn_moves_find found */
    TN_VEC(uint32_t) ops;

    tn_arena *arena;
    const tn_sched *p;
    uint32_t words;
    uint64_t *closure; /* by op, `words` each: the op and all it depends on */
    bool single;       /* the reasoning does not hold for this problem: moves are single ops */

    /* For the set at hand. */
    uint32_t now;             /* numbers the sets */
    uint32_t *at, *waits;     /* by op, good where at[op] == now */
    uint32_t *seen, *touches; /* by tensor, good where seen[tensor] == now */
    TN_VEC(uint32_t) region;  /* ops that can run before anything ends */
    TN_VEC(uint64_t) wanted;  /* sets of ops, `words` each */
    TN_VEC(struct tn_wish) wishes;
} tn_moves;

tn_moves tn_moves_make(tn_arena *arena, const tn_sched *p);
/* The moves from the set at hand; at least one unless all ops have run. */
void tn_moves_find(tn_moves *m, tn_reach *r);

#endif
