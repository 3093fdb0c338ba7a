#include "lib/open/open_capacity.h"

#include "ir/plan/plan_extents.h"
#include "ir/plan/plan_samples.h"

/* Bytes that the pool may have; 0: any number. */
static uint64_t limit_of(const tn_pool *pool, uint64_t capacity) {
    return capacity == 0 ? pool->capacity : pool->kind == TN_POOL_ARENA ? capacity : 0;
}

static const char *shown(tn_arena *arena, const tn_plan *p, const int64_t *dims) {
    tn_sink out = tn_sink_make(arena);
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        tn_putf(&out, "%s%s=%lld", i > 0 ? ", " : "", p->ranges[i].name, (long long)dims[i]);
    }
    return out.data;
}

/* At these extents, with the variant that is run for them. */
static tn_status demand_at(const tn_plan *p, const tn_loc *loc, uint64_t capacity,
                           const int64_t *dims) {
    tn_arena *arena = tn_arena_new(p->ctx);
    const tn_plan *variant = tn_plan_smallest(p, dims);
    tn_resolved at;
    tn_status status = TN_OK;
    bool known = variant != NULL && tn_plan_try(variant, dims, arena, &at);
    for (uint32_t i = 0; i < p->n_pools && known && status == TN_OK; i++) {
        uint64_t limit = limit_of(&p->pools[i], capacity);
        if (limit != 0 && at.pool_size[i] > limit) {
            status =
                tn_error_of(p->ctx, TN_NOFIT, loc,
                            "pool '%s' needs %llu bytes for %s, more than the capacity of "
                            "%llu: end the range before, --largest=%s finds where",
                            p->pools[i].name, (unsigned long long)at.pool_size[i],
                            shown(arena, p, dims), (unsigned long long)limit, p->ranges[0].name);
        }
    }
    tn_arena_drop(arena);
    return status;
}

static bool has_limit(const tn_plan *p, uint64_t capacity) {
    bool any = false;
    for (uint32_t i = 0; i < p->n_pools; i++) {
        any = any || limit_of(&p->pools[i], capacity) != 0;
    }
    return any;
}

tn_status tn_open_keeps_capacity(const tn_plan *p, const tn_loc *loc, uint64_t capacity) {
    if (!has_limit(p, capacity)) {
        return TN_OK;
    }
    tn_arena *arena = tn_arena_new(p->ctx);
    int64_t *dims = TN_ARRAY(arena, int64_t, p->n_ranges);
    const tn_plan_range *endless = NULL;
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        endless = endless == NULL && p->ranges[i].max == INT64_MAX ? &p->ranges[i] : endless;
        dims[i] = p->ranges[i].max;
    }
    tn_status status = TN_OK;
    if (endless != NULL) {
        tn_warn(p->ctx, loc,
                "a capacity holds for the extents of the report's figures alone, since dimension "
                "'%s' has no upper end: give one with --dim %s=%lld..N",
                endless->name, endless->name, (long long)endless->min);
        for (uint32_t i = 0; i < p->n_ranges; i++) {
            dims[i] = p->ranges[i].point;
        }
    }
    status = demand_at(p, loc, capacity, dims);
    tn_plan_samples samples = tn_plan_samples_make(arena, p);
    for (uint32_t s = 0; s < samples.n && endless == NULL && status == TN_OK; s++) {
        status = demand_at(p, loc, capacity, samples.of[s]);
    }
    tn_arena_drop(arena);
    return status;
}
