/* First fit in a conflict graph, and squeaky-wheel rounds: who ends too high comes earlier next
 * time. */
#include <string.h>

#include "ir/base/heap.h"
#include "ir/base/key_sort.h"
#include "ir/base/xmath.h"
#include "passes/pack/base/without.h"
#include "passes/pack/graph/graph.h"

static bool higher(const void *ctx, const tn_graph_range *x, const tn_graph_range *y) {
    (void)ctx;
    return x->lo > y->lo;
}

/* Heap sort: in place, and fast enough for a few neighbours. */
static void sort_ranges(tn_graph_range *ranges, size_t n) {
    for (size_t i = n / 2; i-- > 0;) {
        tn_heap_down(ranges, n, i, higher, NULL);
    }
    for (size_t end = n; end-- > 1;) {
        tn_graph_range last = ranges[end];
        ranges[end] = ranges[0];
        ranges[0] = last;
        tn_heap_down(ranges, end, 0, higher, NULL);
    }
}

uint64_t tn_graph_lowest(const tn_graph *g, uint32_t v, uint64_t from, const uint64_t *placed,
                         tn_graph_range *occupied) {
    const tn_pack_buffer *b = &g->buffers[v];
    uint64_t x = tn_round_up(from, b->align);
    size_t n = 0;
    for (uint32_t e = g->start[v]; e < g->start[v + 1]; e++) {
        uint64_t at = placed[g->near[e]];
        if (at != UINT64_MAX && at + g->buffers[g->near[e]].size > x) {
            occupied[n++] = (tn_graph_range){at, at + g->buffers[g->near[e]].size};
        }
    }
    sort_ranges(occupied, n);
    for (size_t i = 0; i < n && occupied[i].lo < x + b->size; i++) {
        if (occupied[i].hi > x) {
            x = tn_round_up(occupied[i].hi, b->align);
        }
    }
    return x;
}

typedef struct fitting {
    const tn_graph *g;
    uint64_t *offsets;
    tn_graph_range *occupied;
    tn_sort_key *keys;
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
    tn_sort_items(f->keys, g->n, f->order);
}

static uint64_t fit(fitting *f) {
    const tn_graph *g = f->g;
    uint64_t height = 0;
    memset(f->offsets, 0xff, g->n * sizeof *f->offsets);
    for (uint32_t k = 0; k < g->n; k++) {
        uint32_t v = f->order[k];
        uint64_t fixed = g->buffers[v].fixed;
        f->offsets[v] =
            fixed != TN_PACK_FREE ? fixed : tn_graph_lowest(g, v, 0, f->offsets, f->occupied);
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

#define GRAPH(id, name) name,
const char *const tn_graph_algorithms[] = {
#include "passes/pack/algorithms.def"
    NULL};

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

uint64_t tn_graph_fit(tn_arena *scratch, const tn_graph *g, const tn_graph_fits *options,
                      tn_graph_packing *best) {
    const char *only = options->only;
    uint64_t goal = options->goal;
    uint32_t rounds = tn_left_out(options->without, "graph-rounds") ? 0 : options->rounds;
    fitting f = {.g = g,
                 .offsets = TN_ARRAY(scratch, uint64_t, g->n),
                 .occupied = TN_ARRAY(scratch, tn_graph_range, g->n),
                 .keys = tn_sort_room(scratch, g->n),
                 .weight = TN_ARRAY(scratch, uint64_t, g->n),
                 .order = TN_ARRAY(scratch, uint32_t, g->n)};
    for (size_t r = 0; r < sizeof rules / sizeof rules[0] && best->height > goal; r++) {
        if ((only != NULL && strcmp(only, rules[r].name) != 0) ||
            tn_rule_left_out(options->without, "graph", rules[r].name)) {
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
