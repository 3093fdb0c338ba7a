/* Exact search in a conflict graph: which of two conflicting buffers lies below the other, decided
 * as for active schedules (Giffler and Thompson). Every buffer left has a lowest place above what
 * it conflicts with so far. Of the one that would end lowest there, and those that conflict with
 * it, some one must start before that end in every packing that is pushed down as far as it goes;
 * each such candidate is tried as the next one.
 *
 * A branch ends where a clique of buffers left cannot be stacked below the limit any more, or where
 * the same buffers were left with the same lowest places before. */
#include <string.h>

#include "passes/pack/base/budgets.h"
#include "passes/pack/base/failed_states.h"
#include "passes/pack/base/stop.h"
#include "passes/pack/graph/graph.h"

#define NONE UINT32_MAX

typedef struct frame {
    uint32_t n_choices, next;
    uint32_t placed; /* the choice at work, or NONE */
} frame;

typedef struct search {
    const tn_graph *g;
    uint32_t n, n_free;
    tn_graph_rows rows;
    uint64_t *placed;  /* offsets of buffers that lie; UINT64_MAX for those left */
    uint64_t *fixed;   /* the same for fixed buffers alone */
    uint64_t *lowest;  /* n entries a depth: the lowest place of each buffer left */
    uint32_t *twin;    /* by vertex: an earlier one alike in all, or NONE */
    uint32_t *choices; /* n entries a depth */
    frame *frames;
    tn_graph_range *occupied;
    tn_clique cliques[TN_LIMIT_GRAPH_CLIQUES];
    uint32_t n_cliques;
    tn_failed_states failed;
    uint64_t limit;
} search;

static bool is_free(const search *s, uint32_t v) {
    return s->g->buffers[v].fixed == TN_PACK_FREE;
}

/* Above `from`, past the fixed neighbours. */
static uint64_t lift(search *s, uint32_t v, uint64_t from) {
    return tn_graph_lowest(s->g, v, from, s->fixed, s->occupied);
}

static bool alike(const search *s, uint32_t u, uint32_t v) {
    const tn_pack_buffer *a = &s->g->buffers[u], *b = &s->g->buffers[v];
    if (a->size != b->size || a->align != b->align || !is_free(s, u) || !is_free(s, v)) {
        return false;
    }
    const uint64_t *x = tn_graph_row(&s->rows, u), *y = tn_graph_row(&s->rows, v);
    for (uint32_t w = 0; w < s->rows.words; w++) {
        uint64_t us = (u / 64 == w ? UINT64_C(1) << (u % 64) : 0) |
                      (v / 64 == w ? UINT64_C(1) << (v % 64) : 0);
        if (((x[w] ^ y[w]) & ~us) != 0) {
            return false;
        }
    }
    return true;
}

static void find_twins(search *s) {
    for (uint32_t v = 0; v < s->n; v++) {
        s->twin[v] = NONE;
        for (uint32_t u = v; u-- > 0 && s->twin[v] == NONE;) {
            s->twin[v] = alike(s, u, v) ? u : NONE;
        }
    }
}

/* A clique round each vertex that none found before holds. */
static void find_cliques(tn_arena *arena, search *s) {
    bool *covered = TN_ARRAY(arena, bool, s->n);
    for (uint32_t v = 0; v < s->n && s->n_cliques < TN_LIMIT_GRAPH_CLIQUES; v++) {
        if (covered[v]) {
            continue;
        }
        tn_clique *c = &s->cliques[s->n_cliques++];
        c->members = TN_ARRAY(arena, uint32_t, s->n);
        c->members[c->n++] = v;
        for (uint32_t u = 0; u < s->n; u++) {
            bool fits = u != v;
            for (uint32_t i = 0; i < c->n && fits; i++) {
                fits = tn_graph_near(&s->rows, u, c->members[i]);
            }
            if (fits) {
                c->members[c->n++] = u;
            }
        }
        for (uint32_t i = 0; i < c->n; i++) {
            covered[c->members[i]] = true;
        }
    }
}

static search *make(tn_arena *arena, const tn_graph *g, const tn_graph_search *options) {
    search *s = TN_NEW(arena, search);
    size_t n = g->n;
    s->g = g;
    s->n = g->n;
    s->rows = tn_graph_rows_make(arena, g);
    s->placed = TN_ARRAY(arena, uint64_t, n);
    s->fixed = TN_ARRAY(arena, uint64_t, n);
    s->lowest = TN_ARRAY(arena, uint64_t, n * (n + 1));
    s->twin = TN_ARRAY(arena, uint32_t, n);
    s->choices = TN_ARRAY(arena, uint32_t, n * (n + 1));
    s->frames = TN_ARRAY(arena, frame, n + 1);
    s->occupied = TN_ARRAY(arena, tn_graph_range, n);
    s->failed = tn_failed_states_make(arena, options->budget);
    s->limit = options->limit;
    for (uint32_t v = 0; v < g->n; v++) {
        s->placed[v] = s->fixed[v] = g->buffers[v].fixed; /* TN_PACK_FREE is UINT64_MAX */
        s->n_free += is_free(s, v);
    }
    for (uint32_t v = 0; v < g->n; v++) {
        s->lowest[v] = is_free(s, v) ? lift(s, v, 0) : 0;
    }
    find_twins(s);
    find_cliques(arena, s);
    return s;
}

static bool left(const search *s, uint32_t v) {
    return s->placed[v] == UINT64_MAX;
}

static const uint64_t *lowest_at(const search *s, uint32_t depth) {
    return s->lowest + (size_t)depth * s->n;
}

