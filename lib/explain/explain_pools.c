/* Several pools: what fills each, and which cheaper ones had no room for a value. Nothing is said
 * where a kind of pool is one, and nothing is fixed. */
#include <string.h>

#include "ir/base/key_sort.h"
#include "ir/base/xmath.h"
#include "lib/explain/explain_t.h"
#include "passes/plan/traffic.h"

/* Storages named beside a value that found no room. */
enum { MOST_BESIDE = 4 };

struct tn_explain_pools {
    tn_explain *x;
    const uint64_t *traffic; /* by storage */
    const uint64_t *alive;   /* by pool * steps + step: bytes, as its alignment makes them */
    const bool *fixed;       /* by storage */
    bool *told;              /* by storage */
};

static int32_t first_step(const tn_storage *s) {
    return s->pinned || s->first < 0 ? 0 : s->first;
}

static int32_t last_step(const tn_plan *p, const tn_storage *s) {
    int32_t end = (int32_t)p->n_steps - 1;
    return s->pinned || s->last > end ? end : s->last;
}

static bool is_alive(const tn_plan *p, const tn_storage *s, uint32_t pool, uint32_t step) {
    return s->pool == pool && s->size > 0 && first_step(s) <= (int32_t)step &&
           last_step(p, s) >= (int32_t)step;
}

static const uint64_t *count_alive(const tn_plan *p, tn_arena *arena) {
    uint64_t *alive = TN_ARRAY(arena, uint64_t, (size_t)p->n_pools * p->n_steps);
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_storage *s = &p->storages[i];
        uint64_t size = tn_round_up(s->size, p->pools[s->pool].align);
        for (int32_t t = first_step(s); t <= last_step(p, s); t++) {
            alive[(size_t)s->pool * p->n_steps + (uint32_t)t] += size;
        }
    }
    for (uint32_t i = 0; i < p->n_values; i++) { /* both ends of an overlap lie in one pool */
        const tn_plan_value *v = &p->values[i];
        if (v->n_overlaps > 0) {
            uint32_t pool = p->storages[v->storage].pool;
            alive[(size_t)pool * p->n_steps + v->overlaps[0].step] -= tn_plan_overlap_saves(p, v);
        }
    }
    return alive;
}

static const bool *find_fixed(const tn_explain *x, const tn_place_wishes *w) {
    bool *fixed = TN_ARRAY(x->arena, bool, x->p->n_storages);
    for (uint32_t i = 0; i < w->n_fixes; i++) {
        const tn_plan_value *v = tn_plan_find(x->p, "", w->fixes[i].value);
        if (v != NULL && v->storage != TN_NO_ID) {
            fixed[v->storage] = true;
        }
    }
    return fixed;
}

static uint32_t n_of_kind(const tn_plan *p, tn_pool_kind kind) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_pools; i++) {
        n += p->pools[i].kind == kind;
    }
    return n;
}

void tn_explain_pools_make(tn_explain *x, const tn_place_wishes *w) {
    if (x->m == NULL || !tn_plan_has_costs(x->p)) {
        return;
    }
    x->pools = TN_NEW(x->arena, tn_explain_pools);
    *x->pools =
        (tn_explain_pools){x, tn_plan_traffic(x->p, x->m, x->arena), count_alive(x->p, x->arena),
                           find_fixed(x, w), TN_ARRAY(x->arena, bool, x->p->n_storages)};
}

/* ---- why a value lies where it does ---- */

/* The step of the live range at which most lies in a pool. */
static uint32_t fullest(const tn_explain_pools *e, const tn_storage *s, uint32_t pool) {
    const tn_plan *p = e->x->p;
    const uint64_t *alive = e->alive + (size_t)pool * p->n_steps;
    int32_t at = first_step(s);
    for (int32_t t = at; t <= last_step(p, s); t++) {
        at = alive[t] > alive[at] ? t : at;
    }
    return (uint32_t)at;
}

/* Whether bytes of a pool are free for as long as the storage lives, in one piece. */
static bool has_hole(const tn_explain_pools *e, const tn_storage *s, uint32_t pool) {
    const tn_plan *p = e->x->p;
    const tn_pool *to = &p->pools[pool];
    tn_sort_key *keys = tn_sort_room(e->x->arena, p->n_storages);
    uint64_t at = 0, size = tn_round_up(s->size, to->align);
    uint64_t align = s->align > to->align ? s->align : to->align;
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_storage *o = &p->storages[i];
        if (o->pool == pool && o->size > 0 && first_step(o) <= last_step(p, s) &&
            first_step(s) <= last_step(p, o)) {
            keys[n++] = (tn_sort_key){o->offset, i};
        }
    }
    tn_sort_keys(keys, n);
    for (uint32_t k = 0; k < n && tn_round_up(at, align) + size > keys[k].key; k++) {
        uint64_t end = keys[k].key + tn_round_up(p->storages[keys[k].item].size, to->align);
        at = end > at ? end : at;
    }
    return tn_round_up(at, align) + size <= to->capacity;
}

