/* What tn_pack_slots does: groups are solved one by one, each by all algorithms until one meets
 * the bound and by search when none does, and the best answer of each is kept. */
#include <string.h>

#include "ir/base/key_sort.h"
#include "ir/base/xmath.h"
#include "passes/pack/base/budgets.h"
#include "passes/pack/base/stop.h"
#include "passes/pack/base/without.h"
#include "passes/pack/slots/slots_search.h"
#include "passes/pack/slots/slots_sweep.h"

/* In the order of tn_slot_algorithms. Sweeping in order is cheap at any size, never gives up, and
 * comes first. */
static const struct {
    const char *name;
    tn_slot_fn *fn;
} algorithms[] = {
#define SLOT(id, name) {name, tn_slots_##id},
#include "passes/pack/algorithms.def"
};

#define SLOT(id, name) name,
const char *const tn_slot_algorithms[] = {
#include "passes/pack/algorithms.def"
    NULL};

enum { N_ALGORITHMS = sizeof algorithms / sizeof algorithms[0] };

static tn_status check(const tn_pack_buffer *buffers, uint32_t n, const tn_pack_options *options) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (buffers[i].last <= buffers[i].first || !tn_add_u64(sum, buffers[i].size, &sum) ||
            sum > INT64_MAX) {
            return TN_ERROR;
        }
    }
    return tn_algorithm_known(tn_slot_algorithms, options->algorithm) ? TN_OK : TN_USAGE;
}

static void keep(tn_arena *scratch, const tn_slot_group *g, tn_sharing *trial, const char *name,
                 tn_sharing *best) {
    trial->total = tn_sharing_total(scratch, g, trial);
    trial->algorithm = name;
    if (best->algorithm == NULL || trial->total < best->total) {
        tn_sharing old = *best;
        *best = *trial;
        trial->object = old.object;
    }
}

/* One request. */
typedef struct job {
    tn_arena *arena;
    const tn_pack_options *options;
    uint32_t effort;
    uint64_t capacity; /* 0 also when there are groups: it says nothing about one of them */
    uint64_t deadline_ns;
    tn_slots_result *result;
} job;

/* Low enough, or proven impossible. */
static bool done(const job *j, const tn_slot_group *g, const tn_sharing *best) {
    return best->algorithm != NULL && (best->total <= g->bound || best->total <= j->capacity ||
                                       (j->capacity != 0 && g->bound > j->capacity));
}

static void try_algorithm(const job *j, const tn_slot_group *g, uint32_t k, tn_sharing *trial,
                          tn_sharing *best) {
    bool named = j->options->algorithm != NULL; /* then it is worth its time */
    uint64_t given = j->options->budget;
    uint64_t budget =
        given != 0 ? given : tn_budget(TN_BUDGET_SLOT_WORK, named && j->effort < 2 ? 2 : j->effort);
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(j->arena));
    if (algorithms[k].fn(scratch, g, budget, trial)) {
        keep(scratch, g, trial, algorithms[k].name, best);
    }
    tn_arena_drop(scratch);
}

static uint64_t share_of(const job *j, tn_budget_id id, uint32_t n) {
    uint64_t nodes = tn_budget_for(id, j->effort, n, TN_LIMIT_SLOT_COMMON);
    return j->options->budget != 0 ? j->options->budget : nodes;
}

/* Whether anything costs less than `limit`; what there is becomes the best. False when the budget
 * ended before that was known. */
static bool search_below(const job *j, const tn_slot_group *g, uint64_t limit, uint64_t budget,
                         tn_sharing *best) {
    uint64_t goal = g->bound > j->capacity ? g->bound : j->capacity;
    tn_slot_search s = {limit, goal, budget, j->deadline_ns};
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(j->arena));
    bool complete = tn_slots_search(scratch, g, &s, best, &j->result->nodes);
    tn_arena_drop(scratch);
    return complete;
}

static void raise_bound(const job *j, tn_slot_group *g, uint64_t bound) {
    g->bound = bound;
    j->result->bound_kind = TN_BOUND_SEARCH;
}

/* Sizes first: decides most groups that need few objects. With a capacity, anything up to it will
 * do, and the cheapest sharing is that too. */
static void choose_sizes(const job *j, tn_slot_group *g, uint64_t budget, tn_sharing *best) {
    uint64_t goal = g->bound > j->capacity ? g->bound : j->capacity, bound = g->bound;
    uint64_t limit = goal < best->total && j->capacity != 0 ? goal + 1 : best->total;
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(j->arena));
    tn_sharing found = {.object = TN_ARRAY(scratch, uint32_t, g->n)};
    if (tn_slots_by_sizes(scratch, g, limit, budget, j->deadline_ns, &found, &bound,
                          &j->result->nodes)) {
        memcpy(best->object, found.object, g->n * sizeof *found.object);
        best->n_objects = found.n_objects;
        best->total = bound;
        best->algorithm = "sizes";
    }
    if (bound > g->bound) {
        raise_bound(j, g, bound);
    }
    tn_arena_drop(scratch);
}

/* Searches the tree, the bound or a capacity above it first: it is often met, and a tight limit
 * keeps the tree small. All totals are multiples of a step. */
