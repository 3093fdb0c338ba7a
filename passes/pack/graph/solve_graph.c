/* What tn_pack_graph does: the graph falls into connected parts, each is packed by itself, and
 * the highest says how high all are. */
#include <string.h>

#include "ir/base/xmath.h"
#include "passes/pack/base/budgets.h"
#include "passes/pack/base/stop.h"
#include "passes/pack/base/without.h"
#include "passes/pack/graph/graph.h"

typedef struct part {
    tn_graph g;
    uint32_t *ids; /* of its buffers, in the caller's array */
    tn_graph_packing best;
    uint64_t bound;
    tn_pack_bound kind;
    tn_clique clique; /* TN_BOUND_CLIQUE: local indices */
} part;

typedef struct job {
    tn_arena *scratch;
    const tn_pack_options *options;
    uint32_t effort;
    uint64_t deadline_ns;
    tn_pack_result *result;
} job;

/* Whether any stack of all buffers stays below 2^63 bytes, and all that is fixed is aligned. */
static bool sums_fit(const tn_pack_buffer *buffers, uint32_t n) {
    uint64_t sum = 0, highest = 0;
    for (uint32_t i = 0; i < n; i++) {
        const tn_pack_buffer *b = &buffers[i];
        uint64_t top = 0;
        bool free = b->fixed == TN_PACK_FREE;
        if (b->align == 0 || !tn_add_u64(sum, b->size, &sum) ||
            !tn_add_u64(sum, b->align - 1, &sum) || (!free && b->fixed % b->align != 0) ||
            (!free && !tn_add_u64(b->fixed, b->size, &top))) {
            return false;
        }
        highest = top > highest ? top : highest;
    }
    return tn_add_u64(sum, highest, &sum) && sum <= INT64_MAX;
}

static bool conflicts_fit(const tn_pack_buffer *buffers, uint32_t n, const tn_conflict *conflicts,
                          size_t n_conflicts) {
    for (size_t i = 0; i < n_conflicts; i++) {
        uint32_t a = conflicts[i].a, b = conflicts[i].b;
        if (a >= n || b >= n || a == b) {
            return false;
        }
        uint64_t x = buffers[a].fixed, y = buffers[b].fixed;
        if (x != TN_PACK_FREE && y != TN_PACK_FREE && x < y + buffers[b].size &&
            y < x + buffers[a].size) {
            return false;
        }
    }
    return n_conflicts <= UINT32_MAX / 4; /* neighbours are counted in 32 bits */
}

static uint64_t goal_of(const job *j, const part *p) {
    return p->bound > j->options->capacity ? p->bound : j->options->capacity;
}

static bool done(const job *j, const part *p) {
    uint64_t capacity = j->options->capacity;
    return p->best.height <= goal_of(j, p) || (capacity != 0 && p->bound > capacity);
}

static void raise_bound(part *p, uint64_t bound, tn_pack_bound kind) {
    if (bound > p->bound) {
        p->bound = bound;
        p->kind = kind;
    }
}

static void find_bound(const job *j, part *p) {
    p->clique = tn_graph_clique(j->scratch, &p->g, tn_budget(TN_BUDGET_CLIQUE_NODES, j->effort),
                                !tn_left_out(j->options->without, "clique-search"));
    raise_bound(p, p->clique.bytes, TN_BOUND_CLIQUE);
    for (uint32_t v = 0; v < p->g.n; v++) {
        const tn_pack_buffer *b = &p->g.buffers[v];
        raise_bound(p, (b->fixed == TN_PACK_FREE ? 0 : b->fixed) + b->size, TN_BOUND_BUFFER);
    }
}

/* Who is alive together is a clique. */
static void take_bound(part *p, const tn_pack_buffer *buffers, const tn_pack_result *r) {
    p->bound = r->bound;
    p->kind = r->bound_kind;
    if (r->bound_kind == TN_BOUND_LIVE || r->bound_kind == TN_BOUND_STACK) {
        p->kind = TN_BOUND_CLIQUE;
        p->clique.n = 0;
        for (uint32_t v = 0; v < p->g.n; v++) {
            if (buffers[v].first <= r->bound_time && r->bound_time < buffers[v].last) {
                p->clique.members[p->clique.n++] = v;
            }
        }
    }
}

