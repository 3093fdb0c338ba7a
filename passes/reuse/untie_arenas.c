#include "passes/reuse/untie_arenas.h"

#include <string.h>

#include "passes/alias/untie.h"
#include "passes/plan/places.h"

/* A set of edges, and where values lie with it; NULL where they do not fit. */
typedef struct tried_edges {
    const bool *keep;
    tn_value_pools at;
} tried_edges;

enum { UNTIE_ROUNDS = 3 };

typedef struct untying {
    tn_planning *p;
    tried_edges tried[2 * UNTIE_ROUNDS + 3];
    uint32_t n_tried;
    const bool *best; /* set of edges */
    uint64_t cost;    /* of it; UINT64_MAX: it does not fit */
    tn_value_pools at;
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

/* Plans with a set of edges, which stays if it costs the least. `at` is where values lie then; its
 * members are NULL where they do not fit. */
static tn_status try_edges(untying *u, const bool *keep, tn_value_pools *at) {
    tn_planning *p = u->p;
    const tn_alias_choice first = p->choice;
    tn_layout_ask quick = p->ask; /* pools are laid out by themselves */
    tn_plan *plan = NULL;
    quick.effort = 0;
    for (uint32_t i = 0; i < u->n_tried; i++) {
        if (memcmp(u->tried[i].keep, keep, first.edges.n * sizeof *keep) == 0) {
            *at = u->tried[i].at;
            return TN_OK;
        }
    }
    *at = (tn_value_pools){NULL, NULL};
    tn_status status = tn_choose_edges(p->c, &quick, &first, keep, &p->choice);
    if (status == TN_OK) {
        status = tn_make_plan(p, true, &plan);
    }
    if (status == TN_OK) {
        *at = pools_of_values(p, plan);
    }
    if (status == TN_OK && plan->report.cost < u->cost) {
        u->best = keep;
        u->cost = plan->report.cost;
        u->at = *at;
    }
    u->tried[u->n_tried++] = (tried_edges){keep, *at};
    tn_plan_drop(plan);
    tn_arena_drop(p->choice.arena);
    p->choice = first;
    return status == TN_NOFIT ? TN_OK : status;
}

/* Takes edges of storages in dear pools away, and puts those back that end up in one pool. */
static tn_status try_untied(untying *u, bool all) {
    const tn_planning *p = u->p;
    tn_value_pools at;
    const bool *keep = tn_edges_untied(&p->choice, u->best, all ? NULL : &u->at, p->c->scratch);
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

/* Places that are given, and those of an earlier plan, are those of values with the aliases that
 * there are: these stay. */
tn_status tn_untie_arenas(tn_planning *p) {
    const tn_alias_choice first = p->choice;
    untying u = {.p = p, .best = first.keep, .cost = UINT64_MAX};
    tn_value_pools at;
    if (p->c->figures || !tn_places_are_several(&p->want) || first.edges.n == 0 ||
        p->want.places.n_fixes + p->want.places.n_aligns > 0 || p->want.places.based_on != NULL) {
        return TN_OK;
    }
    tn_status status = try_edges(&u, first.keep, &at);
    if (status == TN_OK && (at.pool == NULL || lies_dear(p, &at))) {
        status = try_untied(&u, true);
    }
    uint64_t before = 0;
    for (uint32_t i = 0; i < UNTIE_ROUNDS && u.n_tried > 1 && u.at.pool != NULL &&
                         u.cost != before && status == TN_OK;
         i++) {
        before = u.cost;
        status = try_untied(&u, false);
    }
    if (status == TN_OK) {
        tn_layout_ask quick = p->ask;
        quick.effort = 0;
        status = tn_choose_edges(p->c, &quick, &first, u.best, &p->choice);
        tn_arena_drop(first.arena);
        refuse_untied(p, first.keep);
    }
    return status;
}
