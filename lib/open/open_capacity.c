#include "lib/open/open_capacity.h"

#include "ir/plan/plan_extents.h"
#include "ir/plan/plan_samples.h"

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
        if (p->pools[i].kind == TN_POOL_ARENA && at.pool_size[i] > capacity) {
            status = tn_error_of(p->ctx, TN_NOFIT, loc,
                                 "pool '%s' needs %llu bytes for %s, more than the capacity of "
                                 "%llu: let the range end earlier",
                                 p->pools[i].name, (unsigned long long)at.pool_size[i],
                                 shown(arena, p, dims), (unsigned long long)capacity);
        }
    }
    tn_arena_drop(arena);
    return status;
}

/* The first dimension without an upper end, or NULL. */
static const tn_plan_range *find_endless(const tn_plan *p) {
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        if (p->ranges[i].max == INT64_MAX) {
            return &p->ranges[i];
        }
    }
    return NULL;
}

tn_status tn_open_keeps_capacity(const tn_plan *p, const tn_loc *loc, uint64_t capacity) {
    if (capacity == 0) {
        return TN_OK;
    }
    tn_arena *arena = tn_arena_new(p->ctx);
    tn_plan_samples samples = tn_plan_samples_make(arena, p);
    int64_t *dims = TN_ARRAY(arena, int64_t, p->n_ranges);
    const tn_plan_range *endless = find_endless(p);
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        dims[i] = endless != NULL ? p->ranges[i].point : p->ranges[i].max;
    }
    if (endless != NULL) {
        tn_warn(p->ctx, loc,
                "the capacity is kept at the extents of the report's figures alone, since "
                "dimension '%s' has no upper end: give one with --dim %s=%lld..N",
                endless->name, endless->name, (long long)endless->min);
    }
    tn_status status = demand_at(p, loc, capacity, dims);
    for (uint32_t s = 0; s < samples.n && endless == NULL && status == TN_OK; s++) {
        status = demand_at(p, loc, capacity, samples.of[s]);
    }
    tn_arena_drop(arena);
    return status;
}
