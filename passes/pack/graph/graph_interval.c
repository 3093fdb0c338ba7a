/* Live ranges from conflicts. A graph is one of intervals exactly when its vertices can be numbered
 * so that whoever stands between a vertex and a later neighbour of it is its neighbour too; then a
 * vertex is live from its number to that of its last neighbour. Repeated lexicographic
 * breadth-first searches, each breaking ties by the reverse of the order before, come to such a
 * numbering for nearly all interval graphs (Corneil, Olariu and Stewart prove it for six with a
 * last one of another kind). What they find is checked, so a miss costs quality and never
 * correctness. */
#include <string.h>

#include "passes/pack/base/budgets.h"
#include "passes/pack/graph/graph.h"

#define NONE UINT32_MAX

/* Vertices not visited yet stand in cells, the cells and the vertices of each in lists. */
typedef struct cell {
    uint32_t head, tail; /* vertices */
    uint32_t before, after;
    uint32_t split; /* the cell in front that takes the neighbours of the pivot at hand */
    uint32_t pivot; /* for which `split` was made */
} cell;

typedef struct sweep {
    const tn_graph *g;
    cell *cells;
    uint32_t n_cells, first, spare;  /* spare: list of emptied cells, linked by `after` */
    uint32_t *cell_of, *next, *prev; /* by vertex */
} sweep;

static uint32_t new_cell(sweep *s) {
    uint32_t c = s->spare;
    if (c != NONE) {
        s->spare = s->cells[c].after;
    } else {
        c = s->n_cells++;
    }
    s->cells[c] = (cell){NONE, NONE, NONE, NONE, NONE, NONE};
    return c;
}

static void append(sweep *s, uint32_t c, uint32_t v) {
    s->cell_of[v] = c;
    s->next[v] = NONE;
    s->prev[v] = s->cells[c].tail;
    if (s->cells[c].tail == NONE) {
        s->cells[c].head = v;
    } else {
        s->next[s->cells[c].tail] = v;
    }
    s->cells[c].tail = v;
}

static void drop_cell(sweep *s, uint32_t c) {
    cell *at = &s->cells[c];
    if (at->before == NONE) {
        s->first = at->after;
    } else {
        s->cells[at->before].after = at->after;
    }
    if (at->after != NONE) {
        s->cells[at->after].before = at->before;
    }
    at->after = s->spare;
    s->spare = c;
}

static void leave(sweep *s, uint32_t v) {
    cell *c = &s->cells[s->cell_of[v]];
    if (s->prev[v] == NONE) {
        c->head = s->next[v];
    } else {
        s->next[s->prev[v]] = s->next[v];
    }
    if (s->next[v] == NONE) {
        c->tail = s->prev[v];
    } else {
        s->prev[s->next[v]] = s->prev[v];
    }
    if (c->head == NONE) {
        drop_cell(s, s->cell_of[v]);
    }
}

/* The cell in front of v's that gathers the neighbours of `pivot`. */
static uint32_t split_for(sweep *s, uint32_t v, uint32_t pivot) {
    uint32_t c = s->cell_of[v];
    if (s->cells[c].pivot != pivot) {
        uint32_t front = new_cell(s), before = s->cells[c].before;
        s->cells[front].before = before;
        s->cells[front].after = c;
        s->cells[front].pivot = pivot;
        s->cells[front].split = front;
        s->cells[c].before = front;
        s->cells[c].split = front;
        s->cells[c].pivot = pivot;
        if (before == NONE) {
            s->first = front;
        } else {
            s->cells[before].after = front;
        }
    }
    return s->cells[c].split;
}

/* Neighbours in the order in which `order` has them, so that cells keep that order. */
static void sort_neighbours(const tn_graph *g, const uint32_t *order, const uint32_t *start,
                            uint32_t *near, uint32_t *fill) {
    memcpy(fill, start, g->n * sizeof *fill);
    for (uint32_t k = 0; k < g->n; k++) {
        for (uint32_t e = g->start[order[k]]; e < g->start[order[k] + 1]; e++) {
            near[fill[g->near[e]]++] = order[k];
        }
    }
}

/* One search; ties go to who stands first in `order`, which becomes the order of visits. */
static void search(tn_arena *scratch, const tn_graph *g, uint32_t *order, uint32_t *near) {
    sweep s = {.g = g,
               .cells = TN_ARRAY(scratch, cell, 2 * (size_t)g->n + 2),
               .spare = NONE,
               .cell_of = TN_ARRAY(scratch, uint32_t, g->n),
               .next = TN_ARRAY(scratch, uint32_t, g->n),
               .prev = TN_ARRAY(scratch, uint32_t, g->n)};
    sort_neighbours(g, order, g->start, near, TN_ARRAY(scratch, uint32_t, g->n));
    s.first = new_cell(&s);
    for (uint32_t k = 0; k < g->n; k++) {
        append(&s, s.first, order[k]);
    }
    for (uint32_t k = 0; k < g->n; k++) {
        uint32_t pivot = s.cells[s.first].head;
        leave(&s, pivot);
        s.cell_of[pivot] = NONE;
        order[k] = pivot;
        for (uint32_t e = g->start[pivot]; e < g->start[pivot + 1]; e++) {
            uint32_t v = near[e];
            if (s.cell_of[v] != NONE) {
                uint32_t to = split_for(&s, v, pivot);
                leave(&s, v);
                append(&s, to, v);
            }
        }
    }
}

/* Live ranges by the order, if it is one of the kind wanted. */
static bool read_ranges(const tn_graph *g, const uint32_t *order, uint32_t *place, int64_t *first,
                        int64_t *last) {
    for (uint32_t k = 0; k < g->n; k++) {
        place[order[k]] = k;
    }
    for (uint32_t v = 0; v < g->n; v++) {
        uint32_t end = place[v], later = 0;
        for (uint32_t e = g->start[v]; e < g->start[v + 1]; e++) {
            uint32_t at = place[g->near[e]];
            later += at > place[v];
            end = at > end ? at : end;
        }
        if (end - place[v] != later) {
            return false;
        }
        first[v] = place[v];
        last[v] = (int64_t)end + 1;
    }
    return true;
}

static void turn(uint32_t *order, uint32_t n) {
    for (uint32_t i = 0; 2 * i + 1 < n; i++) {
        uint32_t swap = order[i];
        order[i] = order[n - 1 - i];
        order[n - 1 - i] = swap;
    }
}

bool tn_graph_intervals(tn_arena *scratch, const tn_graph *g, int64_t *first, int64_t *last) {
    uint32_t *order = TN_ARRAY(scratch, uint32_t, g->n), *place = TN_ARRAY(scratch, uint32_t, g->n);
    uint32_t *near = TN_ARRAY(scratch, uint32_t, g->start[g->n]);
    bool found = false;
    for (uint32_t v = 0; v < g->n; v++) {
        order[v] = v;
    }
    for (uint32_t k = 0; k < TN_LIMIT_INTERVAL_SWEEPS && !found; k++) {
        tn_arena *local = tn_arena_new(tn_arena_ctx(scratch));
        search(local, g, order, near);
        tn_arena_drop(local);
        found = read_ranges(g, order, place, first, last);
        turn(order, g->n);
        found = found || read_ranges(g, order, place, first, last);
    }
    return found;
}
