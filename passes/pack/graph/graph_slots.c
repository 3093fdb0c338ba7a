/* Shared objects for a conflict graph: greedy, each buffer into the object of its group that grows
 * least by it, among those that hold nothing it conflicts with. Three orders, the cheapest counts.
 */
#include <string.h>

#include "ir/base/key_sort.h"
#include "ir/base/xmath.h"
#include "passes/pack/base/budgets.h"
#include "passes/pack/base/without.h"
#include "passes/pack/graph/graph.h"

enum { BY_CROWD, BY_SIZE, BY_CONFLICTS, N_ORDERS }; /* as tn_graph_algorithms has them */

typedef struct sharing {
    const tn_graph *g;
    const uint32_t *group; /* NULL: one for all */
    uint32_t *object;      /* by buffer; UINT32_MAX: none so far */
    uint64_t *sizes;       /* by object */
    uint32_t *members_of;  /* by object: its group */
    uint32_t *blocked;     /* by object: the last buffer, plus 1, that may not go there */
    uint32_t n_objects;
    uint64_t total;
} sharing;

static uint64_t weight_of(const tn_graph *g, uint32_t v, int order) {
    uint32_t near = g->start[v + 1] - g->start[v];
    uint64_t sum = g->buffers[v].size;
    for (uint32_t e = g->start[v]; e < g->start[v + 1] && order == BY_CROWD; e++) {
        sum += g->buffers[g->near[e]].size;
    }
    return order == BY_CONFLICTS ? near : sum;
}

static uint32_t group_of(const sharing *s, uint32_t v) {
    return s->group != NULL ? s->group[v] : 0;
}

static uint64_t growth(const sharing *s, uint32_t object, uint64_t size) {
    return size > s->sizes[object] ? size - s->sizes[object] : 0;
}

/* The object that grows least, of equal ones the one with the least room left over. */
static uint32_t find_object(sharing *s, uint32_t v) {
    const tn_graph *g = s->g;
    uint64_t size = g->buffers[v].size;
    uint32_t best = UINT32_MAX;
    for (uint32_t e = g->start[v]; e < g->start[v + 1]; e++) {
        uint32_t object = s->object[g->near[e]];
        if (object != UINT32_MAX) {
            s->blocked[object] = v + 1;
        }
    }
    for (uint32_t o = 0; o < s->n_objects; o++) {
        if (s->blocked[o] == v + 1 || s->members_of[o] != group_of(s, v)) {
            continue;
        }
        bool less = best == UINT32_MAX || growth(s, o, size) < growth(s, best, size) ||
                    (growth(s, o, size) == growth(s, best, size) && s->sizes[o] < s->sizes[best]);
        best = less ? o : best;
    }
    bool saves = best != UINT32_MAX && (size == 0 || growth(s, best, size) < size);
    return saves ? best : UINT32_MAX;
}

static sharing share(tn_arena *arena, const tn_graph *g, const uint32_t *group, int order) {
    sharing s = {.g = g,
                 .group = group,
                 .object = TN_ARRAY(arena, uint32_t, g->n),
                 .sizes = TN_ARRAY(arena, uint64_t, g->n),
                 .members_of = TN_ARRAY(arena, uint32_t, g->n),
                 .blocked = TN_ARRAY(arena, uint32_t, g->n)};
    tn_sort_key *keys = tn_sort_room(arena, g->n);
    uint32_t *by_weight = TN_ARRAY(arena, uint32_t, g->n);
    memset(s.object, 0xff, g->n * sizeof *s.object);
    for (uint32_t v = 0; v < g->n; v++) {
        keys[v] = (tn_sort_key){~weight_of(g, v, order), v};
    }
    tn_sort_items(keys, g->n, by_weight);
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t v = by_weight[i], object = find_object(&s, v);
        if (object == UINT32_MAX) {
            object = s.n_objects++;
            s.members_of[object] = group_of(&s, v);
        }
        s.total += growth(&s, object, g->buffers[v].size);
        s.sizes[object] += growth(&s, object, g->buffers[v].size);
        s.object[v] = object;
    }
    return s;
}

/* Those that all conflict with each other have an object each. */
static uint64_t find_bound(tn_arena *scratch, const tn_graph *g, uint32_t effort) {
    tn_clique clique = tn_graph_clique(scratch, g, tn_budget(TN_BUDGET_CLIQUE_NODES, effort), true);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < clique.n; i++) {
        sum += g->buffers[clique.members[i]].size;
    }
    return sum;
}

static bool sums_fit(const tn_pack_buffer *buffers, uint32_t n) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!tn_add_u64(sum, buffers[i].size, &sum) || sum > INT64_MAX) {
            return false;
        }
    }
    return true;
}

tn_status tn_pack_graph_slots(tn_arena *arena, const tn_pack_buffer *buffers, const uint32_t *group,
                              uint32_t n, const tn_conflict *conflicts, size_t n_conflicts,
                              const tn_pack_options *options, tn_slots_result *result) {
    const char *only = options->algorithm;
    memset(result, 0, sizeof *result);
    if (!tn_algorithm_known(tn_graph_algorithms, only)) {
        return TN_USAGE;
    }
    if (!sums_fit(buffers, n) || n_conflicts > UINT32_MAX / 4) {
        return TN_ERROR;
    }
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    tn_graph g = tn_graph_make(scratch, buffers, n, conflicts, n_conflicts);
    sharing best = {.total = UINT64_MAX};
    result->algorithm = "none";
    for (int order = 0; order < N_ORDERS; order++) {
        if (only != NULL && strcmp(only, tn_graph_algorithms[order]) != 0) {
            continue;
        }
        sharing s = share(scratch, &g, group, order);
        if (s.total < best.total) {
            best = s;
            result->algorithm = tn_graph_algorithms[order];
        }
    }
    result->object = TN_ARRAY(arena, uint32_t, n);
    result->sizes = TN_ARRAY(arena, uint64_t, best.n_objects);
    memcpy(result->object, best.object, n * sizeof *best.object);
    memcpy(result->sizes, best.sizes, best.n_objects * sizeof *best.sizes);
    result->n_objects = best.n_objects;
    result->total = best.total;
    result->bound = find_bound(scratch, &g, options->effort > 3 ? 3 : options->effort);
    result->bound_kind = TN_BOUND_CLIQUE;
    result->optimal = result->total == result->bound;
    tn_arena_drop(scratch);
    return options->capacity != 0 && result->total > options->capacity ? TN_NOFIT : TN_OK;
}
