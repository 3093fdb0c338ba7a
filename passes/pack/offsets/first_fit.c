#include "passes/pack/offsets/first_fit.h"

#include <string.h>

#include "ir/base/key_sort.h"
#include "passes/pack/base/without.h"

#define FIT(id, name, letters, snug) {name, letters, snug},
const tn_fit_rule tn_fit_rules[] = {
#include "passes/pack/algorithms.def"
    {NULL, NULL, false}};

#define FIT(id, name, letters, snug) name,
const char *const tn_pack_algorithms[] = {
#include "passes/pack/algorithms.def"
    NULL};

enum { STARTS = 3 };

void tn_fit_run(tn_occupancy *o, const tn_inst *inst, const uint32_t *order, bool snug,
                uint64_t limit, tn_packing *out) {
    tn_occupancy_clear(o);
    out->height = 0;
    for (uint32_t k = 0; k < inst->n && out->height <= limit; k++) {
        uint32_t i = order[k];
        uint64_t at = inst->items[i].fixed;
        if (at == TN_PACK_FREE) {
            at = snug ? tn_occupancy_snuggest(o, i) : tn_occupancy_lowest(o, i, 0);
        }
        tn_occupancy_take(o, i, at);
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
    start starts[STARTS];
    uint32_t n_starts;
    bool mixed; /* alignments differ */
} fits;

static bool done(const fits *f) {
    return f->best->height <= f->options->goal ||
           (f->best->height < UINT64_MAX && tn_occupancy_work(f->occupancy) > f->options->budget);
}

static void keep(fits *f, const char *name) {
    if (f->trial.height < f->best->height) {
        f->best->height = f->trial.height;
        f->best->algorithm = name;
        memcpy(f->best->offsets, f->trial.offsets, f->inst->n * sizeof *f->best->offsets);
    }
}

/* Keeps the trial among the best starts, the lowest first, earlier rules before later ones. */
static void keep_start(fits *f, const tn_fit_rule *rule) {
    uint32_t k = f->n_starts;
    while (k > 0 && f->starts[k - 1].height > f->trial.height) {
        k--;
    }
    if (k == STARTS) {
        return;
    }
    start spare = {0};
    if (f->n_starts == STARTS) {
        spare = f->starts[STARTS - 1];
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

/* A fit by one rule; false when it was given up above `limit`. */
static bool run_rule(fits *f, const tn_fit_rule *rule, uint64_t limit) {
    tn_orders_get(&f->orders, rule->letters, f->order);
    tn_fit_run(f->occupancy, f->inst, f->order, rule->snug, limit, &f->trial);
    if (f->trial.height > limit) {
        return false;
    }
    keep(f, rule->name);
    if (f->options->rounds > 0) {
        keep_start(f, rule);
    }
    return true;
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
        tn_fit_run(f->occupancy, f->inst, s->order, s->rule->snug, UINT64_MAX, &f->trial);
        keep(f, s->rule->name);
        uint64_t *swap = s->offsets;
        s->offsets = f->trial.offsets;
        f->trial.offsets = swap;
        s->height = f->trial.height;
    }
}

static bool wanted(const fits *f, const tn_fit_rule *rule) {
    bool other = (f->mixed || rule->letters[0] != 'G') &&
                 !tn_rule_left_out(f->options->without, "fit", rule->name);
    return f->options->only == NULL ? other : strcmp(f->options->only, rule->name) == 0;
}

static bool alignments_differ(const tn_inst *inst) {
    uint32_t i = 0;
    while (i < inst->n && inst->items[i].align == inst->items[0].align) {
        i++;
    }
    return i < inst->n;
}

/* All rules in turn. In a large instance a rule that leads far above the goal is given up, and one
 * that does not gets its first squeaky-wheel round at once, as often nothing more is needed. */
static void run_rules(fits *f, bool large) {
    uint64_t limit = large ? f->options->goal + f->options->goal / 64 : UINT64_MAX;
    uint32_t left = f->options->rules == 0 ? UINT32_MAX : f->options->rules;
    for (const tn_fit_rule *rule = tn_fit_rules + f->options->skip; rule->name != NULL && !done(f);
         rule++) {
        if (!wanted(f, rule)) {
            continue;
        }
        if (left-- == 0) {
            return;
        }
        bool whole = run_rule(f, rule, limit);
        for (uint32_t k = 0; large && whole && k < f->n_starts; k++) {
            if (f->starts[k].rule == rule) {
                squeaky_wheel(f, &f->starts[k], 1);
            }
        }
    }
}

uint64_t tn_fits_run(tn_arena *arena, const tn_inst *inst, const tn_fits_options *options,
                     tn_packing *best) {
    enum { LARGE = 4096 };
    fits f = {.arena = tn_arena_new(tn_arena_ctx(arena)), .inst = inst, .options = options};
    f.best = best;
    f.mixed = alignments_differ(inst);
    f.occupancy = tn_occupancy_make(f.arena, inst);
    f.orders = tn_orders_make(f.arena, inst);
    f.trial.offsets = TN_ARRAY(f.arena, uint64_t, inst->n);
    f.order = TN_ARRAY(f.arena, uint32_t, inst->n);
    best->height = UINT64_MAX;
    bool large = inst->n >= LARGE && !tn_left_out(options->without, "large");
    if (large && options->rounds > 0) {
        run_rules(&f, true);
    }
    if ((best->height == UINT64_MAX && !options->near) || !large) {
        run_rules(&f, false);
    }
    for (uint32_t k = 0; k < f.n_starts; k++) {
        squeaky_wheel(&f, &f.starts[k], options->rounds);
    }
    uint64_t work = tn_occupancy_work(f.occupancy);
    tn_arena_drop(f.arena);
    return work;
}
