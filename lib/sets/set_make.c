/* Loads each model for each of its variants, plans it, and makes one plan of all. */
#include <string.h>

#include "ir/base/limits.h"
#include "ir/build.h"
#include "ir/check/check_set.h"
#include "lib/sets/sets.h"

typedef struct making {
    tn_arena *arena;
    tn_ctx *ctx;
    const tn_request *r;
    const tn_run_settings *settings;
    tn_set_plans all;
    tn_status worst; /* TN_NOFIT where a plan is larger than the capacity */
} making;

/* ---- one plan ---- */

/* One program in one variant of those asked for: plans with open dimensions may be several, of
 * which the one with the smallest arena is run. */
static void keep(making *k, const tn_request *r, tn_set_plan made) {
    const tn_plan *first = made.plan;
    for (uint32_t i = 0, n = tn_plan_count(first); i < n; i++) {
        tn_set_plan one = {(tn_plan *)(uintptr_t)tn_plan_at(first, i), made.module, NULL, NULL};
        if (first->n_ranges > 0) {
            one.module = i == 0 ? made.module : tn_module_clone(made.module);
            one.loaded = i == 0 ? made.loaded : tn_module_clone(made.loaded);
            one.request = TN_NEW(k->arena, tn_request);
            *one.request = *r;
        }
        tn_vec_push(k->arena, &k->all.list, one);
    }
}

/* Which of several lists is meant at run time is known, which plan of one that is open is not. */
static tn_status demand_list_or_range(const making *k, const tn_plan *p, uint32_t n,
                                      const tn_set_model *model) {
    tn_loc loc = tn_loc_file(model->path);
    if (p->n_ranges == 0 || n == 1) {
        return TN_OK;
    }
    return tn_usage(k->ctx, &loc,
                    "dimension '%s' is open, and others of program '%s' have several extents: a "
                    "program has lists or open dimensions; list them all, as in --dim %s=1,16, or "
                    "leave them all open",
                    p->ranges[0].name, model->program, p->ranges[0].name);
}

static tn_status plan_one(making *k, tn_request *r, uint32_t n, const tn_set_model *model) {
    tn_load_options options = tn_request_load_options(r);
    tn_set_plan made = {.module = tn_load_file(k->ctx, model->path, &options)};
    uint32_t n_open = 0;
    if (made.module == NULL) {
        return TN_ERROR;
    }
    (void)tn_dims_ranges(made.module->dims, &n_open);
    made.loaded = n_open > 0 ? tn_module_clone(made.module) : NULL;
    tn_status status = tn_planner_run(r, made.module, k->settings, &made.plan);
    if (made.plan == NULL) {
        tn_module_drop(made.module);
        tn_module_drop(made.loaded);
        return status == TN_OK ? tn_no_plan(k->ctx) : status;
    }
    if (made.plan->n_ranges == 0) {
        tn_module_drop(made.loaded);
        made.loaded = NULL;
    }
    keep(k, r, made);
    k->worst = status == TN_NOFIT ? status : k->worst;
    return status == TN_OK || status == TN_NOFIT ? demand_list_or_range(k, made.plan, n, model)
                                                 : status;
}

/* ---- a program ---- */

static tn_status too_many(const making *k) {
    return tn_usage(k->ctx, NULL,
                    "there are more than %u plans to make: a variant for each "
                    "combination of extents",
                    TN_MAX_VARIANTS);
}

/* The same dimension may be none of another program's. */
static tn_status demand_own_buckets(const making *k, const tn_request *r) {
    for (uint32_t i = 0; i < k->r->buckets.len && k->all.n_programs > 1; i++) {
        for (uint32_t b = 0; b < r->buckets.len; b++) {
            const char *name = r->buckets.data[b].name;
            if (strcmp(k->r->buckets.data[i].name, name) == 0) {
                return tn_usage(k->ctx, NULL,
                                "dimension '%s' has several extents: say of which program, as in "
                                "--dim '%s/%s=...'",
                                name, k->all.models[0].program, name);
            }
        }
    }
    return TN_OK;
}

/* Which of several variants the messages before are about. */
static void note_variant(const making *k, const tn_request *r, const tn_request *bucket,
                         const tn_set_model *model) {
    tn_sink text = tn_sink_make(k->arena);
    tn_loc loc = tn_loc_file(model->path);
    for (uint32_t i = r->dims.len; i < bucket->dims.len; i++) {
        tn_putf(&text, "%s%s=%lld", i > r->dims.len ? ", " : "", bucket->dims.data[i].name,
                (long long)bucket->dims.data[i].value);
    }
    if (text.len > 0) {
        tn_note(k->ctx, &loc, "this is the variant for %s", text.data);
    }
}

static tn_status plan_program(making *k, uint32_t program) {
    const tn_set_model *model = &k->all.models[program];
    const tn_request *r = tn_set_request(k->r, k->all.models, k->all.n_programs, program);
    if (r == NULL || demand_own_buckets(k, r) != TN_OK) {
        return TN_USAGE;
    }
    uint32_t n = tn_set_n_buckets(r), before = k->all.list.len;
    if (n > TN_MAX_VARIANTS || k->all.list.len + n > TN_MAX_VARIANTS) {
        return too_many(k);
    }
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < n && status == TN_OK; i++) {
        tn_request bucket = tn_set_bucket(r, i);
        status = plan_one(k, &bucket, n, model);
        if (status != TN_OK || k->worst == TN_NOFIT) {
            note_variant(k, r, &bucket, model);
        }
    }
    k->all.n_variants[program] = k->all.list.len - before;
    return status;
}

/* ---- all ---- */

