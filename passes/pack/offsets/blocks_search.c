#include "passes/pack/offsets/blocks_search.h"

#include "passes/pack/base/budgets.h"
#include "passes/pack/base/without.h"
#include "passes/pack/offsets/blocks.h"
#include "passes/pack/offsets/exact/beam.h"
#include "passes/pack/offsets/first_fit.h"

static const uint32_t trusts[] = {0, 1, 2, 4, 8, 16};
enum { N_TRUSTS = sizeof trusts / sizeof trusts[0] };

typedef struct guessing {
    tn_arena *arena;
    const tn_inst *inst;
    const tn_search_options *options;
    tn_packing *best;
    tn_search_result *result;
    bool hopeless[N_TRUSTS]; /* searched through, or the same as the one before */
    uint64_t *offsets;
} guessing;

/* Where nothing may be wasted, one of the guesses is often all that beams need. */
static void run_beams(guessing *d, tn_arena *scratch, const tn_inst *blocks, uint64_t budget,
                      tn_packing *packing) {
    static const tn_valley_pick picks[] = {TN_PICK_NARROW, TN_PICK_LOWEST};
    uint64_t *offsets = TN_ARRAY(scratch, uint64_t, blocks->n);
    const tn_rows *rows = tn_rows_make(scratch, blocks);
    for (size_t k = 0; k < 2 && packing->height > d->options->goal; k++) {
        tn_question q = {.goal = d->options->goal, .budget = budget >> (k + 1)};
        if (tn_beam_run(scratch, rows, picks[k], &q, offsets, &d->result->nodes) == TN_FOUND) {
            tn_packing_offer(packing, blocks, offsets, "beam");
        }
    }
}

/* Packs the blocks; false when more nodes could not lead to anything of use. The first rounds ask
 * for the goal alone, later ones for any height below the best. */
static bool pack_blocks(guessing *d, tn_arena *scratch, const tn_inst *blocks, uint64_t budget,
                        tn_packing *packing) {
    bool first = budget == TN_LIMIT_BLOCK_NODES;
    tn_fits_options fits = {.rules = first ? 4 : 1,
                            .rounds = first ? 2 : 0,
                            .goal = d->options->goal,
                            .budget = TN_LIMIT_BLOCK_FIT_WORK,
                            .without = d->options->without};
    d->result->work += tn_fits_run(scratch, blocks, &fits, packing);
    if (packing->height <= d->options->goal || !tn_portfolio_possible(blocks)) {
        return false;
    }
    if (tn_beam_possible(blocks, d->options->goal) && !tn_left_out(d->options->without, "beam")) {
        run_beams(d, scratch, blocks, budget, packing);
    }
    if (packing->height <= d->options->goal || d->result->nodes >= d->options->budget) {
        return true;
    }
    tn_search_options search = *d->options;
    search.decide = d->options->decide || budget <= TN_LIMIT_ROUND_GROWTH * TN_LIMIT_BLOCK_NODES;
    uint64_t left = search.budget - d->result->nodes;
    search.budget = budget < left ? budget : left;
    tn_search_result found = {0};
    packing->height = packing->height < d->best->height ? packing->height : d->best->height;
    tn_portfolio_run(scratch, blocks, &search, packing, &found);
    d->result->nodes += found.nodes;
    return found.bound <= d->options->goal ||
           (!d->options->decide && found.bound < packing->height);
}

/* One guess; `before`: how many blocks the one before it had. Returns how many it has. */
static uint32_t try_guess(guessing *d, uint32_t k, uint64_t budget, uint32_t before) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(d->arena));
    tn_blocks *join = tn_blocks_make(scratch, d->inst, trusts[k], d->options->without);
    uint32_t n = join == NULL ? d->inst->n : tn_blocks_inst(join)->n;
    if (n == before || n == d->inst->n) {
        d->hopeless[k] = true;
    } else {
        const tn_inst *blocks = tn_blocks_inst(join);
        tn_packing packing = tn_packing_none(scratch, blocks);
        d->hopeless[k] = !pack_blocks(d, scratch, blocks, budget, &packing);
        tn_blocks_expand(join, packing.offsets, d->offsets);
        tn_packing_offer(d->best, d->inst, d->offsets, "blocks");
    }
    tn_arena_drop(scratch);
    return n;
}

void tn_blocks_search(tn_arena *arena, const tn_inst *inst, const tn_search_options *options,
                      tn_packing *best, tn_search_result *result) {
    guessing d = {.inst = inst, .options = options, .best = best, .result = result};
    d.arena = tn_arena_new(tn_arena_ctx(arena));
    d.offsets = TN_ARRAY(d.arena, uint64_t, inst->n);
    bool left = true;
    for (uint64_t budget = TN_LIMIT_BLOCK_NODES;
         left && !tn_clock_late(arena, options->deadline_ns); budget *= TN_LIMIT_ROUND_GROWTH) {
        uint32_t before = 0;
        left = false;
        uint32_t n = tn_left_out(options->without, "trust-levels") ? 1 : N_TRUSTS;
        for (uint32_t k = 0; k < n && best->height > options->goal; k++) {
            if (!d.hopeless[k] && result->nodes < options->budget) {
                before = try_guess(&d, k, budget, before);
                left |= !d.hopeless[k];
            }
        }
    }
    tn_arena_drop(d.arena);
}