/* Live ranges with the same conflicts: all that tn_pack knows then counts here too. */
static void try_intervals(const job *j, part *p) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(j->scratch));
    uint32_t n = p->g.n;
    int64_t *first = TN_ARRAY(scratch, int64_t, n), *last = TN_ARRAY(scratch, int64_t, n);
    tn_pack_result r;
    if (tn_graph_intervals(scratch, &p->g, first, last)) {
        tn_pack_buffer *buffers = TN_ARRAY(scratch, tn_pack_buffer, n);
        for (uint32_t v = 0; v < n; v++) {
            buffers[v] = p->g.buffers[v];
            buffers[v].first = first[v];
            buffers[v].last = last[v];
            buffers[v].n_gaps = 0;
        }
        tn_status status = tn_pack(scratch, buffers, n, j->options, &r);
        if ((status == TN_OK || status == TN_NOFIT) && r.height < p->best.height) {
            memcpy(p->best.offsets, r.offsets, n * sizeof *r.offsets);
            p->best.height = r.height;
            p->best.algorithm = r.algorithm;
        }
        if (r.bound > p->bound) {
            take_bound(p, buffers, &r);
        }
        j->result->nodes += r.nodes;
        j->result->work += r.work;
    }
    tn_arena_drop(scratch);
}

static uint64_t node_budget(const job *j, uint32_t n) {
    uint64_t nodes = tn_budget_for(TN_BUDGET_GRAPH_NODES, j->effort, n, TN_LIMIT_GRAPH_COMMON);
    return j->options->budget != 0 ? j->options->budget : nodes;
}

/* Whether anything is lower than `limit`; false when the budget ended before that was known. */
static bool search_below(const job *j, part *p, uint64_t limit, uint64_t budget) {
    tn_graph_search s = {limit, goal_of(j, p), budget, j->deadline_ns};
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(j->scratch));
    bool complete = tn_graph_search_run(scratch, &p->g, &s, &p->best, &j->result->nodes);
    tn_arena_drop(scratch);
    return complete;
}

/* The bound, or a capacity above it, is probed first. */
static void search_part(const job *j, part *p) {
    uint64_t budget = node_budget(j, p->g.n), goal = goal_of(j, p);
    if (p->g.n > TN_GRAPH_SEARCH || budget == 0) {
        return;
    }
    if (search_below(j, p, goal + 1, budget / TN_LIMIT_PROBE_SHARE) && p->best.height > goal) {
        raise_bound(p, goal + 1, TN_BOUND_SEARCH);
    }
    if (!done(j, p) && search_below(j, p, p->best.height, budget) &&
        p->best.height > goal_of(j, p)) {
        raise_bound(p, p->best.height, TN_BOUND_SEARCH);
    }
}

static void solve_part(const job *j, part *p) {
    const char *only = j->options->algorithm;
    find_bound(j, p);
    p->best = (tn_graph_packing){TN_ARRAY(j->scratch, uint64_t, p->g.n), UINT64_MAX, "none"};
    const char *rule = j->effort == 0 && only == NULL ? tn_graph_algorithms[0] : only;
    tn_graph_fits fits = {rule,
                          only != NULL ? 0 : (uint32_t)tn_budget(TN_BUDGET_GRAPH_ROUNDS, j->effort),
                          goal_of(j, p), j->options->without};
    j->result->work += tn_graph_fit(j->scratch, &p->g, &fits, &p->best);
    if (only == NULL && j->effort > 0 && !done(j, p) &&
        !tn_left_out(j->options->without, "intervals")) {
        try_intervals(j, p);
    }
    if (only == NULL && !done(j, p) && !tn_left_out(j->options->without, "graph-search")) {
        search_part(j, p);
    }
}

/* The connected part of `from`, as far as nobody before has been there. `local` gets its numbering.
 */
static part cut_part(tn_arena *scratch, const tn_graph *whole, uint32_t from, uint32_t *local) {
    TN_VEC(uint32_t) ids = {0};
    part p = {0};
    tn_vec_push(scratch, &ids, from);
    local[from] = 0;
    uint32_t n_near = 0;
    for (uint32_t k = 0; k < ids.len; k++) {
        uint32_t v = ids.data[k];
        n_near += whole->start[v + 1] - whole->start[v];
        for (uint32_t e = whole->start[v]; e < whole->start[v + 1]; e++) {
            if (local[whole->near[e]] == UINT32_MAX) {
                local[whole->near[e]] = ids.len;
                tn_vec_push(scratch, &ids, whole->near[e]);
            }
        }
    }
    tn_pack_buffer *buffers = TN_ARRAY(scratch, tn_pack_buffer, ids.len);
    tn_conflict *pairs = TN_ARRAY(scratch, tn_conflict, n_near / 2);
    uint32_t n_pairs = 0;
    for (uint32_t k = 0; k < ids.len; k++) {
        uint32_t v = ids.data[k];
        buffers[k] = whole->buffers[v];
        for (uint32_t e = whole->start[v]; e < whole->start[v + 1]; e++) {
            if (whole->near[e] > v) {
                pairs[n_pairs++] = (tn_conflict){k, local[whole->near[e]]};
            }
        }
    }
    p.ids = ids.data;
    p.g = tn_graph_make(scratch, buffers, ids.len, pairs, n_pairs);
    return p;
}

