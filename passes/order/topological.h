/* Topological orders of a directed acyclic graph. Plain arrays: nodes are numbers, so the
 * algorithms can be tested on the vectors they were published with. All are deterministic and take
 * near-linear time. */
#ifndef TENURE_PASSES_ORDER_TOPOLOGICAL_H
#define TENURE_PASSES_ORDER_TOPOLOGICAL_H

#include <stdbool.h>

#include "passes/order/edge_rows.h"

typedef struct tn_dag {
    uint32_t n;              /* nodes 0..n-1 */
    tn_edge_rows succ;       /* by node; may name a successor more than once */
    const uint32_t *n_preds; /* edges into a node, counted as often as they are named */
} tn_dag;

/* A graph from `n_edges` pairs (from, to). */
tn_dag tn_dag_make(tn_arena *arena, uint32_t n, const uint32_t (*edges)[2], uint32_t n_edges);

/* Kahn's algorithm with a queue: sources in order of their numbers, then breadth first; what
 * becomes ready together is queued by number. Puts all nodes into `out`; false when there is a
 * cycle: *stuck is then the lowest node that could not be reached. */
bool tn_order_kahn(const tn_dag *dag, tn_arena *scratch, uint32_t *out, uint32_t *stuck);

/* The order in which Caffe2's memonger runs ops: the longest path from each source to the sink is
 * kept, the paths form a tree, and the sources of its tallest branches start first, so that the
 * results of long branches do not wait in memory for short ones. Of several ready nodes those that
 * continue what was begun last come first. Result and `stuck` as for tn_order_kahn. */
bool tn_order_longest_path(const tn_dag *dag, tn_arena *scratch, uint32_t *out, uint32_t *stuck);

/* Of the ready nodes always the one with the lowest key; keys differ. The graph has no cycle. */
void tn_order_by_key(const tn_dag *dag, tn_arena *scratch, const uint64_t *key, uint32_t *out);

#endif
