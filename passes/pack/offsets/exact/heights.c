/* The top of a packing pushed down is a sum of sizes, as long as nothing is fixed or aligned to
 * more than a unit: which sums there are is kept as bits, if they are not too many. */
#include "passes/pack/offsets/exact/heights.h"

#include "passes/pack/base/budgets.h"

/* reached |= reached << by */
static void shift_or(uint64_t *reached, uint32_t words, uint64_t by) {
    uint32_t jump = (uint32_t)(by / 64), bits = (uint32_t)(by % 64);
    for (uint32_t w = words; w-- > jump;) {
        uint64_t x = reached[w - jump] << bits;
        if (bits > 0 && w > jump) {
            x |= reached[w - jump - 1] >> (64 - bits);
        }
        reached[w] |= x;
    }
}

/* Bits of the sums of sizes up to `most` units, or NULL when there are too many. */
static uint64_t *find_sums(tn_arena *scratch, const tn_inst *inst, uint64_t most) {
    if (most >= TN_LIMIT_HEIGHT_UNITS || !inst->plain || inst->gaps) {
        return NULL;
    }
    uint32_t words = (uint32_t)(most / 64) + 1;
    uint64_t *reached = TN_ARRAY(scratch, uint64_t, words);
    reached[0] = 1;
    for (uint32_t i = 0; i < inst->n; i++) {
        if (inst->items[i].size <= most) {
            shift_or(reached, words, inst->items[i].size);
        }
    }
    return reached;
}

uint64_t tn_heights_above(tn_arena *arena, const tn_inst *inst, uint64_t height) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    uint64_t total = 0, best = UINT64_MAX;
    for (uint32_t i = 0; i < inst->n; i++) {
        total += inst->items[i].size;
    }
    const uint64_t *sums = find_sums(scratch, inst, total);
    for (uint32_t i = 0; i < inst->n; i++) { /* it is the slack of the topmost that counts */
        uint64_t slack = inst->items[i].slack;
        uint64_t units = (height + slack) / inst->unit + 1;
        while (sums != NULL && units < total && !(sums[units / 64] >> (units % 64) & 1)) {
            units++;
        }
        uint64_t top = units * inst->unit - slack;
        best = top < best ? top : best;
    }
    tn_arena_drop(scratch);
    return best;
}