/* What is true of the highest part is true of all. */
static void take_over(tn_arena *arena, const part *p, tn_pack_result *result) {
    for (uint32_t v = 0; v < p->g.n; v++) {
        result->offsets[p->ids[v]] = p->best.offsets[v];
    }
    if (p->best.height > result->height) {
        result->height = p->best.height;
        result->algorithm = p->best.algorithm;
    }
    if (p->bound <= result->bound) {
        return;
    }
    result->bound = p->bound;
    result->bound_kind = p->kind;
    result->bound_set = NULL;
    result->n_bound_set = 0;
    if (p->kind == TN_BOUND_CLIQUE) {
        uint32_t *set = TN_ARRAY(arena, uint32_t, p->clique.n);
        for (uint32_t i = 0; i < p->clique.n; i++) {
            set[i] = p->ids[p->clique.members[i]];
        }
        result->bound_set = set;
        result->n_bound_set = p->clique.n;
    }
}

/* Buffers of size 0 conflict with nobody: they lie at 0 or where they are fixed. */
static tn_graph whole_graph(tn_arena *scratch, const tn_pack_buffer *buffers, uint32_t n,
                            const tn_conflict *conflicts, size_t n_conflicts) {
    tn_conflict *pairs = TN_ARRAY(scratch, tn_conflict, n_conflicts);
    size_t n_pairs = 0;
    for (size_t i = 0; i < n_conflicts; i++) {
        if (buffers[conflicts[i].a].size > 0 && buffers[conflicts[i].b].size > 0) {
            pairs[n_pairs++] = conflicts[i];
        }
    }
    return tn_graph_make(scratch, buffers, n, pairs, n_pairs);
}

static void solve(tn_arena *arena, job *j, const tn_graph *whole) {
    tn_pack_result *result = j->result;
    tn_arena *scratch = j->scratch;
    uint32_t *local = TN_ARRAY(scratch, uint32_t, whole->n);
    memset(local, 0xff, whole->n * sizeof *local);
    result->offsets = TN_ARRAY(arena, uint64_t, whole->n);
    result->algorithm = "none";
    result->bound_kind = TN_BOUND_BUFFER;
    for (uint32_t v = 0; v < whole->n; v++) {
        const tn_pack_buffer *b = &whole->buffers[v];
        if (b->size == 0) {
            result->offsets[v] = b->fixed == TN_PACK_FREE ? 0 : b->fixed;
            result->height =
                result->offsets[v] > result->height ? result->offsets[v] : result->height;
            result->bound = result->height;
        }
    }
    for (uint32_t v = 0; v < whole->n; v++) {
        if (local[v] == UINT32_MAX && whole->buffers[v].size > 0) {
            j->scratch = tn_arena_new(tn_arena_ctx(scratch));
            part p = cut_part(j->scratch, whole, v, local);
            solve_part(j, &p);
            take_over(arena, &p, result);
            tn_arena_drop(j->scratch);
        }
    }
    result->optimal = result->height == result->bound;
    result->work += result->nodes;
}

tn_status tn_pack_graph(tn_arena *arena, const tn_pack_buffer *buffers, uint32_t n,
                        const tn_conflict *conflicts, size_t n_conflicts,
                        const tn_pack_options *options, tn_pack_result *result) {
    static const tn_pack_options defaults = {.effort = 1};
    options = options == NULL ? &defaults : options;
    memset(result, 0, sizeof *result);
    if (!tn_algorithm_known(tn_graph_algorithms, options->algorithm)) {
        return TN_USAGE;
    }
    if (!sums_fit(buffers, n) || !conflicts_fit(buffers, n, conflicts, n_conflicts)) {
        return TN_ERROR;
    }
    job j = {.scratch = tn_arena_new(tn_arena_ctx(arena)),
             .options = options,
             .effort = options->effort > 3 ? 3 : options->effort,
             .deadline_ns = tn_deadline(options->wall_ms),
             .result = result};
    tn_arena *scratch = j.scratch;
    tn_graph whole = whole_graph(scratch, buffers, n, conflicts, n_conflicts);
    solve(arena, &j, &whole);
    tn_arena_drop(scratch);
    return options->capacity != 0 && result->height > options->capacity ? TN_NOFIT : TN_OK;
}
