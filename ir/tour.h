/* A tour through a graph and all graphs nested in it, in text order, without recursion: the depth
 * of nesting is the file's, the stack is not.
 *
 *   tn_tour t = tn_tour_start(arena, graph);
 *   for (tn_tour_stop s; (s = tn_tour_next(&t)) != TN_TOUR_DONE;) ... t.graph, t.op ... */
#ifndef TENURE_IR_TOUR_H
#define TENURE_IR_TOUR_H

#include "ir/module.h"

typedef enum tn_tour_stop {
    TN_TOUR_ENTER, /* graph: before its first op */
    TN_TOUR_OP,    /* op: its regions follow */
    TN_TOUR_END,   /* op: its regions have been visited; comes for every op */
    TN_TOUR_LEAVE, /* graph: after its last op */
    TN_TOUR_DONE,
} tn_tour_stop;

typedef struct tn_tour_frame {
    const tn_graph *graph;
    const tn_op *op;      /* where the tour stands in the graph; NULL before the first */
    uint32_t next_region; /* of op */
    bool inside;          /* op was announced and not ended */
} tn_tour_frame;

typedef struct tn_tour {
    tn_arena *arena;
    const tn_graph *root; /* not entered so far; NULL afterwards */
    const tn_graph *graph;
    const tn_op *op;
    TN_VEC(tn_tour_frame) stack;
} tn_tour;

/* The stack grows in `arena`. */
tn_tour tn_tour_start(tn_arena *arena, const tn_graph *root);
tn_tour_stop tn_tour_next(tn_tour *t);

#endif
