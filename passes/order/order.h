/* Orders of a directed acyclic graph. Plain arrays: nodes are numbers, so the algorithms can be
 * tested on the vectors they were published with. All are deterministic and near-linear. */
#ifndef TENURE_PASSES_ORDER_ORDER_H
#define TENURE_PASSES_ORDER_ORDER_H

#include <stdbool.h>

#include "ir/base/arena.h"

typedef struct tn_dag {
    uint32_t n;              /* nodes 0..n-1 */
    const uint32_t *start;   /* n + 1: where the successors of a node start in `succ` */
    const uint32_t *succ;    /* may name a successor more than once */
    const uint32_t *n_preds; /* edges into a node, counted as often as they are named */
} tn_dag;

/* Each puts all nodes into `out`. False when there is a cycle: *stuck is then the lowest node that
 * could not be reached. */

/* Kahn's algorithm with a queue: sources in order of their numbers, then breadth first; what
 * becomes ready together is queued by number. */
bool tn_order_kahn(const tn_dag *dag, tn_arena *scratch, uint32_t *out, uint32_t *stuck);

/* As Caffe2's memonger orders: the longest path from each source to the sink is kept, the paths
 * form a tree, and the sources of its tallest branches start first, so that long branches are not
 * held up alive by short ones. Among ready nodes those nearest to the work in progress come first.
 */
bool tn_order_longest_path(const tn_dag *dag, tn_arena *scratch, uint32_t *out, uint32_t *stuck);

/* A graph from `n_edges` pairs (from, to). */
tn_dag tn_dag_make(tn_arena *arena, uint32_t n, const uint32_t (*edges)[2], uint32_t n_edges);

#endif
