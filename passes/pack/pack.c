/* What tn_pack does: normal form, fits and searches, and the answer in the caller's terms. */
#include "passes/pack/pack.h"

#include <string.h>

#include "passes/pack/base/budgets.h"
#include "passes/pack/base/without.h"
#include "passes/pack/offsets/blocks_search.h"
#include "passes/pack/offsets/exact/beam.h"
#include "passes/pack/offsets/first_fit.h"
#include "passes/pack/offsets/fullest.h"
#include "passes/pack/offsets/repair.h"
#include "passes/pack/offsets/stack_bound.h"

/* One request. */
typedef struct job {
    tn_arena *scratch;
    const tn_inst *inst;
    const tn_pack_options *options;
    uint32_t effort;
    uint64_t goal;        /* the bound, or a capacity above it */
    uint64_t deadline_ns; /* for searching; 0: none */
    tn_packing best;
    tn_pack_result *result;
} job;

/* Low enough, or proven impossible. */
static bool done(const job *j) {
    uint64_t capacity = j->options->capacity;
    return j->best.height <= j->goal || (capacity != 0 && j->result->bound > capacity);
}

/* With nothing left to spend a few fits are run all the same when there is no packing yet. */
static void run_fits(job *j, uint32_t skip, uint32_t rules, uint32_t rounds) {
    uint64_t budget =
        j->options->work != 0 ? j->options->work : tn_budget(TN_BUDGET_FIT_WORK, j->effort);
    bool spent = j->result->work >= budget;
    if (spent && j->best.height < UINT64_MAX) {
        return;
    }
    tn_fits_options f = {
        .skip = spent ? 0 : skip,
        .rules = spent ? TN_LIMIT_FITS_AT_LEAST : rules,
        .rounds = spent ? 0 : rounds,
        .goal = j->goal,
        .budget = spent ? UINT64_MAX : budget - j->result->work,
        .only = j->options->algorithm,
        .without = j->options->without,
    };
    tn_packing trial = tn_packing_none(j->scratch, j->inst);
    j->result->work += tn_fits_run(j->scratch, j->inst, &f, &trial);
    if (trial.height < j->best.height) {
        j->best = trial;
    }
}

typedef void search_fn(tn_arena *arena, const tn_inst *inst, const tn_search_options *options,
                       tn_packing *best, tn_search_result *result);

uint64_t tn_pack_nodes(uint32_t effort) {
    return tn_budget(TN_BUDGET_NODES, effort > 3 ? 3 : effort);
}

bool tn_pack_is_few(uint32_t n) {
    return n <= TN_LIMIT_FEW_ITEMS;
}

/* Nodes for a search that may take `part` of what the effort allows. */
static uint64_t node_budget(const job *j, uint32_t part) {
    uint32_t n = j->inst->n, effort = tn_pack_is_few(n) ? 2 : j->effort;
    uint64_t least = tn_budget(TN_BUDGET_NODES, 1);
    uint64_t nodes = tn_budget_for(TN_BUDGET_NODES, effort, n, TN_LIMIT_COMMON_ITEMS) / part;
    if (j->options->budget != 0) {
        return j->options->budget / part + 1;
    }
    return nodes < least ? least : nodes;
}

/* Lowers the best packing by search, and raises the bound by what the search proves. */
static void run_search(job *j, search_fn *fn, uint32_t part) {
    tn_search_options s = {
        .goal = j->goal,
        .decide = j->options->capacity != 0,
        .budget = node_budget(j, part),
        .threads = j->options->threads,
        .deadline_ns = j->deadline_ns,
        .without = j->options->without,
    };
    tn_search_result found = {0};
    fn(j->scratch, j->inst, &s, &j->best, &found);
    j->result->nodes += found.nodes;
    j->result->work += found.nodes + found.work;
    if (found.bound > j->result->bound) {
        j->result->bound = found.bound;
        j->result->bound_kind = TN_BOUND_SEARCH;
        j->goal = j->goal < found.bound ? found.bound : j->goal;
    }
}

/* Repairs, down to heights ever nearer to the best as they get harder. */
static void run_mend(job *j) {
    uint64_t budget = tn_budget(TN_BUDGET_REPAIR_WORK, j->effort), spent = 0;
    for (uint64_t part = 1; part <= TN_LIMIT_REPAIR_PARTS && !done(j) && spent < budget;) {
        uint64_t goal = j->best.height - (j->best.height - j->goal + part - 1) / part;
        tn_repair_options m = {
            .goal = goal, .budget = budget - spent, .without = j->options->without};
        spent += tn_repair_run(j->scratch, j->inst, &m, &j->best);
        part = j->best.height <= goal ? (part > 1 ? part / 2 : 1) : 4 * part;
    }
    j->result->work += spent;
}

