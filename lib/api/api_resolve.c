/* plan_read.h: plans with open dimensions, for extents at hand. */
#include <string.h>

#include "ir/base/diag.h"
#include "ir/plan/plan_extents.h"
#include "lib/api/api_t.h"

typedef struct resolve_args {
    const tn_plan *plan;
    const char *const *names;
    const int64_t *extents;
    size_t n;
    tn_plan *out;
} resolve_args;

/* The index of a dimension that follows from others, or n_relations. */
static uint32_t find_related(const tn_plan *p, const char *name) {
    uint32_t i = 0;
    while (i < p->n_relations && strcmp(p->relations[i].name, name) != 0) {
        i++;
    }
    return i;
}

/* What is given of dimensions that follow from others is what follows. */
static tn_status demand_related(const tn_plan *p, const char *const *names, const int64_t *extents,
                                size_t n, const int64_t *dims) {
    for (size_t k = 0; k < n; k++) {
        uint32_t i = find_related(p, names[k]);
        int64_t extent;
        if (i == p->n_relations || (tn_plan_related(p, i, dims, &extent) && extent == extents[k])) {
            continue;
        }
        return tn_error(p->ctx, NULL, "dimension '%s' is %lld, and the plan is for %s", names[k],
                        (long long)extents[k], p->relations[i].is_text);
    }
    return TN_OK;
}

tn_status tn_plan_extents(const tn_plan *p, const char *const *names, const int64_t *extents,
                          size_t n, int64_t *dims) {
    bool *given = TN_ARRAY(p->arena, bool, p->n_ranges);
    const char **all = TN_ARRAY(p->arena, const char *, p->n_ranges);
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        all[i] = p->ranges[i].name;
    }
    for (size_t k = 0; k < n; k++) {
        uint32_t i = 0;
        while (i < p->n_ranges && strcmp(all[i], names[k]) != 0) {
            i++;
        }
        if (i == p->n_ranges && find_related(p, names[k]) < p->n_relations) {
            continue;
        }
        if (i == p->n_ranges) {
            return tn_usage(p->ctx, NULL, "the plan leaves no dimension '%s' open%s", names[k],
                            tn_did_you_mean(p->arena, tn_nearest(names[k], all, p->n_ranges)));
        }
        given[i] = true;
        dims[i] = extents[k];
    }
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        if (!given[i]) {
            return tn_usage(p->ctx, NULL, "no extent is given for dimension '%s'", all[i]);
        }
    }
    return demand_related(p, names, extents, n, dims);
}

/* The program of which all extents are, as "PROGRAM/NAME"; `names` become those of its dimensions.
 * NULL after a diagnostic. */
static const tn_plan *program_meant(const resolve_args *a, const char **names) {
    const tn_plan_set *set = a->plan->set;
    for (uint32_t i = 0; i < set->n_programs; i++) {
        size_t len = strlen(set->programs[i].name), n = 0;
        while (n < a->n && strncmp(a->names[n], set->programs[i].name, len) == 0 &&
               a->names[n][len] == '/') {
            names[n] = a->names[n] + len + 1;
            n++;
        }
        if (n == a->n && n > 0 && set->programs[i].variants[0]->n_ranges > 0) {
            return set->programs[i].variants[0];
        }
    }
    (void)tn_usage(a->plan->ctx, NULL,
                   "the plan has several programs: give the extents of one that leaves dimensions "
                   "open, as in PROGRAM/NAME%s%s",
                   a->n > 0 ? "; given is " : "", a->n > 0 ? a->names[0] : "");
    return NULL;
}

static tn_status resolve(tn_ctx *ctx, void *arg) {
    resolve_args *a = arg;
    tn_arena *arena = tn_arena_new(ctx);
    if (tn_shares_pools(a->plan)) {
        const char **names = TN_ARRAY(arena, const char *, a->n);
        a->plan = program_meant(a, names);
        a->names = names;
    }
    if (a->plan == NULL) {
        tn_arena_drop(arena);
        return TN_USAGE;
    }
    int64_t *dims = TN_ARRAY(arena, int64_t, a->plan->n_ranges);
    tn_status status = tn_plan_extents(a->plan, a->names, a->extents, a->n, dims);
    if (status == TN_OK) {
        const tn_plan *variant = tn_plan_smallest(a->plan, dims);
        a->out = tn_plan_for(variant != NULL ? variant : a->plan, dims);
        status = a->out != NULL ? TN_OK : TN_ERROR;
    }
    tn_arena_drop(arena);
    return status;
}

tenure_status tenure_plan_resolve(const tenure_plan *plan, const char *const *names,
                                  const int64_t *extents, size_t n, tenure_plan **out) {
    resolve_args a = {api_plan(plan), names, extents, n, NULL};
    if (out != NULL) {
        *out = NULL;
    }
    if (plan == NULL || out == NULL || (n > 0 && (names == NULL || extents == NULL))) {
        return tn_api_null(plan != NULL ? a.plan->ctx : NULL, "tenure_plan_resolve",
                           plan == NULL    ? "plan"
                           : out == NULL   ? "out"
                           : names == NULL ? "names"
                                           : "extents");
    }
    tn_status status = tn_guard_run(a.plan->ctx, resolve, &a);
    *out = status == TN_OK ? (tenure_plan *)a.out : NULL;
    return (tenure_status)status;
}
