/* Which relation is good depends on extents: a plan made at one point puts above each other what is
 * smallest there. So several are made and compared. All are right for all extents in their ranges;
 * which of several is run is for whoever resolves them: the one with the smallest arena. */
#include "lib/open/open_plan.h"

#include <string.h>

#include "ir/build.h"
#include "ir/plan/plan_extents.h"
#include "ir/plan/plan_samples.h"

enum {
    MAX_CANDIDATES = 10, /* plans made, of which TN_OPEN_VARIANTS are kept */
    MAX_ONES = 3,        /* of them for a dimension at 1 */
    MAX_VAIN = 2         /* of them, one after the other, that are no better anywhere */
};

typedef struct candidate {
    tn_module *m;
    bool own; /* not the caller's */
    tn_plan *plan;
    uint64_t arena[TN_PLAN_SAMPLES]; /* UINT64_MAX: not for these extents */
} candidate;

typedef struct choosing {
    tn_ctx *ctx;
    tn_arena *arena;
    tn_open_maker maker;
    candidate of[MAX_CANDIDATES];
    uint32_t n;
    tn_plan_samples samples;
    uint64_t best[TN_PLAN_SAMPLES];  /* the smallest arena of any plan */
    uint64_t bound[TN_PLAN_SAMPLES]; /* what no layout can go below, with the order and the aliases
                                        of the plan for which that is least */
    bool tried[TN_PLAN_SAMPLES];     /* a plan was made for these extents */
} choosing;

/* ---- what a plan needs at extents ---- */

static void measure_at(choosing *w, candidate *c, tn_plan_many *many, uint32_t s) {
    tn_arena *scratch = tn_arena_new(w->ctx);
    c->arena[s] = UINT64_MAX;
    if (tn_plan_many_try(many, w->samples.of[s])) {
        uint64_t sum = 0, load = tn_plan_load(c->plan, &many->at, scratch);
        for (uint32_t i = 0; i < c->plan->n_pools; i++) {
            sum += c->plan->pools[i].kind == TN_POOL_ARENA ? many->at.pool_size[i] : 0;
        }
        c->arena[s] = sum;
        w->best[s] = sum < w->best[s] ? sum : w->best[s];
        w->bound[s] = load < w->bound[s] ? load : w->bound[s];
    }
    tn_arena_drop(scratch);
}

static void make_samples(choosing *w, const tn_plan *p) {
    w->samples = tn_plan_samples_make(w->arena, p);
    for (uint32_t s = 0; s < w->samples.n; s++) {
        w->best[s] = w->bound[s] = UINT64_MAX;
    }
}

static void measure(choosing *w, candidate *c) {
    tn_arena *arena = tn_arena_new(w->ctx);
    tn_plan_many many = tn_plan_many_make(c->plan, arena);
    for (uint32_t s = 0; s < w->samples.n; s++) {
        measure_at(w, c, &many, s);
    }
    tn_arena_drop(arena);
}

/* In thousandths, how many times the smallest arena known the best of the plans in `chosen` needs,
 * where it is worst. */
static uint64_t worst(const choosing *w, uint32_t chosen) {
    uint64_t most = 1000;
    for (uint32_t s = 0; s < w->samples.n; s++) {
        uint64_t least = UINT64_MAX;
        for (uint32_t i = 0; i < w->n; i++) {
            if ((chosen >> i & 1) && w->of[i].arena[s] < least) {
                least = w->of[i].arena[s];
            }
        }
        if (least != UINT64_MAX && w->best[s] > 0) {
            uint64_t ratio = (uint64_t)((double)least / (double)w->best[s] * 1000);
            most = ratio > most ? ratio : most;
        }
    }
    return most;
}

/* ---- candidates ---- */

/* A plan is of use only where fewer bytes are alive than the best arena known has, by more than a
 * hundredth. */
static bool is_worth(void *user, const tn_plan *p) {
    choosing *w = user;
    tn_arena *scratch = tn_arena_new(w->ctx);
    tn_resolved at = {.storage_size = TN_ARRAY(scratch, uint64_t, p->n_storages)};
    bool worth = false;
    for (uint32_t s = 0; s < w->samples.n && !worth; s++) {
        worth = tn_plan_sizes(p, w->samples.of[s], scratch, at.storage_size) &&
                tn_plan_load(p, &at, scratch) < w->best[s] - w->best[s] / 100;
    }
    tn_arena_drop(scratch);
    return worth;
}