/* Storages alive in a pool at a step, the largest first; without `limit` of them. */
static void add_held(const tn_explain_pools *e, uint32_t pool, uint32_t step, uint32_t limit) {
    const tn_plan *p = e->x->p;
    tn_sort_key *keys = tn_sort_room(e->x->arena, p->n_storages);
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        if (is_alive(p, &p->storages[i], pool, step)) {
            keys[n++] = (tn_sort_key){~p->storages[i].size, i};
        }
    }
    tn_sort_keys(keys, n);
    for (uint32_t k = 0; k < n && k < limit; k++) {
        const tn_storage *s = &p->storages[keys[k].item];
        tn_vec_push(e->x->arena, &e->x->facts,
                    (tn_fact){.kind = TN_FACT_HOLDS,
                              .value = s->root,
                              .of = pool,
                              .bytes = s->size,
                              .offset = e->traffic[s->id]});
    }
}

static void add_no_room(const tn_explain_pools *e, tn_fact fact, const tn_storage *s) {
    const tn_plan *p = e->x->p;
    const tn_pool *pool = &p->pools[fact.of];
    uint64_t size = tn_round_up(s->size, pool->align);
    uint64_t room = pool->capacity / pool->align * pool->align;
    fact.step = p->n_steps > 0 ? fullest(e, s, fact.of) : TN_NO_ID;
    uint64_t load =
        p->n_steps > 0 ? e->alive[(size_t)fact.of * p->n_steps + fact.step] + size : size;
    fact.room = size > room                   ? TN_ROOM_TOO_SMALL
                : load > room                 ? TN_ROOM_FULL
                : p->concurrency != TN_SERIAL ? TN_ROOM_UNORDERED
                : has_hole(e, s, fact.of)     ? TN_ROOM_LEFT
                                              : TN_ROOM_IN_PIECES;
    fact.bytes = fact.room == TN_ROOM_TOO_SMALL ? size - room
                 : fact.room == TN_ROOM_FULL    ? load - room
                                                : size;
    tn_vec_push(e->x->arena, &e->x->facts, fact);
    if (fact.room == TN_ROOM_FULL) {
        add_held(e, fact.of, fact.step, MOST_BESIDE);
    }
}

void tn_explain_pool_of(const tn_explain *x, uint32_t value) {
    const tn_explain_pools *e = x->pools;
    const tn_storage *s = &x->p->storages[x->p->values[value].storage];
    const tn_pool *own = &x->p->pools[s->pool];
    if (e == NULL || e->told[s->id] || own->cost == 0 ||
        (n_of_kind(x->p, own->kind) == 1 && !e->fixed[s->id])) {
        return;
    }
    e->told[s->id] = true;
    tn_fact fact = {.kind = TN_FACT_POOLED,
                    .value = value,
                    .of = s->pool,
                    .offset = e->traffic[s->id],
                    .room = e->fixed[s->id] ? TN_ROOM_FIXED : TN_ROOM_CHEAPEST};
    bool any = false;
    for (uint32_t i = 0; i < x->p->n_pools && !e->fixed[s->id] && s->size > 0; i++) {
        const tn_pool *pool = &x->p->pools[i];
        if (pool->kind == own->kind && pool->cost < own->cost && pool->capacity != 0) {
            fact.of = i;
            add_no_room(e, fact, s);
            any = true;
        }
    }
    if (!any) {
        tn_vec_push(x->arena, &e->x->facts, fact);
    }
}

/* ---- what fills each pool ---- */

void tn_explain_each_pool(tn_explain *x, uint32_t limit) {
    const tn_explain_pools *e = x->pools;
    for (uint32_t i = 0; e != NULL && i < x->p->n_pools && x->p->n_steps > 0; i++) {
        const uint64_t *alive = e->alive + (size_t)i * x->p->n_steps;
        uint32_t peak = 0, n = 0;
        if (x->p->pools[i].cost == 0) {
            continue;
        }
        for (uint32_t t = 1; t < x->p->n_steps; t++) {
            peak = alive[t] > alive[peak] ? t : peak;
        }
        for (uint32_t k = 0; k < x->p->n_storages; k++) {
            n += is_alive(x->p, &x->p->storages[k], i, peak);
        }
        tn_vec_push(
            x->arena, &x->facts,
            (tn_fact){
                .kind = TN_FACT_POOL, .of = i, .step = peak, .bytes = alive[peak], .value = n});
        add_held(e, i, peak, limit);
    }
}
