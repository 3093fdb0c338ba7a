#include "passes/order/topological.h"

#include <string.h>

#include "ir/base/heap.h"

#define NONE UINT32_MAX

tn_dag tn_dag_make(tn_arena *arena, uint32_t n, const uint32_t (*edges)[2], uint32_t n_edges) {
    uint32_t *n_preds = TN_ARRAY(arena, uint32_t, n);
    for (uint32_t i = 0; i < n_edges; i++) {
        n_preds[edges[i][1]]++;
    }
    return (tn_dag){n, tn_edge_rows_make(arena, n, edges, n_edges, 0), n_preds};
}

/* `out` is the queue: what is before its head is the order. */
bool tn_order_kahn(const tn_dag *dag, tn_arena *scratch, uint32_t *out, uint32_t *stuck) {
    uint32_t *waits = TN_ARRAY(scratch, uint32_t, dag->n);
    uint32_t head = 0, len = 0;
    memcpy(waits, dag->n_preds, (size_t)dag->n * sizeof *waits);
    for (uint32_t v = 0; v < dag->n; v++) {
        if (waits[v] == 0) {
            out[len++] = v;
        }
    }
    while (head < len) {
        uint32_t v = out[head++];
        for (uint32_t e = dag->succ.start[v]; e < dag->succ.start[v + 1]; e++) {
            if (--waits[dag->succ.item[e]] == 0) {
                out[len++] = dag->succ.item[e];
            }
        }
    }
    for (*stuck = 0; *stuck < dag->n && waits[*stuck] == 0;) {
        (*stuck)++;
    }
    return len == dag->n;
}

static bool key_before(const uint64_t *key, const uint32_t *x, const uint32_t *y) {
    return key[*x] < key[*y];
}

void tn_order_by_key(const tn_dag *dag, tn_arena *scratch, const uint64_t *key, uint32_t *out) {
    uint32_t *waits = TN_ARRAY(scratch, uint32_t, dag->n), len = 0;
    uint32_t *ready = TN_ARRAY(scratch, uint32_t, dag->n), n = 0; /* a heap */
    for (uint32_t v = 0; v < dag->n; v++) {
        waits[v] = dag->n_preds[v];
        if (waits[v] == 0) {
            ready[n++] = v;
            tn_heap_up(ready, n - 1, key_before, key);
        }
    }
    while (n > 0) {
        uint32_t v = out[len++] = ready[0];
        ready[0] = ready[--n];
        if (n > 0) {
            tn_heap_down(ready, n, 0, key_before, key);
        }
        for (uint32_t e = dag->succ.start[v]; e < dag->succ.start[v + 1]; e++) {
            if (--waits[dag->succ.item[e]] == 0) {
                ready[n++] = dag->succ.item[e];
                tn_heap_up(ready, n - 1, key_before, key);
            }
        }
    }
}

/* State of the longest-path order. Arrays by node; `root` stands for one sink that all others lead
 * to. */
typedef struct path_tree {
    const tn_dag *dag;
    uint32_t n, root;
    tn_arena *scratch;
    const uint32_t *topo;
    uint32_t *best;    /* next node on the longest path, `root` for sinks */
    uint32_t *height;  /* in the tree; NONE outside it */
    uint32_t *sources; /* in the order found */
    uint32_t n_sources;
    uint64_t *key; /* for tn_order_by_key */
} path_tree;

static void longest_paths(path_tree *w) {
    uint32_t *length = TN_ARRAY(w->scratch, uint32_t, w->n);
    for (uint32_t i = w->n; i-- > 0;) {
        uint32_t v = w->topo[i];
        w->best[v] = w->root;
        for (uint32_t e = w->dag->succ.start[v]; e < w->dag->succ.start[v + 1]; e++) {
            uint32_t s = w->dag->succ.item[e];
            if (length[s] + 1 > length[v] || (length[s] + 1 == length[v] && s < w->best[v])) {
                length[v] = length[s] + 1;
                w->best[v] = s;
            }
        }
    }
}

/* The paths of all sources merge into a tree because each node has one best successor. Heights are
 * settled in topological order, in which all of a node's tree children come before it. */