/* What does not fit at one point may at others: then there is one plan less to choose from. */
static tn_status add(choosing *w, tn_module *m, bool own) {
    candidate *c = &w->of[w->n];
    tn_plan *plan = NULL;
    const tn_plan_worth worth = {is_worth, w};
    tn_status status = w->maker.make(w->maker.user, m, w->n > 0 ? &worth : NULL, &plan);
    if (status == TN_OK && plan != NULL) {
        *c = (candidate){.m = m, .own = own, .plan = plan};
        if (w->n++ == 0) {
            make_samples(w, plan);
        }
        measure(w, c);
        return TN_OK;
    }
    tn_plan_drop(plan);
    if (own) {
        tn_module_drop(m);
    }
    return status == TN_NOFIT && w->n > 0 ? TN_OK : status;
}

/* Whether the model, that of `untouched` with less open, has contradictions that are not there
 * where more is open: no run has such extents. */
static bool fits(const choosing *w, tn_module *m, const tn_module *untouched) {
    uint32_t n = w->maker.misfits(w->maker.user, m), always = 0;
    if (n > 0) {
        tn_module *all = tn_module_clone(untouched);
        always = w->maker.misfits(w->maker.user, all);
        tn_module_drop(all);
    }
    return n <= always;
}

/* An extent of 1 lets more lie inside other values: a dimension that may be 1 gets a plan for that.
 */
static tn_status add_ones(choosing *w, const tn_module *untouched) {
    uint32_t n, made = 0;
    tn_status status = TN_OK;
    const tn_dim_range *open = tn_dims_ranges(untouched->dims, &n);
    for (uint32_t i = 0; i < n && made < MAX_ONES && status == TN_OK; i++) {
        if (open[i].min <= 1 && open[i].max > 1) {
            tn_module *m = tn_module_clone(untouched);
            tn_open_narrow(m, (tn_dim_range){open[i].name, 1, 1, 1});
            if (!fits(w, m, untouched)) {
                tn_module_drop(m);
                continue;
            }
            tn_open_set_point(m);
            status = add(w, m, true);
            made++;
        }
    }
    return status;
}

/* In thousandths, how far the best plan is from what the bound leaves open at the sample. */
static uint64_t looseness(const choosing *w, uint32_t s) {
    return w->best[s] == UINT64_MAX || w->bound[s] == 0
               ? 0
               : (uint64_t)((double)w->best[s] / (double)w->bound[s] * 1000);
}

/* The sample, not tried yet, at which most could be won; false where it is little everywhere. */
static bool find_loose(const choosing *w, uint32_t *found) {
    uint64_t most = 1000 + 10 * TN_OPEN_SLACK;
    bool any = false;
    for (uint32_t s = 0; s < w->samples.n; s++) {
        if (!w->tried[s] && looseness(w, s) > most) {
            most = looseness(w, s);
            *found = s;
            any = true;
        }
    }
    return any;
}

static tn_status add_at(choosing *w, const tn_module *untouched, uint32_t sample, bool *better) {
    uint64_t before = w->best[sample];
    tn_module *m = tn_module_clone(untouched);
    tn_open_set_extents(m, w->of[0].plan, w->samples.of[sample]);
    w->tried[sample] = true;
    tn_status status = add(w, m, true);
    *better = w->best[sample] < before;
    return status;
}

/* Plans for the extents at which those that are there are the worst. */
static tn_status add_points(choosing *w, const tn_module *untouched) {
    tn_status status = TN_OK;
    uint32_t sample, vain = 0;
    while (status == TN_OK && w->n < MAX_CANDIDATES && vain < MAX_VAIN && find_loose(w, &sample)) {
        bool better;
        status = add_at(w, untouched, sample, &better);
        vain = better ? 0 : vain + 1;
    }
    return status;
}

/* ---- the choice ---- */

static bool is_general(const choosing *w, const candidate *c) {
    for (uint32_t i = 0; i < w->samples.n_ranges; i++) {
        const tn_plan_range *mine = &c->plan->ranges[i], *all = &w->of[0].plan->ranges[i];
        if (mine->min > all->min || mine->max < all->max) {
            return false;
        }
    }
    return true;
}

/* The plan, not chosen yet, that makes the worst ratio smallest; the first of equals. */
static uint32_t best_with(const choosing *w, uint32_t chosen) {
    uint32_t found = 0;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < w->n; i++) {
        uint64_t with = worst(w, chosen | 1u << i);
        if ((chosen >> i & 1) == 0 && (chosen != 0 || is_general(w, &w->of[i])) && with < least) {
            least = with;
            found = i;
        }
    }
    return found;
}

