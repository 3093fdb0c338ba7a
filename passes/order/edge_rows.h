/* Lists of numbers of different lengths in one array: row i is item[start[i]] .. item[start[i + 1]
 * - 1]. */
#ifndef TENURE_PASSES_ORDER_EDGE_ROWS_H
#define TENURE_PASSES_ORDER_EDGE_ROWS_H

#include "ir/base/arena.h"

typedef struct tn_edge_rows {
    const uint32_t *start, *item;
} tn_edge_rows;

/* `n` rows from pairs in any order: with key 0 the first of a pair is the row and the second the
 * item, with key 1 the other way round. Items of a row keep the order of the pairs. */
tn_edge_rows tn_edge_rows_make(tn_arena *arena, uint32_t n, const uint32_t (*pairs)[2],
                               uint32_t n_pairs, int key);

static inline uint32_t tn_edge_rows_len(const tn_edge_rows *r, uint32_t i) {
    return r->start[i + 1] - r->start[i];
}

/* The pairs again, (row, item), with `more` free places behind them; *n_pairs is their number
 * without these. */
uint32_t (*tn_edge_rows_pairs(tn_arena *arena, const tn_edge_rows *r, uint32_t n, uint32_t more,
                              uint32_t *n_pairs))[2];

#endif