static tn_status demand_dims(const making *k) {
    const tn_module **modules = TN_ARRAY(k->arena, const tn_module *, k->all.list.len);
    for (uint32_t i = 0; i < k->all.list.len; i++) {
        modules[i] = k->all.list.data[i].module;
    }
    return tn_set_demand_dims(k->r, k->all.models, k->all.n_programs, modules, k->all.list.len);
}

/* What all have in common lies at one place in each. */
static tn_status demand_single(const making *k) {
    for (uint32_t i = 0; i < k->all.list.len; i++) {
        if (tn_plan_has_seconds(k->all.list.data[i].plan)) {
            return tn_usage(k->ctx, NULL,
                            "double-buffer: inputs and outputs have two places in the plan of one "
                            "program in one variant alone; plan each by itself, or leave "
                            "--double-buffer out and give the pool of inputs and outputs two bases "
                            "in turn (docs/POOLS.md)");
        }
    }
    return TN_OK;
}

/* What was asked of all stands in each plan, as --dim of its own variant does not. */
static void stamp(const making *k) {
    tn_pairs given = tn_request_settled(k->r, k->arena);
    for (uint32_t i = 0; i < k->all.list.len; i++) {
        tn_plan *p = k->all.list.data[i].plan;
        tn_pair *options = TN_ARRAY(p->arena, tn_pair, given.len);
        p->n_options = 0;
        for (uint32_t g = 0; g < given.len; g++) {
            const tn_pair *o = &given.data[g];
            if (strcmp(o->key, "op-facts") != 0) {
                options[p->n_options++] =
                    (tn_pair){tn_arena_strndup(p->arena, o->key, strlen(o->key)),
                              tn_arena_strndup(p->arena, o->value, strlen(o->value))};
            }
        }
        p->options = options;
    }
}

static tn_status check_all(const making *k) {
    const tn_module **modules = TN_ARRAY(k->arena, const tn_module *, k->all.list.len);
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < k->all.list.len; i++) {
        const tn_set_plan *one = &k->all.list.data[i];
        modules[i] = one->module;
        if ((one->loaded != NULL ? tn_planner_check(one->request, one->loaded, one->plan)
                                 : tn_plan_check(one->plan, modules[i])) != TN_OK) {
            status = TN_ERROR;
        }
    }
    if (status == TN_OK) {
        status = tn_plan_check_set(k->all.list.data[0].plan, modules);
    }
    return status == TN_OK ? TN_OK
                           : tn_error_of(k->ctx, TN_INTERNAL, NULL,
                                         "internal error: the checker refuses the plans of the "
                                         "set; nothing is written");
}

static tn_status make_all(making *k) {
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < k->all.n_programs && status == TN_OK; i++) {
        status = plan_program(k, i);
    }
    if (status == TN_OK) {
        status = demand_dims(k);
    }
    if (status == TN_OK) {
        status = demand_single(k);
    }
    if (status == TN_OK) {
        stamp(k);
        status = tn_set_join(k->arena, &k->all, k->r);
    }
    return status == TN_OK ? check_all(k) : status;
}

/* Constants, inputs and state lie at the same places in all plans: each by itself would spread them
 * over several pools in a way of its own. */
static tn_status demand_one_place(const making *k) {
    const tn_request *r = k->r;
    uint32_t n[TN_N_POOL_KINDS] = {0};
    if (r->fixes.len + r->aligns.len > 0 || r->based_on != NULL) {
        return tn_usage(k->ctx, NULL, "--%s is for one program in one variant",
                        r->fixes.len > 0    ? "fix"
                        : r->aligns.len > 0 ? "align-value"
                                            : "based-on");
    }
    for (uint32_t i = 0; i < r->pools.len; i++) {
        const tn_pool_wish *pool = &r->pools.data[i];
        if (pool->kind != TN_POOL_ARENA && ++n[pool->kind] > 1) {
            return tn_usage(k->ctx, NULL,
                            "--pool=%s: programs and variants have their %s at the same places, in "
                            "one pool; only arenas may be several",
                            pool->name,
                            pool->kind == TN_POOL_CONST   ? "constants"
                            : pool->kind == TN_POOL_STATE ? "state"
                                                          : "inputs and outputs");
        }
    }
    return TN_OK;
}

static void drop_modules(const making *k, bool loaded_alone) {
    for (uint32_t i = 0; i < k->all.list.len; i++) {
        tn_module_drop(loaded_alone ? NULL : k->all.list.data[i].module);
        tn_module_drop(k->all.list.data[i].loaded);
    }
}

/* Before they are joined no plan owns another. */
static void drop_plans(const making *k) {
    for (uint32_t i = 0; i < k->all.list.len; i++) {
        tn_arena_drop(k->all.list.data[i].plan->arena);
    }
}

tn_status tn_set_make(tn_arena *arena, const tn_request *r, const tn_set_model *models, uint32_t n,
                      const tn_run_settings *settings, tn_plan **plan, tn_module ***modules) {
    making k = {
        .arena = arena,
        .ctx = tn_arena_ctx(arena),
        .r = r,
        .settings = settings,
        .all = {.models = models, .n_variants = TN_ARRAY(arena, uint32_t, n), .n_programs = n}};
    *plan = NULL;
    tn_status status = demand_one_place(&k);
    if (status == TN_OK) {
        status = make_all(&k);
    }
    if (status != TN_OK) {
        drop_modules(&k, false);
        drop_plans(&k);
        return status;
    }
    *plan = k.all.list.data[0].plan;
    drop_modules(&k, modules != NULL);
    if (modules == NULL) {
        return k.worst;
    }
    *modules = TN_ARRAY(arena, tn_module *, k.all.list.len);
    for (uint32_t i = 0; i < k.all.list.len; i++) {
        (*modules)[i] = k.all.list.data[i].module;
    }
    return k.worst;
}
