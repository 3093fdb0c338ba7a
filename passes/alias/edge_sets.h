/* Which alias edges to keep: sets of edges, judged by what would be alive at the worst step. Of few
 * edges all sets are looked at. Of many, those that make no step worse are kept unseen; the others
 * are offered one op after another, from the fullest step down, first all edges of the op together,
 * then as many as the peak allows. */
#ifndef TENURE_PASSES_ALIAS_EDGE_SETS_H
#define TENURE_PASSES_ALIAS_EDGE_SETS_H

#include "passes/alias/edge_load.h"

/* Kinds of edge, or'ed. PART: the two differ in size, so a small value may keep a large one alive.
 * WIDTH: in place, with the same effect. */
enum {
    TN_EDGE_SHARE = 1,
    TN_EDGE_PART = 2,
    TN_EDGE_INPLACE = 4,
    TN_EDGE_VIEW = 8,
    TN_EDGE_WIDTH = 16
};

typedef struct tn_alias_edges {
    const tn_alias_edge *at;
    const uint8_t *kind;
    uint32_t n;
} tn_alias_edges;

typedef struct tn_alias_pick {
    int64_t peak;     /* bytes alive at the worst step; no layout needs less */
    uint32_t n_kept;  /* edges in the set */
    uint32_t mask;    /* orders equals */
    const bool *keep; /* by edge */
} tn_alias_pick;

typedef struct tn_alias_picks {
    const tn_alias_pick *at; /* lowest peak first, of equals the one with more edges */
    uint32_t n;
} tn_alias_picks;

/* Without `more`, and where no edge makes any step worse, the set of all edges alone; else the sets
 * of all edges and of none are among the picks. `l` is as before after it. */
tn_alias_picks tn_alias_search(tn_load *l, const tn_liveness *live, tn_alias_edges edges, bool more,
                               tn_arena *arena);

#endif
