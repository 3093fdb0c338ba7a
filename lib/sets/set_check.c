/* Holds the plans of a set against the models of its programs. */
#include <string.h>

#include "frontends/core/frontend.h"
#include "ir/build.h"
#include "ir/check/check_set.h"
#include "lib/sets/sets.h"

/* The path for a program: the model of that name, or the only one there is. */
static const char *path_for(tn_arena *arena, const tn_set_model *models, uint32_t n,
                            const char *program) {
    const char **names = TN_ARRAY(arena, const char *, n);
    for (uint32_t i = 0; i < n; i++) {
        names[i] = models[i].program;
        if (strcmp(names[i], program) == 0) {
            return models[i].path;
        }
    }
    if (n == 1) {
        return models[0].path;
    }
    const char *near = tn_nearest(program, names, n);
    (void)tn_usage(tn_arena_ctx(arena), NULL,
                   "no model is given for program '%s' of the plan%s; name it, as in %s=PATH",
                   program, tn_did_you_mean(arena, near), program);
    return NULL;
}

/* The extents are those of the variant; what is open, or follows from what is, stays so. */
static tn_request variant_request(const tn_request *r, const tn_plan *p) {
    tn_request out = *r;
    out.dims.data = NULL;
    out.dims.len = out.dims.cap = 0;
    for (uint32_t i = 0; i < p->n_dims; i++) {
        tn_vec_push(r->arena, &out.dims,
                    (tn_dim_binding){.name = p->dims[i].name, .value = p->dims[i].value});
    }
    for (uint32_t i = 0; i < r->dims.len; i++) {
        const tn_dim_binding *d = &r->dims.data[i];
        if (d->open || (d->is != NULL && !tn_plan_binds(p, d->name))) {
            tn_vec_push(r->arena, &out.dims, r->dims.data[i]);
        }
    }
    out.buckets.len = 0;
    return out;
}

/* Numbers for what the variant does not bind: whoever loads the model refuses a name that it has
 * not. */
static void add_unbound(tn_request *out, const tn_request *r, const tn_plan *p) {
    for (uint32_t i = 0; i < r->dims.len; i++) {
        const tn_dim_binding *d = &r->dims.data[i];
        if (!d->open && d->is == NULL && !tn_plan_binds(p, d->name)) {
            tn_vec_push(r->arena, &out->dims, *d);
        }
    }
    for (uint32_t i = 0; i < r->buckets.len; i++) {
        const tn_bucket_dim *d = &r->buckets.data[i];
        if (!tn_plan_binds(p, d->name)) {
            tn_vec_push(r->arena, &out->dims,
                        (tn_dim_binding){.name = d->name, .value = d->values[0]});
        }
    }
}

/* Whether a variant is for the extent, or the program binds no such dimension. */
static tn_status demand_extent(const tn_plan_program *program, const char *name, int64_t extent) {
    tn_ctx *ctx = program->variants[0]->ctx;
    bool binds = false;
    for (uint32_t i = 0; i < program->n_variants; i++) {
        const tn_plan *p = program->variants[i];
        for (uint32_t k = 0; k < p->n_dims; k++) {
            bool same = strcmp(p->dims[k].name, name) == 0;
            if (same && p->dims[k].value == extent) {
                return TN_OK;
            }
            binds = binds || same;
        }
    }
    return !binds ? TN_OK
                  : tn_error(ctx, NULL, "program '%s' of the plan has no variant for %s = %lld",
                             program->name, name, (long long)extent);
}

static tn_status demand_extents(const tn_request *r, const tn_plan_program *program) {
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < r->dims.len && status == TN_OK; i++) {
        const tn_dim_binding *d = &r->dims.data[i];
        status = d->open || d->is != NULL ? TN_OK : demand_extent(program, d->name, d->value);
    }
    for (uint32_t i = 0; i < r->buckets.len; i++) {
        const tn_bucket_dim *d = &r->buckets.data[i];
        for (uint32_t k = 0; k < d->n && status == TN_OK; k++) {
            status = demand_extent(program, d->name, d->values[k]);
        }
    }
    return status;
}

/* What each plan of a set is checked with. */
typedef struct checked {
    tn_request asked;
    tn_module *module; /* owned */
} checked;

/* Each plan against its module, then all against each other; what is wrong there is said even where
 * one is wrong by itself. */
