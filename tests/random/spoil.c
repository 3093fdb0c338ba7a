#include "tests/random/spoil.h"

#include <string.h>

#include "tests/random/rng.h"

static bool is_plain(const tn_plan *p, const tn_plan_value *v) {
    return v->storage != TN_NO_ID && v->bytes > 0 && !p->storages[v->storage].pinned &&
           v->role == TN_ROLE_INTERNAL;
}

/* Of two branches of one op one runs: their values may lie on one another. */
static bool may_both_live(const char *a, const char *b) {
    size_t m = strlen(a), n = strlen(b);
    return strncmp(a, b, m < n ? m : n) == 0;
}

/* Whether a value of the one storage begins inside one of the other, as it may somewhere else too.
 */
static bool may_share(const tn_plan *p, uint32_t a, uint32_t b) {
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        for (uint32_t k = 0; k < v->n_overlaps; k++) {
            uint32_t other = p->values[v->overlaps[k].value].storage;
            if ((v->storage == a && other == b) || (v->storage == b && other == a)) {
                return true;
            }
        }
    }
    return false;
}

static bool are_rivals(const tn_plan *p, const tn_plan_value *a, const tn_plan_value *b) {
    return may_both_live(a->graph, b->graph) && is_plain(p, a) && is_plain(p, b) &&
           a->storage != b->storage && !may_share(p, a->storage, b->storage) &&
           p->storages[a->storage].pool == p->storages[b->storage].pool && a->first <= b->last &&
           b->first <= a->last && p->storages[b->storage].offset + b->offset >= a->offset;
}

bool spoil_overlap(tn_plan *p, uint64_t seed) {
    rng r = {seed};
    uint32_t n = 0, moved = 0, onto = 0;
    for (uint32_t i = 0; i < p->n_values; i++) {
        for (uint32_t k = 0; k < p->n_values; k++) {
            if (are_rivals(p, &p->values[i], &p->values[k]) && rng_below(&r, ++n) == 0) {
                moved = i;
                onto = k;
            }
        }
    }
    if (n == 0) {
        return false;
    }
    tn_storage *s = &p->storages[p->values[moved].storage];
    s->offset = tn_plan_address(p, &p->values[onto]) - p->values[moved].offset;
    uint64_t end = s->offset + s->size;
    p->pools[s->pool].size = end > p->pools[s->pool].size ? end : p->pools[s->pool].size;
    return true;
}

/* Whether nothing else depends on where the storage lies. */
static bool is_alone(const tn_plan *p, uint32_t storage, const tn_plan_overlap *but) {
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        for (uint32_t k = 0; k < v->n_overlaps; k++) {
            bool touches =
                v->storage == storage || p->values[v->overlaps[k].value].storage == storage;
            if (touches && &v->overlaps[k] != but) {
                return false;
            }
        }
    }
    return !p->storages[storage].pinned;
}

/* Both storages behind all others, the operand at that distance behind the result. */
static void lay_behind(tn_plan *p, const tn_plan_value *y, tn_plan_overlap *o, uint64_t distance) {
    const tn_plan_value *x = &p->values[o->value];
    tn_storage *over = &p->storages[y->storage], *under = &p->storages[x->storage];
    tn_pool *pool = &p->pools[over->pool];
    pool->align = 1; /* a byte less is to be all that is wrong */
    for (uint32_t i = 0; i < p->n_storages; i++) {
        p->storages[i].align = p->storages[i].pool == over->pool ? 1 : p->storages[i].align;
    }
    over->offset = pool->size + x->offset;
    under->offset = over->offset + y->offset + distance - x->offset;
    uint64_t ends[] = {over->offset + over->size, under->offset + under->size};
    pool->size = ends[0] > ends[1] ? ends[0] : ends[1];
    o->distance = distance;
}

bool spoil_distance(tn_plan *p, uint64_t seed, uint64_t less) {
    rng r = {seed};
    uint32_t n = 0, value = 0;
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        const tn_plan_overlap *o = v->overlaps;
        if (v->n_overlaps == 1 && o->distance > 0 && v->graph[0] == '\0' &&
            is_alone(p, v->storage, o) && is_alone(p, p->values[o->value].storage, o) &&
            rng_below(&r, ++n) == 0) {
            value = i;
        }
    }
    if (n > 0) {
        tn_plan_overlap *o = TN_NEW(p->arena, tn_plan_overlap);
        *o = p->values[value].overlaps[0];
        p->values[value].overlaps = o;
        lay_behind(p, &p->values[value], o, o->distance - less);
    }
    return n > 0;
}

/* Storages freed after the step in which their last value is read are freed one step before. */
bool spoil_free(tn_plan *p, uint64_t seed) {
    rng r = {seed};
    uint32_t n = 0, from = 0;
    for (uint32_t i = 1; i < p->n_steps; i++) {
        if (p->steps[i].frees.len > 0 && p->steps[i - 1].frees.len == 0 &&
            rng_below(&r, ++n) == 0) {
            from = i;
        }
    }
    if (n > 0) {
        p->steps[from - 1].frees = p->steps[from].frees;
        p->steps[from].frees = (tn_ids){NULL, 0};
    }
    return n > 0;
}
