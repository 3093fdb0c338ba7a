#include <string.h>

#include "passes/order/order.h"

tn_dag tn_dag_make(tn_arena *arena, uint32_t n, const uint32_t (*edges)[2], uint32_t n_edges) {
    uint32_t *start = TN_ARRAY(arena, uint32_t, n + 1u), *succ = TN_ARRAY(arena, uint32_t, n_edges);
    uint32_t *n_preds = TN_ARRAY(arena, uint32_t, n), *fill = TN_ARRAY(arena, uint32_t, n + 1u);
    for (uint32_t i = 0; i < n_edges; i++) {
        start[edges[i][0] + 1]++;
        n_preds[edges[i][1]]++;
    }
    for (uint32_t v = 0; v < n; v++) {
        start[v + 1] += start[v];
        fill[v] = start[v];
    }
    for (uint32_t i = 0; i < n_edges; i++) {
        succ[fill[edges[i][0]]++] = edges[i][1];
    }
    return (tn_dag){.n = n, .start = start, .succ = succ, .n_preds = n_preds};
}

/* `out` is the queue: what has been taken from it is the order. */
bool tn_order_kahn(const tn_dag *dag, tn_arena *scratch, uint32_t *out, uint32_t *stuck) {
    uint32_t *waits = TN_ARRAY(scratch, uint32_t, dag->n);
    uint32_t taken = 0, len = 0;
    memcpy(waits, dag->n_preds, (size_t)dag->n * sizeof *waits);
    for (uint32_t v = 0; v < dag->n; v++) {
        if (waits[v] == 0) {
            out[len++] = v;
        }
    }
    while (taken < len) {
        uint32_t v = out[taken++];
        for (uint32_t e = dag->start[v]; e < dag->start[v + 1]; e++) {
            if (--waits[dag->succ[e]] == 0) {
                out[len++] = dag->succ[e];
            }
        }
    }
    for (*stuck = 0; *stuck < dag->n && waits[*stuck] == 0;) {
        (*stuck)++;
    }
    return len == dag->n;
}
