/* Storages by what the plan states, which is what backends build upon: in one pool, storages whose
 * live ranges meet share no byte, at all steps when one is pinned or the pool is not for sharing.
 * And frees: after the last step, once, before the bytes are taken, never of pinned ones. */
#include <string.h>

#include "ir/base/xmath.h"
#include "ir/check/check_t.h"
#include "ir/plan/space.h"

tn_check_life tn_check_span(const tn_checking *c, uint32_t storage) {
    const tn_storage *s = &c->p->storages[storage];
    if (s->pinned || c->p->pools[s->pool].kind != TN_POOL_ARENA) {
        return (tn_check_life){-1, (int32_t)c->p->n_steps};
    }
    return (tn_check_life){s->first, s->last};
}

static const char *root_name(const tn_checking *c, uint32_t storage) {
    return tn_check_value_name(c, c->p->storages[storage].root);
}

/* By storage: the step that frees it, or TN_NO_ID. */
static uint32_t *check_frees(tn_checking *c) {
    const tn_plan *p = c->p;
    uint32_t *freed = TN_ARRAY(c->arena, uint32_t, p->n_storages);
    memset(freed, 0xff, p->n_storages * sizeof *freed);
    for (uint32_t i = 0; i < p->n_steps; i++) {
        for (uint32_t k = 0; k < p->steps[i].frees.len; k++) {
            uint32_t id = p->steps[i].frees.data[k];
            if (freed[id] != TN_NO_ID) {
                tn_check_fail(c, "%s frees the storage of %s again: step %u did",
                              tn_check_step_name(c, (int32_t)i), root_name(c, id), freed[id]);
            } else if (tn_check_span(c, id).last > (int32_t)i) {
                tn_check_fail(c, "%s frees the storage of %s, which is needed to %s",
                              tn_check_step_name(c, (int32_t)i), root_name(c, id),
                              tn_check_step_name(c, tn_check_span(c, id).last));
            }
            freed[id] = i;
        }
    }
    return freed;
}

static void check_pair(tn_checking *c, const uint32_t *freed, uint32_t s, uint32_t old) {
    int32_t first = tn_check_span(c, s).first;
    bool begins_inside = c->under[s] == old && tn_check_span(c, old).last == first;
    if (begins_inside && freed[old] != TN_NO_ID) {
        tn_check_fail(c, "%s frees the storage of %s, in which %s begins at %s",
                      tn_check_step_name(c, (int32_t)freed[old]), root_name(c, old),
                      root_name(c, s), tn_check_step_name(c, first));
    } else if (begins_inside) {
        return; /* byte by byte, tn_check_overwrites has seen that nobody else is hit */
    } else if (tn_check_span(c, old).last >= first) {
        tn_check_fail(c, "the storages of %s and %s share bytes of pool '%s' while both live at %s",
                      root_name(c, s), root_name(c, old), c->p->pools[c->p->storages[s].pool].name,
                      tn_check_step_name(c, first));
    } else if (freed[old] != TN_NO_ID && (int32_t)freed[old] >= first) {
        tn_check_fail(c, "%s frees the storage of %s after %s took its bytes at %s",
                      tn_check_step_name(c, (int32_t)freed[old]), root_name(c, old),
                      root_name(c, s), tn_check_step_name(c, first));
    }
}

/* Storages with bytes, by the step they start at. */
static uint32_t *by_first(const tn_checking *c, uint32_t *n) {
    const tn_plan *p = c->p;
    uint32_t *start = TN_ARRAY(c->arena, uint32_t, (size_t)p->n_steps + 3);
    uint32_t *sorted = TN_ARRAY(c->arena, uint32_t, p->n_storages);
    for (uint32_t i = 0; i < p->n_storages; i++) {
        if (p->storages[i].size > 0) {
            start[tn_check_span(c, i).first + 2]++;
        }
    }
    for (uint32_t s = 1; s < p->n_steps + 3; s++) {
        start[s] += start[s - 1];
    }
    *n = start[p->n_steps + 2];
    for (uint32_t i = 0; i < p->n_storages; i++) {
        if (p->storages[i].size > 0) {
            sorted[start[tn_check_span(c, i).first + 1]++] = i;
        }
    }
    return sorted;
}

/* Storages with bytes, wherever they lie: those that meet in time share none. */
static void check_apart(tn_checking *c, const uint32_t *freed, const uint64_t *offset,
                        const uint64_t *size, const uint64_t *pool_base) {
    const tn_plan *p = c->p;
    uint32_t n;
    const uint32_t *order = by_first(c, &n);
    uint64_t *borders = TN_ARRAY(c->arena, uint64_t, 2 * (size_t)n + 1);
    tn_space space;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t s = order[i];
        borders[2 * i] = pool_base[p->storages[s].pool] + offset[s];
        borders[2 * i + 1] = borders[2 * i] + size[s];
    }
    tn_space_init(&space, c->arena, borders, 2 * (size_t)n + 1);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t s = order[i], from, to;
        uint64_t lo = pool_base[p->storages[s].pool] + offset[s];
        if (size[s] == 0) {
            continue;
        }
        tn_space_cut(&space, lo, lo + size[s], &from, &to);
        for (uint32_t k = from; k < to; k = space.end[k]) {
            if (space.owner[k] != NULL) {
                check_pair(c, freed, s, space.owner[k]->id);
            }
        }
        tn_space_give(&space, from, to, s);
    }
}

void tn_check_apart(tn_checking *c, const uint64_t *offset, const uint64_t *size,
                    const uint64_t *pool_size) {
    uint32_t *freed = TN_ARRAY(c->arena, uint32_t, c->p->n_storages);
    uint64_t *base = TN_ARRAY(c->arena, uint64_t, c->p->n_pools + 1u);
    memset(freed, 0xff, c->p->n_storages * sizeof *freed);
    for (uint32_t i = 0; i < c->p->n_pools; i++) {
        if (!tn_add_u64(base[i], pool_size[i], &base[i + 1])) {
            return; /* more than there are addresses */
        }
    }
    check_apart(c, freed, offset, size, base);
}

void tn_check_storages(tn_checking *c) {
    const tn_plan *p = c->p;
    uint64_t *offset = TN_ARRAY(c->arena, uint64_t, p->n_storages);
    uint64_t *size = TN_ARRAY(c->arena, uint64_t, p->n_storages);
    for (uint32_t i = 0; i < p->n_storages; i++) {
        offset[i] = p->storages[i].offset;
        size[i] = p->storages[i].size;
    }
    check_apart(c, check_frees(c), offset, size, c->pool_base);
}