static tn_status check_all(tn_arena *arena, const tn_plan *plan, checked *with) {
    uint32_t n = tn_plan_count(plan);
    const tn_module **modules = TN_ARRAY(arena, const tn_module *, n);
    tn_status worst = TN_OK;
    for (uint32_t i = 0; i < n; i++) {
        modules[i] = with[i].module;
        tn_status one = tn_planner_check(&with[i].asked, with[i].module, tn_plan_at(plan, i));
        worst = one != TN_OK ? one : worst;
    }
    return tn_plan_check_set(plan, modules) == TN_OK ? worst : TN_ERROR;
}

static void drop_modules(const tn_plan *plan, checked *with) {
    for (uint32_t i = 0; i < tn_plan_count(plan); i++) {
        tn_module_drop(with[i].module);
    }
}

static tn_status load_variant(const tn_request *program, const char *path, const tn_plan *p,
                              checked *out) {
    out->asked = variant_request(program, p);
    add_unbound(&out->asked, program, p);
    tn_load_options options = tn_request_load_options(&out->asked);
    out->module = tn_load_file(p->ctx, path, &options);
    return out->module != NULL ? TN_OK : TN_ERROR;
}

/* The models of all programs by their names. */
static tn_status find_models(tn_arena *arena, const tn_plan_set *set, const char *const *texts,
                             uint32_t n, tn_set_model *out) {
    tn_set_model *given = TN_ARRAY(arena, tn_set_model, n);
    tn_status status = tn_set_models(arena, texts, n, given);
    for (uint32_t i = 0; i < set->n_programs && status == TN_OK; i++) {
        const char *name = set->programs[i].name;
        out[i] = (tn_set_model){name, path_for(arena, given, n, name)};
        status = out[i].path != NULL ? TN_OK : TN_USAGE;
    }
    return status;
}

tn_status tn_set_check_files(tn_request *r, const tn_plan *plan, const char *const *texts,
                             uint32_t n) {
    const tn_plan_set *set = plan->set;
    tn_set_model *models = TN_ARRAY(r->arena, tn_set_model, set->n_programs);
    uint32_t n_plans = tn_plan_count(plan), at = 0;
    checked *with = TN_ARRAY(r->arena, checked, n_plans);
    const tn_module **loaded = TN_ARRAY(r->arena, const tn_module *, n_plans);
    tn_status status = find_models(r->arena, set, texts, n, models);
    for (uint32_t i = 0; i < set->n_programs && status == TN_OK; i++) {
        const tn_request *program = tn_set_request(r, models, set->n_programs, i);
        status = program != NULL ? demand_extents(program, &set->programs[i]) : TN_USAGE;
        for (uint32_t k = 0; k < set->programs[i].n_variants && status == TN_OK; k++, at++) {
            status = load_variant(program, models[i].path, set->programs[i].variants[k], &with[at]);
            loaded[at] = with[at].module;
        }
    }
    if (status == TN_OK) {
        status = tn_set_demand_dims(r, models, set->n_programs, loaded, at);
    }
    if (status == TN_OK) {
        status = check_all(r->arena, plan, with);
    }
    drop_modules(plan, with);
    return status;
}

tn_status tn_set_check_modules(tn_request *r, const tn_plan *plan, const tn_module *first) {
    bool one_model = !tn_shares_pools(plan); /* variants with open dimensions */
    uint32_t n = tn_plan_count(plan), at = 0;
    const tn_module **modules = TN_ARRAY(r->arena, const tn_module *, n);
    for (const tn_module *m = first; m != NULL && at < n; m = one_model ? m : m->next) {
        modules[at++] = m;
    }
    if (at < n) {
        return tn_usage(plan->ctx, NULL,
                        "the plan is of %u models, %u %s given: tenure_check_models takes files, "
                        "tenure_plan_files makes plan and models",
                        n, at, at == 1 ? "is" : "are");
    }
    checked *with = TN_ARRAY(r->arena, checked, n);
    for (uint32_t i = 0; i < n; i++) {
        with[i] = (checked){variant_request(r, tn_plan_at(plan, i)), tn_module_clone(modules[i])};
    }
    tn_status status = check_all(r->arena, plan, with);
    drop_modules(plan, with);
    return status;
}
