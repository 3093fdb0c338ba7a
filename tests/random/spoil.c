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

static bool are_rivals(const tn_plan *p, const tn_plan_value *a, const tn_plan_value *b) {
    return may_both_live(a->graph, b->graph) && is_plain(p, a) && is_plain(p, b) &&
           a->storage != b->storage &&
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