/* Whether the clique's buffers that are left may still end below the limit: they are stacked from
 * the lowest place of any of them on, each but the topmost in whole steps. */
static bool clique_fits(const search *s, const tn_clique *c, const uint64_t *lowest,
                        uint32_t *members) {
    uint64_t from = UINT64_MAX;
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t v = c->members[i];
        if (left(s, v)) {
            members[n++] = v;
            from = lowest[v] < from ? lowest[v] : from;
        }
    }
    return n == 0 || from + tn_clique_bytes(s->g, members, n) < s->limit;
}

static bool may_fit(const search *s, uint32_t depth, uint32_t *members) {
    const uint64_t *lowest = lowest_at(s, depth);
    for (uint32_t v = 0; v < s->n; v++) {
        if (left(s, v) && lowest[v] + s->g->buffers[v].size >= s->limit) {
            return false;
        }
    }
    for (uint32_t i = 0; i < s->n_cliques; i++) {
        if (!clique_fits(s, &s->cliques[i], lowest, members)) {
            return false;
        }
    }
    return true;
}

/* Which buffers are left, and their lowest places. */
static void write_key(search *s, uint32_t depth) {
    const uint64_t *lowest = lowest_at(s, depth);
    tn_failed_key(&s->failed);
    for (uint32_t v = 0; v < s->n; v++) {
        tn_failed_put(&s->failed, left(s, v) ? lowest[v] / s->g->step + 1 : 0);
    }
}

/* Larger ones first: they are the harder to place later. */
static void add_choice(const search *s, uint32_t *choice, frame *f, uint32_t v) {
    uint32_t at = f->n_choices++;
    for (; at > 0 && s->g->buffers[choice[at - 1]].size < s->g->buffers[v].size; at--) {
        choice[at] = choice[at - 1];
    }
    choice[at] = v;
}

/* A buffer with an earlier twin waits for it when both have the same lowest place. */
static bool waits(const search *s, uint32_t v, const uint64_t *lowest) {
    uint32_t u = s->twin[v];
    return u != NONE && left(s, u) && lowest[u] == lowest[v];
}

static void list_choices(search *s, uint32_t depth) {
    const uint64_t *lowest = lowest_at(s, depth);
    frame *f = &s->frames[depth];
    uint32_t first = NONE;
    uint64_t end = UINT64_MAX;
    *f = (frame){.placed = NONE};
    for (uint32_t v = 0; v < s->n; v++) {
        if (left(s, v) && lowest[v] + s->g->buffers[v].size < end) {
            end = lowest[v] + s->g->buffers[v].size;
            first = v;
        }
    }
    for (uint32_t v = 0; v < s->n; v++) {
        if (left(s, v) && (v == first || tn_graph_near(&s->rows, v, first)) && lowest[v] < end &&
            !waits(s, v, lowest)) {
            add_choice(s, s->choices + (size_t)depth * s->n, f, v);
        }
    }
}

static bool enter(search *s, uint32_t depth) {
    uint32_t *space = s->choices + (size_t)depth * s->n; /* filled with choices only afterwards */
    if (!may_fit(s, depth, space)) {
        return false;
    }
    if (depth == s->n_free) {
        return true;
    }
    write_key(s, depth);
    if (tn_failed_known(&s->failed, 0)) {
        return false;
    }
    list_choices(s, depth);
    return true;
}

/* Places v at its lowest place; whoever conflicts with it and is left comes above. */
static void place(search *s, uint32_t depth, uint32_t v) {
    const uint64_t *now = lowest_at(s, depth);
    uint64_t *then = s->lowest + ((size_t)depth + 1) * s->n, top = now[v] + s->g->buffers[v].size;
    memcpy(then, now, s->n * sizeof *then);
    s->placed[v] = now[v];
    s->frames[depth].placed = v;
    for (uint32_t e = s->g->start[v]; e < s->g->start[v + 1]; e++) {
        uint32_t u = s->g->near[e];
        if (left(s, u) && then[u] < top) {
            then[u] = lift(s, u, top);
        }
    }
}

static void keep(search *s, tn_graph_packing *best) {
    uint64_t height = 0;
    for (uint32_t v = 0; v < s->n; v++) {
        uint64_t top = s->placed[v] + s->g->buffers[v].size;
        height = top > height ? top : height;
    }
    memcpy(best->offsets, s->placed, s->n * sizeof *s->placed);
    best->height = s->limit = height;
    best->algorithm = "search";
}

bool tn_graph_search_run(tn_arena *scratch, const tn_graph *g, const tn_graph_search *options,
                         tn_graph_packing *best, uint64_t *nodes) {
    search *s = make(scratch, g, options);
    uint64_t budget = options->budget;
    bool open = enter(s, 0);
    for (uint32_t depth = 0; open && s->limit > options->goal;) {
        frame *f = &s->frames[depth];
        bool late =
            budget % TN_LIMIT_CLOCK_EVERY == 0 && tn_clock_late(scratch, options->deadline_ns);
        if (budget == 0 || late) {
            return false;
        }
        if (f->placed != NONE) {
            s->placed[f->placed] = UINT64_MAX;
            f->placed = NONE;
        }
        if (f->next < f->n_choices) {
            place(s, depth, s->choices[(size_t)depth * s->n + f->next++]);
            budget--;
            ++*nodes;
            if (enter(s, depth + 1)) {
                if (depth + 1 == s->n_free) {
                    keep(s, best);
                } else {
                    depth++;
                }
            }
            continue;
        }
        write_key(s, depth);
        tn_failed_add(&s->failed, 0);
        open = depth > 0;
        depth -= open ? 1 : 0;
    }
    return true;
}