/* Puts the constants of a plan where the first one has them; false where it has not all of them. */
static bool agree_on_constants(const tn_plan *first, tn_plan *p) {
    for (uint32_t i = 0; i < p->n_storages; i++) {
        tn_storage *s = &p->storages[i];
        const tn_plan_value *root = &p->values[s->root];
        if (p->pools[s->pool].kind != TN_POOL_CONST) {
            continue;
        }
        const tn_plan_value *same = tn_plan_find(first, root->graph, root->name);
        if (same == NULL || same->storage == TN_NO_ID ||
            first->storages[same->storage].pool != s->pool ||
            first->storages[same->storage].size != s->size) {
            return false;
        }
        s->offset = first->storages[same->storage].offset;
        p->pools[s->pool].size = first->pools[s->pool].size;
        p->pools[s->pool].bound = first->pools[s->pool].bound;
    }
    p->report.const_bytes = first->report.const_bytes;
    p->report.flash = first->report.flash;
    return p->n_pools == first->n_pools;
}

/* Only of plans that are kept is known what other orders would need. */
static tn_status judge(choosing *w, const tn_module *untouched, const candidate *c) {
    tn_module *m = tn_module_clone(untouched);
    tn_open_adopt(m, c->plan);
    tn_status status = w->maker.judge(w->maker.user, m, c->plan);
    tn_module_drop(m);
    return status;
}

/* Stamps and checks the plans chosen; TN_OK when all are right. */
static tn_status finish_all(choosing *w, const tn_module *untouched, const uint32_t *list,
                            uint32_t n) {
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < n && status == TN_OK; i++) {
        candidate *c = &w->of[list[i]];
        status = list[i] > 0 && !tn_cut_short(w->ctx) ? judge(w, untouched, c) : TN_OK;
        if (status == TN_OK) {
            status = w->maker.finish(w->maker.user, c->m, &c->plan);
        }
    }
    return status;
}

static tn_plan *make_set(choosing *w, const uint32_t *list, uint32_t n) {
    tn_plan *head = w->of[list[0]].plan;
    w->of[list[0]].plan = NULL;
    if (n == 1) {
        return head;
    }
    tn_plan_set *set = TN_NEW(head->arena, tn_plan_set);
    tn_plan_program *program = TN_NEW(head->arena, tn_plan_program);
    *program = (tn_plan_program){
        .name = head->model, .variants = TN_ARRAY(head->arena, tn_plan *, n), .n_variants = n};
    *set = (tn_plan_set){.programs = program, .n_programs = 1};
    set->pools = tn_arena_regrow(head->arena, head->pools, head->n_pools, head->n_pools,
                                 sizeof *head->pools);
    head->set = set;
    program->variants[0] = head;
    for (uint32_t i = 1; i < n; i++) {
        tn_plan *p = w->of[list[i]].plan;
        program->variants[i] = p;
        p->set = set;
        w->of[list[i]].plan = NULL;
        for (uint32_t k = 0; k < head->n_pools; k++) {
            tn_pool *pool = &set->pools[k];
            pool->size = p->pools[k].size > pool->size ? p->pools[k].size : pool->size;
            pool->bound = p->pools[k].bound > pool->bound ? p->pools[k].bound : pool->bound;
        }
    }
    return head;
}

static tn_status choose(choosing *w, const tn_module *untouched, tn_plan **plan) {
    uint32_t chosen = 0, n = 0, list[TN_OPEN_VARIANTS];
    for (uint32_t tried = 0; n < TN_OPEN_VARIANTS && tried < w->n; tried++) {
        uint32_t next = best_with(w, chosen);
        chosen |= 1u << next;
        if (n == 0 || agree_on_constants(w->of[list[0]].plan, w->of[next].plan)) {
            list[n++] = next;
        }
        if (worst(w, chosen) <= 1000 + 10 * TN_OPEN_SLACK) {
            break;
        }
    }
    tn_status status = finish_all(w, untouched, list, n);
    *plan = status == TN_OK ? make_set(w, list, n) : NULL;
    return status;
}

tn_status tn_open_plan(tn_module *m, tn_open_maker maker, tn_plan **plan) {
    choosing w = {.ctx = m->ctx, .arena = tn_arena_new(m->ctx), .maker = maker};
    tn_module *untouched = tn_module_clone(m);
    tn_open_set_point(m);
    tn_status status = add(&w, m, false);
    if (status == TN_OK && w.n > 0) {
        status = add_ones(&w, untouched);
    }
    if (status == TN_OK && w.n > 0) {
        status = add_points(&w, untouched);
    }
    *plan = NULL;
    if (status == TN_OK && w.n > 0) {
        status = choose(&w, untouched, plan);
    }
    for (uint32_t i = 0; i < w.n; i++) {
        if (w.of[i].own) {
            tn_module_drop(w.of[i].m);
        }
        tn_plan_drop(w.of[i].plan);
    }
    tn_module_drop(untouched);
    tn_arena_drop(w.arena);
    return status;
}
