#include "passes/reuse/untie_arenas.h"

#include <string.h>

#include "passes/alias/untie.h"
#include "passes/plan/places.h"

/* A set of edges, and a plan with it. */
typedef struct tried_edges {
    const bool *keep;
    uint64_t cost;     /* UINT64_MAX: it does not fit */
    uint64_t bytes;    /* of all arenas, which decide where two cost the same */
    tn_value_pools at; /* where values lie; NULL members where it does not fit */
} tried_edges;

enum { UNTIE_ROUNDS = 3 };

typedef struct untying {
    tn_planning *p;
    tried_edges tried[1 + 2 * (2 * UNTIE_ROUNDS + 2)];
    uint32_t n_tried;
    tried_edges best;
} untying;

static tn_value_pools pools_of_values(const tn_planning *p, const tn_plan *plan) {
    tn_arena *scratch = p->c->scratch;
    uint32_t *pool = TN_ARRAY(scratch, uint32_t, p->c->module->n_values);
    bool *dear = TN_ARRAY(scratch, bool, p->c->module->n_values);
    memset(pool, 0xff, p->c->module->n_values * sizeof *pool);
    for (uint32_t i = 0; i < plan->n_values; i++) {
        const tn_plan_value *v = &plan->values[i];
        if (v->storage == TN_NO_ID) {
            continue;
        }
        uint32_t at = plan->storages[v->storage].pool;
        pool[v->module_value] = at;
        for (uint32_t k = 0; k < plan->n_pools; k++) {
            const tn_pool *own = &plan->pools[at], *other = &plan->pools[k];
            dear[v->module_value] |= other->kind == own->kind && other->cost < own->cost;
        }
    }
    return (tn_value_pools){pool, dear};
}

/* Takes the edges that were tried if their plan costs less, or the same in fewer bytes. */
static void keep_better(untying *u, const tried_edges *now) {
    const tried_edges *best = &u->best;
    if (now->cost < best->cost || (now->cost == best->cost && now->bytes < best->bytes)) {
        u->best = *now;
    }
}

/* What is known of a set of edges; NULL before it was tried. */
static const tried_edges *find_tried(const untying *u, const bool *keep) {
    for (uint32_t i = 0; i < u->n_tried; i++) {
        if (memcmp(u->tried[i].keep, keep, u->p->choice.edges.n * sizeof *keep) == 0) {
            return &u->tried[i];
        }
    }
    return NULL;
}

static tn_status plan_with(tn_planning *p, tried_edges *now) {
    const tn_alias_choice first = p->choice;
    tn_layout_ask quick = p->ask; /* pools are laid out by themselves */
    tn_plan *plan = NULL;
    quick.effort = 0;
    tn_status status = tn_choose_edges(p->c, &quick, &first, now->keep, &p->choice);
    if (status == TN_OK) {
        status = tn_make_plan(p, true, &plan);
    }
    if (status == TN_OK) {
        now->at = pools_of_values(p, plan);
        now->cost = plan->report.cost;
        now->bytes = tn_plan_arena_bytes(plan);
    }
    tn_plan_drop(plan);
    tn_arena_drop(p->choice.arena);
    p->choice = first;
    return status == TN_NOFIT ? TN_OK : status;
}

/* Plans with a set of edges, which stays if it is the best. `at` is where values lie then. */
static tn_status try_edges(untying *u, const bool *keep, tn_value_pools *at) {
    const tried_edges *now = find_tried(u, keep);
    tn_status status = TN_OK;
    if (now == NULL) {
        tried_edges *made = &u->tried[u->n_tried++];
        *made = (tried_edges){keep, UINT64_MAX, UINT64_MAX, {NULL, NULL}};
        status = plan_with(u->p, made);
        now = made;
    }
    keep_better(u, now);
    *at = now->at;
    return status;
}

/* Takes edges of storages in dear pools away, and puts those back that end up in one pool. */
static tn_status try_untied(untying *u, bool all) {
    const tn_planning *p = u->p;
    tn_value_pools at;
    const bool *keep =
        tn_edges_untied(&p->choice, u->best.keep, all ? NULL : &u->best.at, p->c->scratch);
    tn_status status = try_edges(u, keep, &at);
    if (status == TN_OK && at.pool != NULL) {
        keep = tn_edges_joined(&p->choice, keep, &at, p->c->scratch);
        status = try_edges(u, keep, &at);
    }
    return status;
}

static void refuse_untied(tn_planning *p, const bool *before) {
    const tn_alias_edges *e = &p->choice.edges;
    for (uint32_t i = 0; i < e->n; i++) {
        if (before[i] && !p->choice.keep[i]) {
            tn_refuse_edge(p->c, tn_get_liveness(p->c->analyses), &e->at[i], TN_REASON_POOL);
        }
    }
}

/* Whether some value does not lie in the cheapest pool of its kind. */
static bool lies_dear(const tn_planning *p, const tn_value_pools *at) {
    for (uint32_t i = 0; i < p->c->module->n_values; i++) {
        if (at->dear[i]) {
            return true;
        }
    }
    return false;
}

/* From `from` on, step by step; `all`: with all edges taken away at first. */
static tn_status go_on(untying *u, const tried_edges *from, bool all) {
    tried_edges found = u->best;
    uint64_t before = UINT64_MAX;
    tn_status status = TN_OK;
    u->best = *from;
    if (all) {
        status = try_untied(u, true);
    }
    for (uint32_t i = 0;
         i < UNTIE_ROUNDS && u->best.at.pool != NULL && u->best.cost != before && status == TN_OK;
         i++) {
        before = u->best.cost;
        status = try_untied(u, false);
    }
    keep_better(u, &found);
    return status;
}

/* The choice becomes that of the best plan found. */
static tn_status untie(tn_planning *p) {
    const tn_alias_choice first = p->choice;
    untying u = {.p = p, .best = {first.keep, UINT64_MAX, UINT64_MAX, {NULL, NULL}}};
    tn_value_pools at;
    tn_status status = try_edges(&u, first.keep, &at);
    if (status == TN_OK && (at.pool == NULL || lies_dear(p, &at))) {
        const tried_edges from = u.best;
        status = go_on(&u, &from, true);
        if (status == TN_OK) {
            status = go_on(&u, &from, false);
        }
    }
    if (status == TN_OK) {
        tn_layout_ask quick = p->ask;
        quick.effort = 0;
        status = tn_choose_edges(p->c, &quick, &first, u.best.keep, &p->choice);
        tn_arena_drop(first.arena);
        refuse_untied(p, first.keep);
    }
    return status;
}

/* Places that are given are those of values with the aliases that there are: these stay. An earlier
 * plan changes nothing here, so that what was not edited has the aliases that it had there. */
tn_status tn_untie_arenas(tn_planning *p) {
    tn_place_wishes *places = &p->want.places;
    if (p->c->figures || !tn_places_are_several(&p->want) || p->choice.edges.n == 0 ||
        places->n_fixes + places->n_aligns > 0) {
        return TN_OK;
    }
    const tn_plan *based_on = places->based_on;
    places->based_on = NULL;
    tn_status status = untie(p);
    places->based_on = based_on;
    return status;
}
