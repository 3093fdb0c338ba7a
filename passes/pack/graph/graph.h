/* Inside the solver of conflict graphs: one connected part. All sizes and offsets are bytes. */
#ifndef TENURE_PASSES_PACK_GRAPH_GRAPH_H
#define TENURE_PASSES_PACK_GRAPH_GRAPH_H

#include "ir/base/bits.h"
#include "passes/pack/pack.h"

typedef struct tn_graph {
    const tn_pack_buffer *buffers; /* none of size 0 */
    uint32_t n;
    const uint32_t *start; /* n + 1: neighbours of i are near[start[i]] .. near[start[i + 1]] */
    const uint32_t *near;  /* ascending, none twice */
    uint64_t step;         /* every offset is a multiple of it */
} tn_graph;

/* Neighbours from pairs that may come twice. No pair names a buffer of size 0. */
tn_graph tn_graph_make(tn_arena *arena, const tn_pack_buffer *buffers, uint32_t n,
                       const tn_conflict *pairs, size_t n_pairs);

/* What divides all alignments. */
uint64_t tn_graph_step(const tn_pack_buffer *buffers, uint32_t n);

/* Sets of vertices as rows of bits, one a vertex: its neighbours. For graphs of up to a few
 * thousand vertices. */
typedef struct tn_graph_rows {
    uint64_t *bits;
    uint32_t words;
} tn_graph_rows;
tn_graph_rows tn_graph_rows_make(tn_arena *arena, const tn_graph *g);
static inline uint64_t *tn_graph_row(const tn_graph_rows *rows, uint32_t v) {
    return rows->bits + (size_t)v * rows->words;
}
static inline bool tn_graph_near(const tn_graph_rows *rows, uint32_t u, uint32_t v) {
    return tn_bit_has(tn_graph_row(rows, u), v);
}

typedef struct tn_graph_packing {
    uint64_t *offsets;
    uint64_t height;
    const char *algorithm;
} tn_graph_packing;

typedef struct tn_graph_fits {
    const char *only;    /* name of the one order to use, or NULL */
    uint32_t rounds;     /* squeaky-wheel rounds on each */
    uint64_t goal;       /* bytes: stop at this height */
    const char *without; /* base/without.h */
} tn_graph_fits;
/* First fit in several orders. Lowers `best`, which has offsets for n and height UINT64_MAX at
 * first. Returns the neighbours looked at. graph_fit.c */
uint64_t tn_graph_fit(tn_arena *scratch, const tn_graph *g, const tn_graph_fits *options,
                      tn_graph_packing *best);
typedef struct tn_graph_range {
    uint64_t lo, hi; /* bytes */
} tn_graph_range;
/* The lowest offset for v at `from` or above at which it meets none of the neighbours that `placed`
 * says are there (by vertex; UINT64_MAX: not there). `occupied` is scratch, one a neighbour. */
uint64_t tn_graph_lowest(const tn_graph *g, uint32_t v, uint64_t from, const uint64_t *placed,
                         tn_graph_range *occupied);

/* A clique, and what stacking it needs at least. graph_clique.c */
typedef struct tn_clique {
    uint32_t *members;
    uint32_t n;
    uint64_t bytes;
} tn_clique;
/* The heaviest clique that greedy growth and, if asked for, a search of at most `budget` nodes
 * find. */
tn_clique tn_graph_clique(tn_arena *arena, const tn_graph *g, uint64_t budget, bool search);
uint64_t tn_clique_bytes(const tn_graph *g, const uint32_t *members, uint32_t n);

/* Live ranges with exactly these conflicts, in first[] and last[] (half-open); false when none were
 * found. graph_interval.c */
bool tn_graph_intervals(tn_arena *scratch, const tn_graph *g, int64_t *first, int64_t *last);

/* Exact search below best->height, for at most TN_GRAPH_SEARCH vertices. True when it came to its
 * end: nothing lower than best->height remains, or the goal is met. graph_search.c */
typedef struct tn_graph_search {
    uint64_t limit, goal; /* only heights below the limit count; stop at the goal */
    uint64_t budget;      /* nodes */
    uint64_t deadline_ns; /* 0: none */
} tn_graph_search;
bool tn_graph_search_run(tn_arena *scratch, const tn_graph *g, const tn_graph_search *options,
                         tn_graph_packing *best, uint64_t *nodes);

#endif
