/* Walking a graph and all graphs nested in it, in the order of the text form, which is the order of
 * execution. The nesting is the file's and may be deep, so nothing recurses; the place is found
 * from the links of the module alone, so a walk holds no memory.
 *
 *   TN_FOR_ALL_OPS(op, graph) ... op ...
 *
 *   tn_walk w = tn_walk_start(graph);
 *   for (tn_walk_stop s; (s = tn_walk_next(&w)) != TN_WALK_DONE;) ... w.graph, w.op ... */
#ifndef TENURE_IR_WALK_H
#define TENURE_IR_WALK_H

#include "ir/module.h"

typedef enum tn_walk_stop {
    TN_WALK_ENTER, /* graph: before its first op */
    TN_WALK_OP,    /* op: its regions follow */
    TN_WALK_END,   /* op: behind its regions; comes for every op */
    TN_WALK_LEAVE, /* graph: behind its last op */
    TN_WALK_DONE,
} tn_walk_stop;

typedef struct tn_walk {
    const tn_graph *root;
    const tn_graph *graph;
    tn_op *op;         /* NULL at TN_WALK_ENTER and TN_WALK_LEAVE */
    tn_walk_stop stop; /* the last one; TN_WALK_DONE before the first, too */
} tn_walk;

tn_walk tn_walk_start(const tn_graph *root);
tn_walk_stop tn_walk_next(tn_walk *w);

/* The op whose TN_WALK_OP comes behind that of `at` in a walk of `root`; the first for `at` NULL,
 * NULL behind the last. */
tn_op *tn_op_after(const tn_graph *root, tn_op *at);

#define TN_FOR_ALL_OPS(op, root)                                                                   \
    for (tn_op *op = tn_op_after((root), NULL); op != NULL; op = tn_op_after((root), op))

#endif
