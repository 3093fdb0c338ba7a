/* The largest extent of a dimension for which the arena stays within a capacity: doubled until it
 * does not, then bisected. That a plan for more never needs less is assumed between the two ends,
 * which are both planned. */
#include <inttypes.h>
#include <string.h>

#include "ir/build.h"
#include "lib/sets/sets.h"

enum { MOST = 1 << 24 };

typedef struct searching {
    const tn_request *r;
    const char *path;
    uint64_t needs; /* of the plan made last */
    uint32_t n_plans;
} searching;

static tn_request bound(const tn_request *r, int64_t extent) {
    tn_request out = *r;
    out.dims.data = NULL;
    out.dims.len = out.dims.cap = 0;
    for (uint32_t i = 0; i < r->dims.len; i++) {
        tn_vec_push(r->arena, &out.dims, r->dims.data[i]);
    }
    tn_vec_push(r->arena, &out.dims, (tn_dim_binding){.name = r->largest, .value = extent});
    return out;
}

/* Plans without a capacity, so that what does not fit is no error. */
static tn_status try_extent(searching *s, int64_t extent, bool *fits) {
    tn_request r = bound(s->r, extent);
    tn_ctx *ctx = tn_arena_ctx(r.arena);
    tn_plan *plan = NULL;
    r.controls.capacity = 0;
    tn_load_options options = tn_request_load_options(&r);
    tn_module *m = tn_load_file(ctx, s->path, &options);
    tn_status status = m != NULL ? tn_planner_run(&r, m, NULL, &plan) : TN_ERROR;
    if (status == TN_OK && plan == NULL) {
        status = tn_no_plan(ctx);
    }
    s->needs = 0;
    for (uint32_t i = 0; status == TN_OK && i < plan->n_pools; i++) {
        s->needs += plan->pools[i].kind == TN_POOL_ARENA ? plan->pools[i].size : 0;
    }
    *fits = s->needs <= s->r->controls.capacity;
    s->n_plans++;
    tn_plan_drop(plan);
    tn_module_drop(m);
    return status;
}

/* The largest extent known to fit, the smallest known not to, and what that needs. */
typedef struct ends {
    int64_t low, high;
    uint64_t too_much;
} ends;

static tn_status narrow(searching *s, ends *e) {
    bool fits = true;
    tn_status status = TN_OK;
    while (status == TN_OK && fits && e->high <= MOST) {
        status = try_extent(s, e->high, &fits);
        e->low = fits ? e->high : e->low;
        e->high = fits ? 2 * e->high : e->high;
        e->too_much = s->needs;
    }
    while (status == TN_OK && !fits && e->high - e->low > 1) {
        int64_t middle = e->low + (e->high - e->low) / 2;
        bool middle_fits;
        status = try_extent(s, middle, &middle_fits);
        e->low = middle_fits ? middle : e->low;
        e->high = middle_fits ? e->high : middle;
        e->too_much = middle_fits ? e->too_much : s->needs;
    }
    return status;
}

tn_status tn_set_largest(const tn_request *r, const char *path, int64_t *extent) {
    searching s = {.r = r, .path = path};
    ends e = {0, 1, 0};
    tn_loc loc = tn_loc_file(path);
    tn_ctx *ctx = tn_arena_ctx(r->arena);
    if (r->controls.capacity == 0) {
        return tn_usage(ctx, NULL, "--largest=%s needs a --capacity", r->largest);
    }
    for (uint32_t i = 0; i < r->dims.len; i++) {
        if (strcmp(r->dims.data[i].name, r->largest) == 0) {
            return tn_usage(ctx, NULL,
                            "--largest=%s looks for the extent of a dimension that --dim gives: "
                            "leave one of the two out",
                            r->largest);
        }
    }
    tn_status status = narrow(&s, &e);
    *extent = e.low;
    if (status != TN_OK) {
        return status;
    }
    if (e.high > MOST) {
        return tn_usage(ctx, &loc, "the arena fits %" PRIu64 " bytes for every '%s' up to %d",
                        r->controls.capacity, r->largest, (int)MOST);
    }
    if (e.low == 0) {
        return tn_error_of(ctx, TN_NOFIT, &loc,
                           "the arena needs %" PRIu64 " bytes for '%s' = 1, more than the capacity "
                           "of %" PRIu64,
                           e.too_much, r->largest, r->controls.capacity);
    }
    tn_note(ctx, &loc,
            "'%s' is %" PRId64 ", the largest that fits: %" PRId64 " needs %" PRIu64
            " bytes of arena (%u plans made)",
            r->largest, e.low, e.high, e.too_much, (unsigned)s.n_plans);
    return TN_OK;
}
