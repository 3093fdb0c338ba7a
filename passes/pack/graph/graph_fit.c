/* First fit in a conflict graph, and squeaky-wheel rounds: who ends too high comes earlier next
 * time. */
#include <string.h>

#include "passes/pack/graph.h"
#include "passes/pack/sort.h"

static uint64_t align_up(uint64_t x, uint64_t align) {
    return x % align == 0 ? x : x + (align - x % align);
}

/* Heap sort by the first number of each pair: in place, and fast enough for a few neighbours. */
static void sift(uint64_t *pairs, size_t at, size_t n) {
    uint64_t x = pairs[2 * at], y = pairs[2 * at + 1];
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        child += child + 1 < n && pairs[2 * (child + 1)] > pairs[2 * child] ? 1 : 0;
        if (pairs[2 * child] <= x) {
            break;
        }
        pairs[2 * at] = pairs[2 * child];
        pairs[2 * at + 1] = pairs[2 * child + 1];
    }
    pairs[2 * at] = x;
    pairs[2 * at + 1] = y;
}

static void sort_pairs(uint64_t *pairs, size_t n) {
    for (size_t i = n / 2; i-- > 0;) {
        sift(pairs, i, n);
    }
    for (size_t end = n; end-- > 1;) {
        uint64_t x = pairs[0], y = pairs[1];
        pairs[0] = pairs[2 * end];
        pairs[1] = pairs[2 * end + 1];
        pairs[2 * end] = x;
        pairs[2 * end + 1] = y;
        sift(pairs, 0, end);
    }
}

uint64_t tn_graph_lowest(const tn_graph *g, uint32_t v, uint64_t from, const uint64_t *placed,
                         uint64_t *tops) {
    const tn_pack_buffer *b = &g->buffers[v];
    uint64_t x = align_up(from, b->align);
    size_t n = 0;
    for (uint32_t e = g->start[v]; e < g->start[v + 1]; e++) {
        uint64_t at = placed[g->near[e]];
        if (at != UINT64_MAX && at + g->buffers[g->near[e]].size > x) {
            tops[2 * n] = at;
            tops[2 * n++ + 1] = at + g->buffers[g->near[e]].size;
        }
    }
    sort_pairs(tops, n);
    for (size_t i = 0; i < n && tops[2 * i] < x + b->size; i++) {
        if (tops[2 * i + 1] > x) {
            x = align_up(tops[2 * i + 1], b->align);
        }
    }
    return x;
}

typedef struct fitting {
    const tn_graph *g;
    uint64_t *offsets, *tops;
    tn_sort_key *keys, *spare;
    uint64_t *weight; /* what the order goes by, larger first */
    uint32_t *order;
    uint64_t work;
} fitting;

/* Fixed buffers first, then by weight. */
static void make_order(fitting *f) {
    const tn_graph *g = f->g;
    for (uint32_t v = 0; v < g->n; v++) {
        f->keys[v] = (tn_sort_key){g->buffers[v].fixed != TN_PACK_FREE ? 0 : ~f->weight[v], v};
    }
    tn_sort_keys(f->keys, f->spare, g->n);
    for (uint32_t k = 0; k < g->n; k++) {
        f->order[k] = f->keys[k].item;
    }
}

static uint64_t fit(fitting *f) {
    const tn_graph *g = f->g;
    uint64_t height = 0;
    memset(f->offsets, 0xff, g->n * sizeof *f->offsets);
    for (uint32_t k = 0; k < g->n; k++) {
        uint32_t v = f->order[k];
        uint64_t fixed = g->buffers[v].fixed;
        f->offsets[v] =
            fixed != TN_PACK_FREE ? fixed : tn_graph_lowest(g, v, 0, f->offsets, f->tops);
        uint64_t top = f->offsets[v] + g->buffers[v].size;
        height = top > height ? top : height;
        f->work += 1 + g->start[v + 1] - g->start[v];
    }
    return height;
}

static void keep(const fitting *f, uint64_t height, const char *name, tn_graph_packing *best) {
    if (height < best->height) {
        memcpy(best->offsets, f->offsets, f->g->n * sizeof *f->offsets);
        best->height = height;
        best->algorithm = name;
    }
}

static void weigh_crowd(fitting *f) {
    const tn_graph *g = f->g;
    for (uint32_t v = 0; v < g->n; v++) {
        f->weight[v] = g->buffers[v].size;
        for (uint32_t e = g->start[v]; e < g->start[v + 1]; e++) {
            f->weight[v] += g->buffers[g->near[e]].size;
        }
    }
}

static void weigh_size(fitting *f) {
    for (uint32_t v = 0; v < f->g->n; v++) {
        f->weight[v] = f->g->buffers[v].size;
    }
}

static void weigh_conflicts(fitting *f) {
    for (uint32_t v = 0; v < f->g->n; v++) {
        f->weight[v] = f->g->start[v + 1] - f->g->start[v];
    }
}

static const struct {
    const char *name;
    void (*weigh)(fitting *f);
} rules[] = {
#define GRAPH(id, name) {name, weigh_##id},
#include "passes/pack/algorithms.def"
};

/* Blame: whoever ends above the goal gets a weight beyond what it had, in proportion. */
static void blame(fitting *f, uint64_t goal) {
    for (uint32_t v = 0; v < f->g->n; v++) {
        uint64_t top = f->offsets[v] + f->g->buffers[v].size;
        f->weight[v] += top > goal && f->weight[v] < UINT64_MAX / 2 ? f->weight[v] / 4 + 1 : 0;
    }
}

uint64_t tn_graph_fit(tn_arena *scratch, const tn_graph *g, const char *only, uint32_t rounds,
                      uint64_t goal, tn_graph_packing *best) {
    fitting f = {.g = g,
                 .offsets = TN_ARRAY(scratch, uint64_t, g->n),
                 .tops = TN_ARRAY(scratch, uint64_t, 2 * (size_t)g->n),
                 .keys = TN_ARRAY(scratch, tn_sort_key, g->n),
                 .spare = TN_ARRAY(scratch, tn_sort_key, g->n),
                 .weight = TN_ARRAY(scratch, uint64_t, g->n),
                 .order = TN_ARRAY(scratch, uint32_t, g->n)};
    for (size_t r = 0; r < sizeof rules / sizeof rules[0] && best->height > goal; r++) {
        if (only != NULL && strcmp(only, rules[r].name) != 0) {
            continue;
        }
        rules[r].weigh(&f);
        for (uint32_t k = 0; k <= rounds && best->height > goal; k++) {
            make_order(&f);
            keep(&f, fit(&f), rules[r].name, best);
            blame(&f, goal);
        }
    }
    return f.work;
}