static void search_tree(const job *j, tn_slot_group *g, uint64_t budget, tn_sharing *best) {
    uint64_t goal = g->bound > j->capacity ? g->bound : j->capacity;
    if (search_below(j, g, goal + 1, budget / TN_LIMIT_PROBE_SHARE, best) && best->total > goal) {
        raise_bound(j, g, (goal / g->step + 1) * g->step);
    }
    if (!done(j, g, best) && search_below(j, g, best->total, budget, best) &&
        best->total > g->bound && best->total > j->capacity) {
        raise_bound(j, g, best->total);
    }
}

static void search_group(const job *j, tn_slot_group *g, tn_sharing *best) {
    if (g->n > TN_LIMIT_SLOT_ITEMS || j->effort == 0) {
        return;
    }
    if (!tn_left_out(j->options->without, "sizes")) {
        choose_sizes(j, g, share_of(j, TN_BUDGET_SLOT_STATES, g->n), best);
    }
    if (!done(j, g, best) && !tn_left_out(j->options->without, "tree-search")) {
        search_tree(j, g, share_of(j, TN_BUDGET_SLOT_NODES, g->n), best);
    }
}

/* When a named algorithm gives up, the sweep answers in its place. */
static tn_sharing solve_group(const job *j, tn_slot_group *g) {
    const char *only = j->options->algorithm;
    tn_sharing trial = {.object = TN_ARRAY(j->arena, uint32_t, g->n)};
    tn_sharing best = {.object = TN_ARRAY(j->arena, uint32_t, g->n)};
    for (uint32_t k = 0; k < N_ALGORITHMS && !done(j, g, &best); k++) {
        bool wanted = only != NULL ? strcmp(only, algorithms[k].name) == 0
                                   : best.algorithm == NULL || j->effort > 0;
        wanted = wanted && !tn_rule_left_out(j->options->without, "slots", algorithms[k].name);
        if (wanted) {
            try_algorithm(j, g, k, &trial, &best);
        }
    }
    if (best.algorithm == NULL) {
        try_algorithm(j, g, 0, &trial, &best);
    }
    if (only == NULL && !done(j, g, &best)) {
        search_group(j, g, &best);
    }
    return best;
}

/* Buffers by group; within a group by index. */
static uint32_t *by_group(tn_arena *scratch, const uint32_t *group, uint32_t n) {
    tn_sort_key *keys = tn_sort_room(scratch, n);
    for (uint32_t i = 0; i < n; i++) {
        keys[i] = (tn_sort_key){group == NULL ? 0 : group[i], i};
    }
    uint32_t *ids = TN_ARRAY(scratch, uint32_t, n);
    tn_sort_items(keys, n, ids);
    return ids;
}

/* Objects are numbered in the order in which buffers first name them. */
static void renumber(tn_arena *arena, tn_arena *scratch, const tn_pack_buffer *buffers, uint32_t n,
                     tn_slots_result *result) {
    uint32_t *now = TN_ARRAY(scratch, uint32_t, result->n_objects), count = 0;
    result->sizes = TN_ARRAY(arena, uint64_t, result->n_objects);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t *id = &now[result->object[i]];
        if (*id == 0) {
            *id = ++count;
        }
        result->object[i] = *id - 1;
        uint64_t *size = &result->sizes[*id - 1];
        *size = buffers[i].size > *size ? buffers[i].size : *size;
    }
    for (uint32_t k = 0; k < count; k++) {
        result->total += result->sizes[k];
    }
}

static void solve(job *j, tn_arena *scratch, const tn_pack_buffer *buffers, const uint32_t *group,
                  uint32_t n) {
    tn_slots_result *result = j->result;
    tn_arena *arena = j->arena;
    const uint32_t *ids = by_group(scratch, group, n);
    result->object = TN_ARRAY(arena, uint32_t, n);
    result->algorithm = "none";
    for (uint32_t from = 0, to; from < n; from = to) {
        to = from + 1;
        while (to < n && (group == NULL || group[ids[to]] == group[ids[from]])) {
            to++;
        }
        j->arena = tn_arena_new(tn_arena_ctx(arena));
        tn_slot_group g = tn_slot_group_make(j->arena, buffers, ids + from, to - from);
        tn_sharing s = solve_group(j, &g);
        for (uint32_t k = 0; k < g.n; k++) {
            result->object[ids[from + k]] = result->n_objects + s.object[k];
        }
        result->n_objects += s.n_objects;
        result->bound += g.bound;
        result->algorithm = from == 0 || result->algorithm == s.algorithm ? s.algorithm : "mixed";
        tn_arena_drop(j->arena);
    }
    renumber(arena, scratch, buffers, n, result);
    result->optimal = result->total == result->bound;
}

tn_status tn_pack_slots(tn_arena *arena, const tn_pack_buffer *buffers, const uint32_t *group,
                        uint32_t n, const tn_pack_options *options, tn_slots_result *result) {
    static const tn_pack_options defaults = {.effort = 1};
    options = options == NULL ? &defaults : options;
    memset(result, 0, sizeof *result);
    tn_status status = check(buffers, n, options);
    if (status != TN_OK) {
        return status;
    }
    result->bound_kind = TN_BOUND_RANKS;
    job j = {.arena = arena,
             .options = options,
             .effort = options->effort > 3 ? 3 : options->effort,
             .capacity = group == NULL ? options->capacity : 0,
             .deadline_ns = tn_deadline(options->wall_ms),
             .result = result};
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    solve(&j, scratch, buffers, group, n);
    tn_arena_drop(scratch);
    return options->capacity != 0 && result->total > options->capacity ? TN_NOFIT : TN_OK;
}