static bool wanted(const job *j, const char *step) {
    return !tn_left_out(j->options->without, step);
}

/* What is quick and often enough; then buffers joined into blocks, the fullest moments exactly and
 * the rest around them; then all fast fits, exact search of everything, and repairs of what is
 * left.
 */
static void run_portfolio(job *j) {
    bool search = !j->inst->gaps;
    if (wanted(j, "quick-fits")) {
        run_fits(j, 0, TN_LIMIT_QUICK_FITS, 1);
    }
    if (!done(j) && search && j->inst->n > TN_LIMIT_FULLEST_ITEMS && wanted(j, "fullest")) {
        run_search(j, tn_fullest_run, TN_LIMIT_FULLEST_SHARE);
    }
    if (!done(j) && search && j->inst->n <= TN_LIMIT_BLOCK_ITEMS && wanted(j, "blocks")) {
        bool full = tn_beam_possible(j->inst, j->goal);
        run_search(j, tn_blocks_search, full ? 1 : TN_LIMIT_BLOCK_SHARE);
    }
    if (!done(j)) {
        run_fits(
            j, j->best.height == UINT64_MAX ? 0 : TN_LIMIT_QUICK_FITS, 0,
            (uint32_t)tn_budget(search ? TN_BUDGET_FIT_ROUNDS : TN_BUDGET_GAP_ROUNDS, j->effort));
    }
    if (!done(j) && tn_portfolio_possible(j->inst) && wanted(j, "portfolio")) {
        run_search(j, tn_portfolio_run, 1);
    }
    if (!done(j) && search && (j->effort > 1 || !tn_portfolio_possible(j->inst)) &&
        wanted(j, "repair")) {
        run_mend(j);
    }
}

static void run(job *j) {
    if (j->options->algorithm != NULL || j->effort == 0) {
        run_fits(j, 0, 1, 0);
    } else {
        run_portfolio(j);
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

/* Packs what is well formed; `inst` is its normal form. */
static void solve(tn_arena *arena, tn_arena *scratch, tn_inst *inst, const tn_pack_buffer *buffers,
                  uint32_t n, const tn_pack_options *options, tn_pack_result *result) {
    if (options->effort > 0 && !tn_left_out(options->without, "stack-bound")) {
        tn_stack_bound(scratch, inst);
    }
    result->bound = inst->bound;
    result->bound_kind = inst->bound_kind;
    job j = {.scratch = scratch, .inst = inst, .options = options, .result = result};
    j.effort = options->effort > 3 ? 3 : options->effort;
    j.deadline_ns = tn_deadline(options->wall_ms);
    j.goal = inst->bound > options->capacity ? inst->bound : options->capacity;
    j.best = tn_packing_none(scratch, inst);
    j.best.height = inst->n == 0 ? 0 : UINT64_MAX;
    if (inst->n > 0) {
        result->bound_time = inst->time[inst->bound_section];
        run(&j);
    }
    result->offsets = TN_ARRAY(arena, uint64_t, n);
    fill_offsets(inst, buffers, n, &j.best, result);
    result->algorithm = j.best.algorithm;
}

tn_status tn_pack(tn_arena *arena, const tn_pack_buffer *buffers, uint32_t n,
                  const tn_pack_options *options, tn_pack_result *result) {
    static const tn_pack_options defaults = {.effort = 1};
    options = options == NULL ? &defaults : options;
    memset(result, 0, sizeof *result);
    if (!tn_algorithm_known(tn_pack_algorithms, options->algorithm)) {
        return TN_USAGE;
    }
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    tn_inst *inst = tn_inst_make(scratch, buffers, n);
    bool good = inst != NULL && fixed_agree(scratch, buffers, n);
    if (good) {
        solve(arena, scratch, inst, buffers, n, options, result);
    }
    tn_arena_drop(scratch);
    result->optimal = good && result->height == result->bound;
    if (good && options->capacity == 0 && result->height == UINT64_MAX) {
        tn_bug(tn_arena_ctx(arena), "%u buffers were left without a packing", n);
    }
    return !good                                                          ? TN_ERROR
           : options->capacity != 0 && result->height > options->capacity ? TN_NOFIT
                                                                          : TN_OK;
}
