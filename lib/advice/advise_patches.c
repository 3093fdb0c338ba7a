/* Images in tiles: of all ranges of steps round the peak, and grids, what is estimated to need the
 * fewest bytes. */
#include <string.h>

#include "ir/ops/flops.h"
#include "lib/advice/advice_t.h"
#include "lib/advice/patches.h"

enum {
    MOST_STEPS = 64,       /* before the peak, and behind it */
    MOST_ESTIMATES = 8192, /* on images of hundreds of steps some tens of milliseconds */
    MOST_STEPS_LOOKED_AT = 40000000
};

/* Operations that tiles may add, as a part of the model's. */
static const double most_operations = 0.5;

typedef struct tiling {
    tn_advice_scene *s;
    tn_patching *w;
    double model; /* operations */
    bool found;
    tn_patches best;
    tn_patch_estimate estimate;
} tiling;

static void keep_better(tiling *w, const tn_patches *p) {
    tn_patch_estimate e;
    if (!tn_patching_estimate(w->w, p, &e) || e.operations > most_operations * w->model) {
        return;
    }
    bool better = !w->found || e.arena < w->estimate.arena ||
                  (e.arena == w->estimate.arena && e.operations < w->estimate.operations);
    if (better) {
        w->found = true;
        w->best = *p;
        w->estimate = e;
    }
}

static void try_grids(tiling *w, uint32_t first, uint32_t last) {
    static const uint32_t grids[][2] = {{2, 1}, {4, 1}, {8, 1}, {2, 2},
                                        {3, 3}, {4, 4}, {6, 6}, {8, 8}};
    for (size_t i = 0; i < sizeof grids / sizeof grids[0]; i++) {
        keep_better(w, &(tn_patches){first, last, grids[i][0], grids[i][1]});
    }
}

/* The steps round the peak that fit, at most so many on each side. */
static void find_range(const tiling *w, uint32_t peak, uint32_t most, uint32_t *first,
                       uint32_t *last) {
    *first = *last = peak;
    while (*first > 0 && peak - *first < most && tn_patching_fits(w->w, *first - 1)) {
        (*first)--;
    }
    while (*last + 1 < w->s->plan->n_steps && *last - peak < most &&
           tn_patching_fits(w->w, *last + 1)) {
        (*last)++;
    }
}

/* Few enough ranges that all of them can be looked at. */
static uint32_t most_steps(const tn_plan *p) {
    uint64_t each = (uint64_t)p->n_steps + p->n_values;
    uint64_t most =
        MOST_STEPS_LOOKED_AT / each < MOST_ESTIMATES ? MOST_STEPS_LOOKED_AT / each : MOST_ESTIMATES;
    uint32_t n = 1;
    while (n < MOST_STEPS && (uint64_t)(n + 1) * (n + 1) * 8 <= most) {
        n++;
    }
    return n;
}

static void add_advice(tiling *w, tn_advice_list *list) {
    tn_arena *arena = w->s->arena;
    tn_advice a = {.kind = TN_ADVICE_PATCHES,
                   .estimate = true,
                   .patches = w->best,
                   .outcome = w->s->now,
                   .operations = tn_flops_count(w->estimate.operations),
                   .part = w->model > 0 ? w->estimate.operations / w->model : 0};
    if (w->estimate.arena >= w->s->now.arena) {
        return;
    }
    a.outcome.ram -= w->s->now.arena - w->estimate.arena;
    a.outcome.arena = w->estimate.arena;
    a.outcome.bound = 0;
    if (tn_advice_is_worth(w->s, &a.outcome)) {
        a.what = tn_arena_printf(arena, "steps %u to %u in tiles of images, %u rows of %u",
                                 w->best.first, w->best.last, w->best.rows, w->best.columns);
        a.asks =
            "kernels or a graph that go through these steps tile by tile, and compute what "
            "tiles have in common once for each; --tile makes a plan, a program and a graph of "
            "that (docs/TILE.md)";
        tn_vec_push(arena, list, a);
    }
}

/* Estimates are of what is alive, so the one arena has to be about as large as that; in one order
 * with known sizes. */
static bool can_estimate(const tn_plan *p) {
    uint32_t arenas = 0;
    uint64_t size = 0;
    for (uint32_t i = 0; i < p->n_pools; i++) {
        arenas += p->pools[i].kind == TN_POOL_ARENA;
        size += p->pools[i].kind == TN_POOL_ARENA ? p->pools[i].size : 0;
    }
    return arenas == 1 && size - size / 10 <= p->report.bound && p->n_ranges == 0 &&
           p->set == NULL && p->concurrency == TN_SERIAL && p->report.peak_step >= 0 &&
           (uint32_t)p->report.peak_step < p->n_steps;
}

void tn_advise_patches(tn_advice_scene *s, tn_advice_list *list) {
    uint32_t low, high;
    if (!can_estimate(s->plan)) {
        return;
    }
    tn_arena *scratch = tn_arena_new(s->trials->ctx);
    uint32_t peak = (uint32_t)s->plan->report.peak_step;
    tiling w = {
        .s = s, .w = tn_patching_new(scratch, s->m, s->plan), .model = tn_graph_flops(s->m->main)};
    if (tn_patching_fits(w.w, peak)) {
        find_range(&w, peak, most_steps(s->plan), &low, &high);
        for (uint32_t first = low; first <= peak; first++) {
            for (uint32_t last = peak; last <= high; last++) {
                try_grids(&w, first, last);
            }
        }
    }
    if (w.found) {
        add_advice(&w, list);
    }
    tn_arena_drop(scratch);
}
