#include "passes/pack/offsets/first_fit.h"

#include <string.h>

#include "ir/base/key_sort.h"
#include "passes/pack/base/budgets.h"
#include "passes/pack/base/without.h"

#define FIT(id, name, letters) {name, letters},
const tn_fit_rule tn_fit_rules[] = {
#include "passes/pack/algorithms.def"
    {NULL, NULL}};

#define FIT(id, name, letters) name,
const char *const tn_pack_algorithms[] = {
#include "passes/pack/algorithms.def"
    NULL};

void tn_fit_run(tn_occupancy *o, const tn_inst *inst, const uint32_t *order, tn_packing *out) {
    tn_occupancy_clear(o);
    out->height = 0;
    for (uint32_t k = 0; k < inst->n; k++) {
        uint32_t i = order[k];
        uint64_t at = inst->items[i].fixed;
        if (at == TN_PACK_FREE) {
            at = tn_occupancy_lowest(o, i, 0);
        }
        tn_occupancy_add(o, i, at);
        out->offsets[i] = at;
        uint64_t top = tn_inst_top(inst, i, at);
        out->height = top > out->height ? top : out->height;
    }
}

/* One of the best starts, with the order that led to it. */
typedef struct start {
    uint64_t height;
    uint32_t *order;
    uint64_t *offsets;
    const tn_fit_rule *rule;
} start;

typedef struct fits {
    tn_arena *arena;
    const tn_inst *inst;
    const tn_fits_options *options;
    tn_occupancy *occupancy;
    tn_orders orders;
    tn_packing trial, *best;
    uint32_t *order;
    start starts[TN_LIMIT_FIT_STARTS];
    uint32_t n_starts;
} fits;

static bool done(const fits *f) {
    return f->best->height <= f->options->goal ||
           (f->best->height < UINT64_MAX && (tn_occupancy_work(f->occupancy) > f->options->budget ||
                                             tn_cut_short(tn_arena_ctx(f->arena))));
}

/* Keeps the trial among the best starts, the lowest first, earlier rules before later ones. */
static void keep_start(fits *f, const tn_fit_rule *rule) {
    uint32_t k = f->n_starts;
    while (k > 0 && f->starts[k - 1].height > f->trial.height) {
        k--;
    }
    if (k == TN_LIMIT_FIT_STARTS) {
        return;
    }
    start spare = {0};
    if (f->n_starts == TN_LIMIT_FIT_STARTS) {
        spare = f->starts[TN_LIMIT_FIT_STARTS - 1];
    } else {
        f->n_starts++;
        spare.order = TN_ARRAY(f->arena, uint32_t, f->inst->n);
        spare.offsets = TN_ARRAY(f->arena, uint64_t, f->inst->n);
    }
    memmove(&f->starts[k + 1], &f->starts[k], (f->n_starts - 1 - k) * sizeof *f->starts);
    memcpy(spare.order, f->order, f->inst->n * sizeof *spare.order);
    memcpy(spare.offsets, f->trial.offsets, f->inst->n * sizeof *spare.offsets);
    f->starts[k] = (start){f->trial.height, spare.order, spare.offsets, rule};
}

/* Everything that ended above the goal moves to half its place in the queue, ahead of what stands
 * there; the rest keeps its order. Items with fixed offsets stay in front: they never get a new
 * place. */
static void squeak(fits *f, start *s) {
    uint32_t n = f->inst->n;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = s->order[k];
        bool high = tn_inst_top(f->inst, i, s->offsets[i]) > f->options->goal;
        bool fixed = f->inst->items[i].fixed != TN_PACK_FREE;
        f->orders.keys[k] = (tn_sort_key){fixed  ? 0
                                          : high ? k / 2 * 2 + 1
                                                 : 2 * ((uint64_t)k + 1),
                                          i};
    }
    tn_sort_items(f->orders.keys, n, s->order);
}

static void squeaky_wheel(fits *f, start *s, uint32_t rounds) {
    rounds = tn_left_out(f->options->without, "squeaky-wheel") ? 0 : rounds;
    for (uint32_t round = 0; round < rounds && !done(f); round++) {
        squeak(f, s);
        tn_fit_run(f->occupancy, f->inst, s->order, &f->trial);
        tn_packing_offer(f->best, f->inst, f->trial.offsets, s->rule->name);
        uint64_t *swap = s->offsets;
        s->offsets = f->trial.offsets;
        f->trial.offsets = swap;
        s->height = f->trial.height;
    }
}

static bool wanted(const fits *f, const tn_fit_rule *rule) {
    return f->options->only == NULL ? !tn_rule_left_out(f->options->without, "fit", rule->name)
                                    : strcmp(f->options->only, rule->name) == 0;
}

/* All rules in turn. */
static void run_rules(fits *f) {
    uint32_t left = f->options->rules == 0 ? UINT32_MAX : f->options->rules;
    for (const tn_fit_rule *rule = tn_fit_rules + f->options->skip;
         rule->name != NULL && left > 0 && !done(f); rule++) {
        if (wanted(f, rule)) {
            tn_poll(tn_arena_ctx(f->arena));
            left--;
            tn_orders_get(&f->orders, rule->letters, f->order);
            tn_fit_run(f->occupancy, f->inst, f->order, &f->trial);
            tn_packing_offer(f->best, f->inst, f->trial.offsets, rule->name);
            if (f->options->rounds > 0) {
                keep_start(f, rule);
            }
        }
    }
}

uint64_t tn_fits_run(tn_arena *arena, const tn_inst *inst, const tn_fits_options *options,
                     tn_packing *best) {
    fits f = {.arena = tn_arena_new(tn_arena_ctx(arena)), .inst = inst, .options = options};
    f.best = best;
    f.occupancy = tn_occupancy_make(f.arena, inst);
    f.orders = tn_orders_make(f.arena, inst);
    f.trial.offsets = TN_ARRAY(f.arena, uint64_t, inst->n);
    f.order = TN_ARRAY(f.arena, uint32_t, inst->n);
    best->height = UINT64_MAX;
    run_rules(&f);
    for (uint32_t k = 0; k < f.n_starts; k++) {
        squeaky_wheel(&f, &f.starts[k], options->rounds);
    }
    uint64_t work = tn_occupancy_work(f.occupancy);
    tn_arena_drop(f.arena);
    return work;
}
