/* By dynamic programming over the sets of parts alive: for each set the lowest end of a stack of
 * just these, which is never worse for what comes above it. 2^k sets of k parts. */
#include "passes/pack/offsets/stack_bound.h"

#include "ir/base/key_sort.h"
#include "ir/base/xmath.h"
#include "passes/pack/base/budgets.h"

#define NEVER UINT64_MAX

/* Where a part ends when what lies below it ends at `below`; NEVER when it has to lie lower. */
static uint64_t end_above(const tn_inst *inst, const tn_span *s, uint64_t below) {
    const tn_item *item = &inst->items[s->item];
    if (below == NEVER || (item->fixed != TN_PACK_FREE && item->fixed + s->lo < below)) {
        return NEVER;
    }
    uint64_t at = item->fixed;
    if (at == TN_PACK_FREE) {
        at = below > s->lo ? tn_round_up(below - s->lo, item->align) : 0;
    }
    return at + s->hi;
}

/* Up to TN_LIMIT_STACK_PARTS parts in use in a section; one more when there are too many. */
static uint32_t find_parts(const tn_inst *inst, uint32_t section, uint32_t *parts) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < inst->n_spans && n <= TN_LIMIT_STACK_PARTS; i++) {
        if (inst->spans[i].a <= section && section < inst->spans[i].b) {
            if (n < TN_LIMIT_STACK_PARTS) {
                parts[n] = i;
            }
            n++;
        }
    }
    return n;
}

/* Bytes up to the end of the lowest stack of the parts. */
static uint64_t lowest_stack(const tn_inst *inst, const uint32_t *parts, uint32_t n,
                             uint64_t *end) {
    uint64_t bytes = NEVER;
    uint32_t all = (UINT32_C(1) << n) - 1;
    end[0] = 0;
    for (uint32_t set = 1; set <= all; set++) {
        end[set] = NEVER;
        for (uint32_t k = 0; k < n; k++) {
            if ((set >> k & 1) == 0) {
                continue;
            }
            const tn_span *s = &inst->spans[parts[k]];
            uint64_t top = end_above(inst, s, end[set & ~(UINT32_C(1) << k)]);
            end[set] = top < end[set] ? top : end[set];
            if (set == all && top != NEVER) { /* what rounding added at the very top is not used */
                uint64_t used = top * inst->unit - s->slack;
                bytes = used < bytes ? used : bytes;
            }
        }
    }
    return bytes == NEVER ? 0 : bytes;
}

void tn_stack_bound(tn_arena *arena, tn_inst *inst) {
    if (inst->plain || inst->n_sections == 0) {
        return;
    }
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    uint32_t m = inst->n_sections;
    tn_sort_key *keys = tn_sort_room(scratch, m);
    uint64_t *end = TN_ARRAY(scratch, uint64_t, (size_t)1 << TN_LIMIT_STACK_PARTS);
    for (uint32_t s = 0; s < m; s++) {
        keys[s] = (tn_sort_key){~inst->load[s], s};
    }
    tn_sort_keys(keys, m);
    for (uint32_t k = 0; k < m && k < TN_LIMIT_STACK_SECTIONS; k++) {
        uint32_t parts[TN_LIMIT_STACK_PARTS], n = find_parts(inst, keys[k].item, parts);
        uint64_t bytes = n > TN_LIMIT_STACK_PARTS ? 0 : lowest_stack(inst, parts, n, end);
        if (bytes > inst->bound) {
            inst->bound = bytes;
            inst->bound_kind = TN_BOUND_STACK;
            inst->bound_section = keys[k].item;
        }
    }
    tn_arena_drop(scratch);
}
