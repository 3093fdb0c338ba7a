/* Conflict graphs as lists and rows, and the check of a packing. */
#include "passes/pack/graph/graph.h"

#include <string.h>

#include "ir/base/xmath.h"

uint64_t tn_graph_step(const tn_pack_buffer *buffers, uint32_t n) {
    uint64_t step = 0;
    for (uint32_t v = 0; v < n; v++) {
        step = tn_gcd(step, buffers[v].align);
    }
    return step == 0 ? 1 : step;
}

/* The neighbours of each vertex, in no order: those of v from first[v] to first[v + 1]. */
static void list_all(const tn_conflict *pairs, size_t n_pairs, uint32_t n, uint32_t *first,
                     uint32_t *all) {
    for (size_t i = 0; i < n_pairs; i++) {
        first[pairs[i].a + 2]++;
        first[pairs[i].b + 2]++;
    }
    for (uint32_t v = 2; v <= n + 1; v++) {
        first[v] += first[v - 1];
    }
    for (size_t i = 0; i < n_pairs; i++) {
        all[first[pairs[i].a + 1]++] = pairs[i].b;
        all[first[pairs[i].b + 1]++] = pairs[i].a;
    }
}

/* Handing each vertex, in order, to its neighbours sorts their lists; a neighbour named twice takes
 * it once. */
static void sort_lists(tn_arena *scratch, const uint32_t *first, const uint32_t *all, uint32_t n,
                       uint32_t *start, uint32_t *near) {
    uint32_t *sorted = TN_ARRAY(scratch, uint32_t, first[n]), len = 0;
    uint32_t *fill = TN_ARRAY(scratch, uint32_t, n), *seen = TN_ARRAY(scratch, uint32_t, n);
    memcpy(fill, first, n * sizeof *fill);
    for (uint32_t v = 0; v < n; v++) {
        for (uint32_t e = first[v]; e < first[v + 1]; e++) {
            if (seen[all[e]] != v + 1) {
                seen[all[e]] = v + 1;
                sorted[fill[all[e]]++] = v;
            }
        }
    }
    for (uint32_t v = 0; v < n; v++) {
        start[v] = len;
        memcpy(near + len, sorted + first[v], (fill[v] - first[v]) * sizeof *near);
        len += fill[v] - first[v];
    }
    start[n] = len;
}

tn_graph tn_graph_make(tn_arena *arena, const tn_pack_buffer *buffers, uint32_t n,
                       const tn_conflict *pairs, size_t n_pairs) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    uint32_t *first = TN_ARRAY(scratch, uint32_t, (size_t)n + 2);
    uint32_t *all = TN_ARRAY(scratch, uint32_t, 2 * n_pairs);
    uint32_t *start = TN_ARRAY(arena, uint32_t, (size_t)n + 1);
    uint32_t *near = TN_ARRAY(arena, uint32_t, 2 * n_pairs);
    list_all(pairs, n_pairs, n, first, all);
    sort_lists(scratch, first, all, n, start, near);
    tn_graph g = {.buffers = buffers, .n = n, .start = start, .near = near};
    g.step = tn_graph_step(buffers, n);
    tn_arena_drop(scratch);
    return g;
}

tn_graph_rows tn_graph_rows_make(tn_arena *arena, const tn_graph *g) {
    tn_graph_rows rows = {.words = g->n / 64 + 1};
    rows.bits = TN_ARRAY(arena, uint64_t, (size_t)g->n * rows.words);
    for (uint32_t v = 0; v < g->n; v++) {
        for (uint32_t e = g->start[v]; e < g->start[v + 1]; e++) {
            tn_bit_add(tn_graph_row(&rows, v), g->near[e]);
        }
    }
    return rows;
}

static bool stands_alone(const tn_pack_buffer *b, uint64_t offset) {
    uint64_t top;
    return b->align > 0 && offset % b->align == 0 &&
           (b->fixed == TN_PACK_FREE || b->fixed == offset) && tn_add_u64(offset, b->size, &top);
}

bool tn_pack_graph_valid(const tn_pack_buffer *buffers, uint32_t n, const tn_conflict *conflicts,
                         size_t n_conflicts, const uint64_t *offsets, uint32_t *a, uint32_t *b) {
    for (uint32_t i = 0; i < n; i++) {
        if (!stands_alone(&buffers[i], offsets[i])) {
            *a = *b = i;
            return false;
        }
    }
    for (size_t i = 0; i < n_conflicts; i++) {
        uint32_t x = conflicts[i].a, y = conflicts[i].b;
        if (offsets[x] < offsets[y] + buffers[y].size &&
            offsets[y] < offsets[x] + buffers[x].size) {
            *a = x;
            *b = y;
            return false;
        }
    }
    return true;
}
