#include <string.h>

#include "passes/order/order.h"

#define NONE UINT32_MAX

/* Arrays by node; ROOT stands for the one sink all others lead to. */
typedef struct work {
    const tn_dag *dag;
    uint32_t n, root;
    tn_arena *scratch;
    const uint32_t *topo;
    uint32_t *best;    /* next node on the longest path, `root` for sinks */
    uint32_t *height;  /* in the tree; NONE outside it */
    uint32_t *sources; /* in the order found */
    uint32_t n_sources;
    uint64_t *key; /* what is ready with the lowest key goes first */
} work;

static void longest_paths(work *w) {
    uint32_t *length = TN_ARRAY(w->scratch, uint32_t, w->n);
    for (uint32_t i = w->n; i-- > 0;) {
        uint32_t v = w->topo[i];
        w->best[v] = w->root;
        for (uint32_t e = w->dag->start[v]; e < w->dag->start[v + 1]; e++) {
            uint32_t s = w->dag->succ[e];
            if (length[s] + 1 > length[v] || (length[s] + 1 == length[v] && s < w->best[v])) {
                length[v] = length[s] + 1;
                w->best[v] = s;
            }
        }
    }
}

/* The paths of all sources merge into a tree because each node has one best successor. Heights are
 * settled in topological order, in which all of a node's tree children come before it. */
static uint32_t tree_heights(work *w) {
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
static void by_height(const work *w, uint32_t *sorted) {
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
static void sort_sources(work *w, const uint32_t *sorted, uint32_t n) {
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
static void set_keys(work *w) {
    bool *seen = TN_ARRAY(w->scratch, bool, w->n);
    uint32_t *stack = TN_ARRAY(w->scratch, uint32_t, w->n + 1u);
    for (uint32_t i = 0; i < w->n_sources; i++) {
        uint64_t group = w->n_sources - 1 - i;
        uint32_t depth = 0;
        stack[depth++] = w->sources[i];
        w->key[w->sources[i]] = (w->n_sources + group) << 32 | w->sources[i];
        while (depth > 0) {
            uint32_t v = stack[--depth];
            for (uint32_t e = w->dag->start[v]; e < w->dag->start[v + 1]; e++) {
                uint32_t s = w->dag->succ[e];
                if (!seen[s]) {
                    seen[s] = true;
                    w->key[s] = group << 32 | s;
                    stack[depth++] = s;
                }
            }
        }
    }
}

typedef struct heap {
    const uint64_t *key;
    uint32_t *data, len;
} heap;

static void heap_push(heap *h, uint32_t v) {
    uint32_t i = h->len++;
    while (i > 0 && h->key[h->data[(i - 1) / 2]] > h->key[v]) {
        h->data[i] = h->data[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h->data[i] = v;
}

static uint32_t heap_pop(heap *h) {
    uint32_t top = h->data[0], last = h->data[--h->len], i = 0;
    for (;;) {
        uint32_t c = 2 * i + 1;
        if (c + 1 < h->len && h->key[h->data[c + 1]] < h->key[h->data[c]]) {
            c++;
        }
        if (c >= h->len || h->key[h->data[c]] >= h->key[last]) {
            break;
        }
        h->data[i] = h->data[c];
        i = c;
    }
    h->data[i] = last;
    return top;
}

static void by_keys(work *w, uint32_t *out) {
    uint32_t *waits = TN_ARRAY(w->scratch, uint32_t, w->n), len = 0;
    heap h = {.key = w->key, .data = TN_ARRAY(w->scratch, uint32_t, w->n + 1u)};
    memcpy(waits, w->dag->n_preds, w->n * sizeof *waits);
    for (uint32_t i = 0; i < w->n_sources; i++) {
        heap_push(&h, w->sources[i]);
    }
    while (h.len > 0) {
        uint32_t v = heap_pop(&h);
        out[len++] = v;
        for (uint32_t e = w->dag->start[v]; e < w->dag->start[v + 1]; e++) {
            if (--waits[w->dag->succ[e]] == 0) {
                heap_push(&h, w->dag->succ[e]);
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
    work w = {.dag = dag,
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
    by_keys(&w, out);
    return true;
}
