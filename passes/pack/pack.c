/* The road of tn_pack: normal form, fast fits, and the answer in the caller's terms. */
#include "passes/pack/pack.h"

#include <string.h>

#include "passes/pack/search.h"

static bool is_fit(const char *name) {
    for (const tn_fit_rule *rule = tn_fit_rules; rule->name != NULL; rule++) {
        if (strcmp(rule->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static tn_fits_options fits_options(const tn_inst *inst, const tn_pack_options *options) {
    static const uint32_t rounds[] = {0, 8, 64, 512};
    uint32_t effort = options->effort > 3 ? 3 : options->effort;
    bool searched = effort > 1 && tn_search_possible(inst);
    tn_fits_options f = {
        .one_pass = effort == 0 || options->algorithm != NULL,
        .rounds = options->algorithm != NULL ? 0 : rounds[searched ? 1 : effort],
        .goal = inst->bound > options->capacity ? inst->bound : options->capacity,
        .budget = UINT64_C(40000000) << (4 * effort),
        .only = options->algorithm,
    };
    return f;
}

static bool wants_search(const tn_inst *inst, const tn_pack_options *options,
                         const tn_packing *best) {
    uint64_t goal = inst->bound > options->capacity ? inst->bound : options->capacity;
    return options->effort > 0 && options->algorithm == NULL && best->height > goal &&
           tn_search_possible(inst);
}

/* Lowers `best` by search and raises the bound by what the search proves. */
static void search(tn_arena *scratch, const tn_inst *inst, const tn_pack_options *options,
                   tn_packing *best, tn_pack_result *result) {
    static const uint64_t budgets[] = {0, 20000, 1000000, 50000000};
    tn_search_options s = {
        .goal = inst->bound > options->capacity ? inst->bound : options->capacity,
        .budget = options->budget != 0 ? options->budget
                                       : budgets[options->effort > 3 ? 3 : options->effort],
        .threads = options->threads,
        .wall_ms = options->wall_ms,
    };
    tn_search_result found = {0};
    tn_search_run(scratch, inst, &s, best, &found);
    result->nodes = found.nodes;
    result->work += found.nodes;
    if (found.bound > result->bound) {
        result->bound = found.bound;
        result->bound_kind = TN_BOUND_SEARCH;
    }
}

/* Buffers that occupy nothing lie at 0 or where they are fixed. */
static void fill_offsets(const tn_inst *inst, const tn_pack_buffer *buffers, uint32_t n,
                         const tn_packing *packing, tn_pack_result *result) {
    for (uint32_t i = 0; i < n; i++) {
        uint64_t at = buffers[i].fixed == TN_PACK_FREE ? 0 : buffers[i].fixed;
        result->offsets[i] = at;
        uint64_t top = at + buffers[i].size;
        result->height = top > result->height ? top : result->height;
    }
    for (uint32_t i = 0; i < inst->n; i++) {
        result->offsets[inst->items[i].buffer] = packing->offsets[i] * inst->unit;
    }
    result->height = packing->height > result->height ? packing->height : result->height;
}

/* Fixed buffers alone, each where it has to be. */
static bool fixed_agree(tn_arena *scratch, const tn_pack_buffer *buffers, uint32_t n) {
    tn_pack_buffer *fixed = TN_ARRAY(scratch, tn_pack_buffer, n);
    uint64_t *offsets = TN_ARRAY(scratch, uint64_t, n);
    uint32_t k = 0, a, b;
    for (uint32_t i = 0; i < n; i++) {
        if (buffers[i].fixed != TN_PACK_FREE) {
            offsets[k] = buffers[i].fixed;
            fixed[k++] = buffers[i];
        }
    }
    return k == 0 || tn_pack_valid(scratch, fixed, k, offsets, &a, &b);
}

static tn_status solve(tn_arena *arena, tn_arena *scratch, const tn_pack_buffer *buffers,
                       uint32_t n, const tn_pack_options *options, tn_pack_result *result) {
    const tn_inst *inst = tn_inst_make(scratch, buffers, n);
    if (inst == NULL || !fixed_agree(scratch, buffers, n)) {
        return TN_ERROR;
    }
    result->bound = inst->bound;
    result->bound_kind = inst->bound_kind;
    tn_packing best = {TN_ARRAY(scratch, uint64_t, inst->n), 0, "none"};
    if (inst->n > 0) {
        tn_fits_options fits = fits_options(inst, options);
        result->work = tn_fits_run(scratch, inst, &fits, &best);
        result->bound_time = inst->time[inst->bound_section];
        if (wants_search(inst, options, &best)) {
            search(scratch, inst, options, &best, result);
        }
    }
    result->offsets = TN_ARRAY(arena, uint64_t, n);
    fill_offsets(inst, buffers, n, &best, result);
    result->optimal = result->height == result->bound;
    result->algorithm = best.algorithm;
    return options->capacity != 0 && result->height > options->capacity ? TN_NOFIT : TN_OK;
}

tn_status tn_pack(tn_arena *arena, const tn_pack_buffer *buffers, uint32_t n,
                  const tn_pack_options *options, tn_pack_result *result) {
    static const tn_pack_options defaults = {.effort = 1};
    options = options == NULL ? &defaults : options;
    memset(result, 0, sizeof *result);
    if (options->algorithm != NULL && !is_fit(options->algorithm)) {
        return TN_USAGE;
    }
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    tn_status status = solve(arena, scratch, buffers, n, options, result);
    tn_arena_drop(scratch);
    return status;
}
