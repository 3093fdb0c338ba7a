/* Heavy cliques: buffers that all conflict with each other have to be stacked. Greedy growth from
 * every vertex first; then, in graphs that are not too large, depth-first search with the bound of
 * a greedy colouring: of vertices that do not conflict with each other a clique holds one at most.
 */
#include <string.h>

#include "ir/base/key_sort.h"
#include "passes/pack/base/budgets.h"
#include "passes/pack/graph/graph.h"

/* In a stack all but the topmost fill whole steps. */
static uint64_t filled(const tn_graph *g, uint32_t v) {
    uint64_t size = g->buffers[v].size, rest = size % g->step;
    return rest == 0 ? size : size + (g->step - rest);
}

uint64_t tn_clique_bytes(const tn_graph *g, const uint32_t *members, uint32_t n) {
    uint64_t sum = 0, slack = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t whole = filled(g, members[i]), over = whole - g->buffers[members[i]].size;
        sum += whole;
        slack = over > slack ? over : slack;
    }
    return sum - slack;
}

static void keep(const tn_graph *g, const uint32_t *members, uint32_t n, tn_clique *best) {
    uint64_t bytes = tn_clique_bytes(g, members, n);
    if (bytes > best->bytes) {
        memcpy(best->members, members, n * sizeof *members);
        best->n = n;
        best->bytes = bytes;
    }
}

static uint32_t heaviest(const tn_graph *g, const uint32_t *list, uint32_t n) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < n; i++) {
        best = g->buffers[list[i]].size > g->buffers[list[best]].size ? i : best;
    }
    return list[best];
}

/* Grows from v by the heaviest vertex that conflicts with all so far. `left` and `mark` are space
 * for a number a vertex; a mark says for which growth it holds. */
static uint32_t grow(const tn_graph *g, uint32_t v, uint32_t *members, uint32_t *left,
                     uint64_t *mark, uint64_t *stamp, uint64_t *budget) {
    uint32_t n = 0, n_left = g->start[v + 1] - g->start[v];
    memcpy(left, g->near + g->start[v], n_left * sizeof *left);
    members[n++] = v;
    while (n_left > 0) {
        uint32_t u = heaviest(g, left, n_left), kept = 0, degree = g->start[u + 1] - g->start[u];
        members[n++] = u;
        ++*stamp;
        for (uint32_t e = g->start[u]; e < g->start[u + 1]; e++) {
            mark[g->near[e]] = *stamp;
        }
        for (uint32_t i = 0; i < n_left; i++) {
            if (mark[left[i]] == *stamp) {
                left[kept++] = left[i];
            }
        }
        *budget -= *budget < n_left + degree ? *budget : n_left + degree;
        n_left = kept;
    }
    return n;
}

static void grow_all(tn_arena *scratch, const tn_graph *g, uint64_t budget, tn_clique *best) {
    uint32_t *members = TN_ARRAY(scratch, uint32_t, g->n);
    uint32_t *left = TN_ARRAY(scratch, uint32_t, g->n);
    uint64_t *mark = TN_ARRAY(scratch, uint64_t, g->n), stamp = 0;
    tn_sort_key *keys = tn_sort_room(scratch, g->n);
    for (uint32_t v = 0; v < g->n; v++) {
        keys[v] = (tn_sort_key){~g->buffers[v].size, v};
    }
    tn_sort_keys(keys, g->n);
    for (uint32_t k = 0; k < g->n && budget > 0; k++) {
        uint32_t n = grow(g, keys[k].item, members, left, mark, &stamp, &budget);
        keep(g, members, n, best);
    }
}

typedef struct clique_search {
    const tn_graph *g;
    tn_graph_rows rows;
    tn_clique *best;
    uint32_t *members, n; /* of the clique at hand */
    uint64_t weight;      /* of it, all steps whole */
    uint64_t nodes;       /* that may still be visited */
} clique_search;

/* The candidates by classes of a greedy colouring, with bound[i]: no clique of the first i + 1 of
 * them weighs more. */
static uint32_t colour(const clique_search *s, uint64_t *left, uint64_t *open, uint32_t *list,
                       uint64_t *bound) {
    uint32_t words = s->rows.words, n = 0;
    uint64_t sum = 0;
    for (bool any = true; any;) {
        uint64_t largest = 0;
        uint32_t from = n;
        memcpy(open, left, words * sizeof *open);
        for (uint32_t w = 0; w < words; w++) {
            while (open[w] != 0) {
                uint32_t v = w * 64 + (uint32_t)__builtin_ctzll(open[w]);
                const uint64_t *row = tn_graph_row(&s->rows, v);
                left[w] &= ~(UINT64_C(1) << (v % 64));
                open[w] &= ~(UINT64_C(1) << (v % 64));
                for (uint32_t k = w; k < words; k++) {
                    open[k] &= ~row[k];
                }
                list[n++] = v;
                largest = filled(s->g, v) > largest ? filled(s->g, v) : largest;
                bound[n - 1] = sum + largest;
            }
        }
        any = n > from;
        sum += largest;
    }
    return n;
}

/* Depth is at most the size of a clique, and that at most the vertices there are rows for. */
static void extend(tn_arena *arena, clique_search *s, const uint64_t *candidates) {
    uint32_t words = s->rows.words;
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    uint64_t *left = TN_ARRAY(scratch, uint64_t, words), *open = TN_ARRAY(scratch, uint64_t, words);
    uint32_t count = 0;
    for (uint32_t w = 0; w < words; w++) {
        left[w] = candidates[w];
        count += (uint32_t)__builtin_popcountll(candidates[w]);
    }
    uint32_t *list = TN_ARRAY(scratch, uint32_t, count);
    uint64_t *bound = TN_ARRAY(scratch, uint64_t, count);
    uint64_t *rest = TN_ARRAY(scratch, uint64_t, words), *next = TN_ARRAY(scratch, uint64_t, words);
    memcpy(rest, candidates, words * sizeof *rest);
    for (uint32_t i = colour(s, left, open, list, bound); i-- > 0 && s->nodes > 0;) {
        if (s->weight + bound[i] <= s->best->bytes) {
            break;
        }
        uint32_t v = list[i];
        const uint64_t *row = tn_graph_row(&s->rows, v);
        tn_bit_remove(rest, v);
        for (uint32_t w = 0; w < words; w++) {
            next[w] = rest[w] & row[w];
        }
        s->nodes--;
        s->members[s->n++] = v;
        s->weight += filled(s->g, v);
        keep(s->g, s->members, s->n, s->best);
        extend(scratch, s, next);
        s->weight -= filled(s->g, v);
        s->n--;
    }
    tn_arena_drop(scratch);
}

tn_clique tn_graph_clique(tn_arena *arena, const tn_graph *g, uint64_t budget, bool search) {
    tn_clique best = {.members = TN_ARRAY(arena, uint32_t, g->n)};
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    grow_all(scratch, g, budget * TN_LIMIT_CLIQUE_STEPS, &best);
    if (search && g->n <= TN_LIMIT_CLIQUE_ROWS) {
        clique_search s = {.g = g,
                           .rows = tn_graph_rows_make(scratch, g),
                           .best = &best,
                           .members = TN_ARRAY(scratch, uint32_t, g->n),
                           .nodes = budget};
        uint64_t *all = TN_ARRAY(scratch, uint64_t, s.rows.words);
        for (uint32_t v = 0; v < g->n; v++) {
            tn_bit_add(all, v);
        }
        extend(scratch, &s, all);
    }
    tn_arena_drop(scratch);
    return best;
}
