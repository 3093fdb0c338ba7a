#include "lib/demand_places.h"

#include <string.h>

typedef unsigned long long ull;

static const tn_pool *find_pool(const tn_plan *p, const char *name) {
    for (uint32_t i = 0; i < p->n_pools; i++) {
        if (strcmp(p->pools[i].name, name) == 0) {
            return &p->pools[i];
        }
    }
    return NULL;
}

static bool same_text(const char *a, const char *b) {
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static tn_status demand_pool(const tn_plan *p, const tn_pool_wish *wish, const tn_loc *loc) {
    const tn_pool *pool = find_pool(p, wish->name);
    if (pool == NULL) {
        return tn_error(p->ctx, loc, "the plan has no pool '%s'", wish->name);
    }
    bool same = pool->kind == wish->kind && pool->cost == wish->cost &&
                pool->copied == wish->copied && same_text(pool->section, wish->section) &&
                (wish->align == 0 || pool->align == wish->align);
    if (!same) {
        return tn_error(p->ctx, loc,
                        "pool '%s' of the plan is of another kind, cost, alignment or section than "
                        "asked for",
                        wish->name);
    }
    if (wish->capacity != 0 && pool->size > wish->capacity) {
        return tn_error_of(p->ctx, TN_NOFIT, loc,
                           "pool '%s' needs %llu bytes, more than its capacity of %llu", wish->name,
                           (ull)pool->size, (ull)wish->capacity);
    }
    return TN_OK;
}

static const tn_plan_value *placed(const tn_plan *p, const char *name, const tn_loc *loc) {
    const tn_plan_value *v = tn_plan_find(p, "", name);
    if (v == NULL || v->storage == TN_NO_ID) {
        tn_error(p->ctx, loc, "value '%s' has no place in the plan", name);
        return NULL;
    }
    return v;
}

static tn_status demand_fix(const tn_plan *p, const tn_place_wish *wish, const tn_loc *loc) {
    const tn_plan_value *v = placed(p, wish->value, loc);
    if (v == NULL) {
        return TN_ERROR;
    }
    const char *pool = p->pools[p->storages[v->storage].pool].name;
    uint64_t at = tn_plan_address(p, v);
    return strcmp(pool, wish->pool) == 0 && at == wish->offset
               ? TN_OK
               : tn_error(p->ctx, loc,
                          "value '%s' lies at byte %llu of pool '%s', not at byte %llu of '%s', "
                          "where it is fixed",
                          wish->value, (ull)at, pool, (ull)wish->offset, wish->pool);
}

/* The base counts too: an address is base and offset. */
static tn_status demand_align(const tn_plan *p, const tn_align_wish *wish, const tn_loc *loc) {
    const tn_plan_value *v = placed(p, wish->value, loc);
    if (v == NULL) {
        return TN_ERROR;
    }
    const tn_pool *pool = &p->pools[p->storages[v->storage].pool];
    uint64_t at = tn_plan_address(p, v);
    return at % wish->align == 0 && tn_pool_base(pool) % wish->align == 0
               ? TN_OK
               : tn_error(p->ctx, loc,
                          "value '%s' lies at byte %llu of pool '%s', whose base is a multiple of "
                          "%llu: it is not aligned to %llu",
                          wish->value, (ull)at, pool->name, (ull)tn_pool_base(pool),
                          (ull)wish->align);
}

tn_status tn_demand_places(const tn_request *r, const tn_plan *plan, const char *name) {
    tn_loc loc = tn_loc_file(name);
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < r->pools.len && status == TN_OK; i++) {
        status = demand_pool(plan, &r->pools.data[i], &loc);
    }
    for (uint32_t i = 0; i < r->fixes.len && status == TN_OK; i++) {
        status = demand_fix(plan, &r->fixes.data[i], &loc);
    }
    for (uint32_t i = 0; i < r->aligns.len && status == TN_OK; i++) {
        status = demand_align(plan, &r->aligns.data[i], &loc);
    }
    return status;
}
