#include "passes/order/edge_rows.h"

tn_edge_rows tn_edge_rows_make(tn_arena *arena, uint32_t n, const uint32_t (*pairs)[2],
                               uint32_t n_pairs, int key) {
    uint32_t *start = TN_ARRAY(arena, uint32_t, n + 2u), *item = TN_ARRAY(arena, uint32_t, n_pairs);
    for (uint32_t i = 0; i < n_pairs; i++) {
        start[pairs[i][key] + 2]++;
    }
    for (uint32_t i = 1; i <= n; i++) {
        start[i + 1] += start[i];
    }
    /* start[r + 1] is where row r is filled next, so it ends up as the row's end. */
    for (uint32_t i = 0; i < n_pairs; i++) {
        item[start[pairs[i][key] + 1]++] = pairs[i][1 - key];
    }
    return (tn_edge_rows){start, item};
}

uint32_t (*tn_edge_rows_pairs(tn_arena *arena, const tn_edge_rows *r, uint32_t n, uint32_t more,
                              uint32_t *n_pairs))[2] {
    uint32_t(*pairs)[2] = tn_arena_array(arena, (size_t)r->start[n] + more, sizeof *pairs);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t e = r->start[i]; e < r->start[i + 1]; e++) {
            pairs[e][0] = i;
            pairs[e][1] = r->item[e];
        }
    }
    *n_pairs = r->start[n];
    return pairs;
}
