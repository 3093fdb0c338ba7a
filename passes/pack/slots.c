/* The road of tn_pack_slots: groups are solved one by one, each by all algorithms, and the best
 * answer of each is kept. */
#include "passes/pack/slots.h"

#include <string.h>

#include "ir/base/xmath.h"
#include "passes/pack/sort.h"

/* In the order of tn_slot_algorithms. Sweeping in order is cheap at any size and comes first. */
static const struct {
    const char *name;
    tn_slot_fn *fn;
} algorithms[] = {
#define SLOT(id, name) {name, tn_slots_##id},
#include "passes/pack/algorithms.def"
};

enum { N_ALGORITHMS = sizeof algorithms / sizeof algorithms[0] };
static const uint64_t default_budget[] = {2000000, 20000000, 100000000, 1000000000};

static tn_status check(const tn_pack_buffer *buffers, uint32_t n, const tn_pack_options *options) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (buffers[i].last <= buffers[i].first || !tn_add_u64(sum, buffers[i].size, &sum) ||
            sum > INT64_MAX) {
            return TN_ERROR;
        }
    }
    for (uint32_t k = 0; k < N_ALGORITHMS && options->algorithm != NULL; k++) {
        if (strcmp(options->algorithm, algorithms[k].name) == 0) {
            return TN_OK;
        }
    }
    return options->algorithm == NULL ? TN_OK : TN_USAGE;
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

/* When a named algorithm gives up, the sweep answers in its place. */
static tn_sharing solve_group(tn_arena *arena, const tn_slot_group *g,
                              const tn_pack_options *options) {
    uint64_t budget = options->budget != 0
                          ? options->budget
                          : default_budget[options->effort > 3 ? 3 : options->effort];
    tn_sharing trial = {.object = TN_ARRAY(arena, uint32_t, g->n)};
    tn_sharing best = {.object = TN_ARRAY(arena, uint32_t, g->n)};
    for (uint32_t k = 0; k < N_ALGORITHMS; k++) {
        if (options->algorithm != NULL && strcmp(options->algorithm, algorithms[k].name) != 0) {
            continue;
        }
        tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
        if (algorithms[k].fn(scratch, g, budget, &trial)) {
            keep(scratch, g, &trial, algorithms[k].name, &best);
        }
        tn_arena_drop(scratch);
        if (best.algorithm != NULL && (best.total == g->bound || options->effort == 0)) {
            break;
        }
    }
    if (best.algorithm == NULL) {
        tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
        tn_slots_in_order(scratch, g, budget, &trial);
        keep(scratch, g, &trial, "order", &best);
        tn_arena_drop(scratch);
    }
    return best;
}

/* Buffers by group; within a group by index. */
static uint32_t *by_group(tn_arena *scratch, const uint32_t *group, uint32_t n) {
    tn_sort_key *keys = TN_ARRAY(scratch, tn_sort_key, n),
                *spare = TN_ARRAY(scratch, tn_sort_key, n);
    for (uint32_t i = 0; i < n; i++) {
        keys[i] = (tn_sort_key){group == NULL ? 0 : group[i], i};
    }
    tn_sort_keys(keys, spare, n);
    uint32_t *ids = TN_ARRAY(scratch, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        ids[i] = keys[i].item;
    }
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

static void solve(tn_arena *arena, tn_arena *scratch, const tn_pack_buffer *buffers,
                  const uint32_t *group, uint32_t n, const tn_pack_options *options,
                  tn_slots_result *result) {
    const uint32_t *ids = by_group(scratch, group, n);
    result->object = TN_ARRAY(arena, uint32_t, n);
    result->algorithm = "none";
    for (uint32_t from = 0, to; from < n; from = to) {
        to = from + 1;
        while (to < n && (group == NULL || group[ids[to]] == group[ids[from]])) {
            to++;
        }
        tn_arena *local = tn_arena_new(tn_arena_ctx(arena));
        tn_slot_group g = tn_slot_group_make(local, buffers, ids + from, to - from);
        tn_sharing s = solve_group(local, &g, options);
        for (uint32_t k = 0; k < g.n; k++) {
            result->object[ids[from + k]] = result->n_objects + s.object[k];
        }
        result->n_objects += s.n_objects;
        result->bound += g.bound;
        result->algorithm = from == 0 || result->algorithm == s.algorithm ? s.algorithm : "mixed";
        tn_arena_drop(local);
    }
    renumber(arena, scratch, buffers, n, result);
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
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    solve(arena, scratch, buffers, group, n, options, result);
    tn_arena_drop(scratch);
    return options->capacity != 0 && result->total > options->capacity ? TN_NOFIT : TN_OK;
}