static uint32_t tree_heights(path_tree *w) {
    uint32_t in_tree = 0;
    for (uint32_t i = 0; i <= w->n; i++) {
        w->height[i] = NONE;
    }
    for (uint32_t i = 0; i < w->n; i++) {
        uint32_t v = w->topo[i];
        if (w->dag->n_preds[v] == 0) {
            w->height[v] = 0;
        }
        if (w->height[v] != NONE) {
            uint32_t up = w->best[v], h = w->height[v] + 1;
            w->height[up] = w->height[up] == NONE || w->height[up] < h ? h : w->height[up];
            in_tree++;
        }
    }
    return in_tree;
}

/* Tree nodes by (height, number): a counting sort over the ascending node list is stable. */
static void by_height(const path_tree *w, uint32_t *sorted) {
    uint32_t *at = TN_ARRAY(w->scratch, uint32_t, w->n + 2u);
    for (uint32_t i = 0; i < w->n; i++) {
        if (w->height[i] != NONE) {
            at[w->height[i] + 1]++;
        }
    }
    for (uint32_t h = 0; h <= w->n; h++) {
        at[h + 1] += at[h];
    }
    for (uint32_t i = 0; i < w->n; i++) {
        if (w->height[i] != NONE) {
            sorted[at[w->height[i]]++] = i;
        }
    }
}

/* Depth first from the root, children by ascending height: the leaves met are the sources. */
static void sort_sources(path_tree *w, const uint32_t *sorted, uint32_t n) {
    uint32_t *first = TN_ARRAY(w->scratch, uint32_t, w->n + 1u);
    uint32_t *next = TN_ARRAY(w->scratch, uint32_t, w->n + 1u);
    uint32_t *stack = TN_ARRAY(w->scratch, uint32_t, n + 1u), depth = 0;
    memset(first, 0xff, (w->n + 1u) * sizeof *first);
    /* Pushed in list order and popped from the end: so the list is built ascending from the back,
     * which leaves the lowest child on top. */
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = sorted[i];
        next[v] = first[w->best[v]];
        first[w->best[v]] = v;
    }
    stack[depth++] = w->root;
    while (depth > 0) {
        uint32_t v = stack[--depth];
        if (v != w->root && w->height[v] == 0) {
            w->sources[w->n_sources++] = v;
        }
        for (uint32_t c = first[v]; c != NONE; c = next[c]) {
            stack[depth++] = c;
        }
    }
}

/* A node belongs to the first source (in that order) that leads to it. Nodes of later sources go
 * first, then by number; sources wait until nothing else is ready, later ones first. */
static void set_keys(path_tree *w) {
    bool *seen = TN_ARRAY(w->scratch, bool, w->n);
    uint32_t *stack = TN_ARRAY(w->scratch, uint32_t, w->n + 1u);
    for (uint32_t i = 0; i < w->n_sources; i++) {
        uint64_t group = w->n_sources - 1 - i;
        uint32_t depth = 0;
        stack[depth++] = w->sources[i];
        w->key[w->sources[i]] = (w->n_sources + group) << 32 | w->sources[i];
        while (depth > 0) {
            uint32_t v = stack[--depth];
            for (uint32_t e = w->dag->succ.start[v]; e < w->dag->succ.start[v + 1]; e++) {
                uint32_t s = w->dag->succ.item[e];
                if (!seen[s]) {
                    seen[s] = true;
                    w->key[s] = group << 32 | s;
                    stack[depth++] = s;
                }
            }
        }
    }
}

bool tn_order_longest_path(const tn_dag *dag, tn_arena *scratch, uint32_t *out, uint32_t *stuck) {
    if (!tn_order_kahn(dag, scratch, out, stuck)) {
        return false;
    }
    uint32_t n = dag->n;
    uint32_t *topo = TN_ARRAY(scratch, uint32_t, n), *sorted = TN_ARRAY(scratch, uint32_t, n);
    memcpy(topo, out, n * sizeof *topo);
    path_tree w = {.dag = dag,
                   .n = n,
                   .root = n,
                   .scratch = scratch,
                   .topo = topo,
                   .best = TN_ARRAY(scratch, uint32_t, n),
                   .height = TN_ARRAY(scratch, uint32_t, n + 1u),
                   .sources = TN_ARRAY(scratch, uint32_t, n),
                   .key = TN_ARRAY(scratch, uint64_t, n)};
    longest_paths(&w);
    uint32_t in_tree = tree_heights(&w);
    by_height(&w, sorted);
    sort_sources(&w, sorted, in_tree);
    set_keys(&w);
    tn_order_by_key(dag, scratch, w.key, out);
    return true;
}
