/* Maximum flow by Dinic's algorithm, for networks that are built, solved once and thrown away. */
#ifndef TENURE_PASSES_ORDER_FLOW_H
#define TENURE_PASSES_ORDER_FLOW_H

#include <stdbool.h>

#include "ir/base/arena.h"

#define TN_FLOW_ENDLESS (UINT64_C(1) << 62)

enum { TN_FLOW_SOURCE, TN_FLOW_SINK, TN_FLOW_FIRST }; /* nodes; others from FIRST on */

typedef struct tn_flow_arc {
    uint32_t to, next; /* next arc out of the same node */
    uint64_t residual;
} tn_flow_arc;

/* Arc i ^ 1 is arc i backwards. */
typedef struct tn_flow {
    tn_arena *arena;
    uint32_t n; /* nodes */
    uint32_t cap;
    uint32_t *first, *level, *at, *queue, *path;
    TN_VEC(tn_flow_arc) arcs;
    uint64_t work; /* arcs looked at, over all uses */
} tn_flow;

tn_flow *tn_flow_new(tn_arena *arena);
/* Empties the network: only source and sink are left. */
void tn_flow_clear(tn_flow *f);
uint32_t tn_flow_node(tn_flow *f);
void tn_flow_arc_add(tn_flow *f, uint32_t from, uint32_t to, uint64_t residual);
/* The value of a minimum cut. */
uint64_t tn_flow_solve(tn_flow *f);
/* After solving: whether the node is on the source's side of the smallest minimum cut. */
bool tn_flow_at_source(const tn_flow *f, uint32_t node);

#endif
