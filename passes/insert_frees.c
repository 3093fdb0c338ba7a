/* Release points: after which step the bytes of a storage are nobody's any more. */
#include "passes/core/pass.h"

enum { STAT_FREES };
static const tn_stat stats[] = {[STAT_FREES] = {"frees", "storages freed before the end"}, {0}};

/* Pinned storages, and those that live past the last step or end before the first, are never freed.
 */
static bool is_freed(const tn_plan *p, const tn_storage *s) {
    return p->pools[s->pool].kind == TN_POOL_ARENA && !s->pinned && s->last >= 0 &&
           (uint32_t)s->last < p->n_steps;
}

static tn_status run(tn_pass_ctx *c) {
    tn_plan *p = *c->plan;
    uint32_t *at = TN_ARRAY(c->scratch, uint32_t, p->n_steps + 2u), n = 0;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        if (is_freed(p, &p->storages[i])) {
            at[p->storages[i].last + 2]++;
            n++;
        }
    }
    for (uint32_t s = 0; s < p->n_steps; s++) {
        at[s + 2] += at[s + 1];
    }
    uint32_t *ids = TN_ARRAY(p->arena, uint32_t, n);
    for (uint32_t i = 0; i < p->n_storages; i++) {
        if (is_freed(p, &p->storages[i])) {
            ids[at[p->storages[i].last + 1]++] = i;
        }
    }
    for (uint32_t s = 0; s < p->n_steps; s++) {
        p->steps[s].frees = (tn_ids){ids + at[s], at[s + 1] - at[s]};
    }
    c->stats[STAT_FREES] = n;
    return TN_OK;
}

const tn_pass_info tn_pass_insert_frees = {
    .name = "insert-frees",
    .summary = "tells after which step each storage is free",
    .needs = TN_PROP_PLANNED,
    .stats = stats,
    .required = true,
    .run = run,
};
