#include "passes/pack/offsets/fullest.h"

#include <string.h>

#include "passes/pack/base/budgets.h"
#include "passes/pack/offsets/first_fit.h"

typedef struct full_items {
    uint32_t *items; /* packed by search */
    bool *in;        /* of each item: it is one of them */
    uint32_t n;
} full_items;

static uint32_t count_loaded(const tn_inst *inst, const uint64_t *load, uint64_t least) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < inst->n; i++) {
        n += load[i] >= least ? 1 : 0;
    }
    return n;
}

/* Adds the items whose life touches a section with a load of at least `least`. */
static void add_loaded(full_items *part, const tn_inst *inst, const uint64_t *load,
                       uint64_t least) {
    for (uint32_t i = 0; i < inst->n; i++) {
        if (load[i] >= least && !part->in[i]) {
            part->in[i] = true;
            part->items[part->n++] = i;
        }
    }
}

/* Adds the items that end above the goal; returns their number. */
static uint32_t add_high(full_items *part, const tn_inst *inst, const tn_packing *p,
                         uint64_t goal) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < inst->n; i++) {
        if (tn_inst_top(inst, i, p->offsets[i]) > goal && !part->in[i]) {
            part->in[i] = true;
            part->items[part->n++] = i;
            n++;
        }
    }
    return n;
}

/* The fullest items alone. */
static const tn_inst *part_instance(tn_arena *scratch, const tn_inst *inst, const uint32_t *ids,
                                    uint32_t n) {
    tn_pack_buffer *buffers = TN_ARRAY(scratch, tn_pack_buffer, n);
    for (uint32_t k = 0; k < n; k++) {
        buffers[k] = tn_item_buffer(inst, ids[k]);
    }
    return tn_inst_make(scratch, buffers, n);
}

/* Packs the rest around the fullest items, which are fixed where `packing` has them. */
static void complete(tn_arena *scratch, const tn_inst *inst, const tn_inst *full,
                     const full_items *part, const tn_packing *packing, uint64_t goal,
                     tn_packing *out) {
    tn_inst whole = *inst;
    whole.plain = false;
    whole.items = TN_ARRAY(scratch, tn_item, inst->n);
    memcpy(whole.items, inst->items, inst->n * sizeof *inst->items);
    for (uint32_t k = 0; k < full->n; k++) {
        tn_item *item = &whole.items[part->items[full->items[k].buffer]];
        item->fixed = packing->offsets[k] * full->unit / inst->unit;
    }
    tn_fits_options fits = {.rules = 1, .goal = goal};
    tn_fits_run(scratch, &whole, &fits, out);
}

typedef struct fullest {
    tn_arena *scratch;
    const tn_inst *inst;
    const tn_search_options *options;
    tn_packing *best;
    tn_search_result *result;
    full_items full;
    tn_packing trial;
} fullest;

/* Packs the fullest items; then the rest. False when the search did not answer. */
static bool pack_full(fullest *t) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(t->scratch));
    const tn_inst *full = part_instance(scratch, t->inst, t->full.items, t->full.n);
    tn_packing packing = tn_packing_none(scratch, full);
    tn_search_options search = *t->options;
    search.decide = true;
    tn_search_result found = {0};
    search.budget -= t->result->nodes;
    tn_portfolio_run(scratch, full, &search, &packing, &found);
    t->result->nodes += found.nodes;
    t->result->bound = found.bound > t->result->bound ? found.bound : t->result->bound;
    bool packed = packing.height <= t->options->goal;
    if (packed) {
        complete(scratch, t->inst, full, &t->full, &packing, t->options->goal, &t->trial);
    }
    if (packed) {
        tn_packing_offer(t->best, t->inst, t->trial.offsets, "fullest");
    }
    tn_arena_drop(scratch);
    return packed;
}

/* What ends too high in spite of the search joins it the next time; when that does not help, more
 * of what is live near the fullest moments. */
void tn_fullest_run(tn_arena *arena, const tn_inst *inst, const tn_search_options *options,
                    tn_packing *best, tn_search_result *result) {
    enum { MOST = TN_LIMIT_PORTFOLIO_ITEMS / 3 * 2 };
    fullest t = {tn_arena_new(tn_arena_ctx(arena)), inst, options, best, result, {0}, {0}};
    tn_orders orders = tn_orders_make(t.scratch, inst);
    const uint64_t *load = tn_orders_key(&orders, 'T');
    t.full.items = TN_ARRAY(t.scratch, uint32_t, inst->n);
    t.full.in = TN_ARRAY(t.scratch, bool, inst->n);
    t.trial.offsets = TN_ARRAY(t.scratch, uint64_t, inst->n);
    uint64_t most = inst->load[inst->bound_section];
    uint64_t part = most / TN_LIMIT_FULLEST_PART;
    while (part > 0 && count_loaded(inst, load, most - part) > MOST) {
        part /= 4;
    }
    add_loaded(&t.full, inst, load, most - part);
    for (uint32_t turn = 0; turn < TN_LIMIT_FULLEST_TURNS && best->height > options->goal; turn++) {
        if (t.full.n > TN_LIMIT_PORTFOLIO_ITEMS || result->nodes >= options->budget ||
            !pack_full(&t)) {
            break;
        }
        add_high(&t.full, inst, &t.trial, options->goal);
    }
    tn_arena_drop(t.scratch);
}
