/* plugin.h: passes and analyses. */
#include <string.h>

#include "ir/base/diag.h"
#include "lib/api/api_plugin_t.h"
#include "passes/core/pass.h"
#include "passes/core/registry.h"

_Static_assert((int)TENURE_HAS_TYPES == (int)TN_PROP_TYPES &&
                   (int)TENURE_HAS_ORDER == (int)TN_PROP_ORDERED &&
                   (int)TENURE_HAS_PINS == (int)TN_PROP_PINS,
               "passed through");

enum { HAS_ALL = TENURE_HAS_TYPES | TENURE_HAS_ORDER | TENURE_HAS_PINS };

struct tenure_pass_run {
    tn_pass_ctx *c;
};

/* ---- passes ---- */

static tn_status run_pass(tn_pass_ctx *c) {
    const tenure_pass_def *def = c->pass->user;
    tenure_pass_run run = {c};
    uint32_t before = c->ctx->n_errors;
    tn_status status =
        tn_api_plugin_status(c->ctx, "pass", def->name, def->run(&run, def->user), before);
    if (status == TN_OK && c->module->unverified && *c->plan != NULL) {
        return tn_usage(c->ctx, NULL,
                        "pass '%s' has changed the model behind its plan: put it in front of the "
                        "passes that plan",
                        def->name);
    }
    if (status == TN_OK && tn_api_settle(c->module) != TN_OK) {
        tn_note(c->ctx, NULL, "pass '%s' of a plug-in has left the model so", def->name);
        return TN_ERROR;
    }
    return status;
}

static tn_status register_pass(tn_ctx *ctx, void *arg) {
    const tn_register_args *args = arg;
    tenure_pass_def *def = TN_NEW(ctx->arena, tenure_pass_def);
    memcpy(def, args->full, sizeof *def);
    TN_VEC(tn_stat) stats = {0};
    tn_status status = tn_api_register_name(ctx, args, def->name, def->summary);
    if (status != TN_OK) {
        return status;
    }
    if (tn_pass_find(ctx, def->name) != NULL || tn_named_pipeline_find(def->name) != NULL) {
        return tn_api_register_refuse(ctx, args, "there is a pass '%s' already", def->name);
    }
    if (def->run == NULL || ((def->needs | def->keeps) & ~(uint32_t)HAS_ALL) != 0) {
        return tn_api_register_refuse(ctx, args, "pass '%s' has nothing to run, or unknown needs",
                                      def->name);
    }
    for (const tenure_counter_def *k = def->counters; k != NULL && k->name != NULL; k++) {
        tn_vec_push(ctx->arena, &stats, (tn_stat){k->name, k->help != NULL ? k->help : ""});
    }
    tn_vec_push(ctx->arena, &stats, (tn_stat){0});
    tn_pass_info *info = TN_NEW(ctx->arena, tn_pass_info);
    status = tn_api_register_options(ctx, args, def->options, &info->options);
    info->name = def->name;
    info->summary = def->summary;
    info->needs = def->needs;
    info->breaks = HAS_ALL & ~def->keeps;
    info->stats = stats.data;
    info->run = run_pass;
    info->user = def;
    if (status == TN_OK) {
        tn_ctx_add(ctx, TN_EXTRA_PASS, info);
    }
    return status;
}

tenure_status tenure_register_pass(tenure_context *ctx, const tenure_pass_def *pass) {
    tenure_pass_def full;
    tn_register_args args = {"tenure_register_pass", pass, sizeof full, &full};
    return tn_api_register(ctx, &args, register_pass);
}

tenure_context *tenure_pass_context(const tenure_pass_run *run) {
    return run != NULL ? (tenure_context *)run->c->ctx : NULL;
}

tenure_model *tenure_pass_model(const tenure_pass_run *run) {
    return run != NULL ? (tenure_model *)run->c->module : NULL;
}

const char *tenure_pass_value(const tenure_pass_run *run, const char *option) {
    int64_t i = run != NULL ? tn_api_option_at(run->c->pass->options, option) : -1;
    return i >= 0 ? run->c->opt_values[i] : NULL;
}

void tenure_pass_count(tenure_pass_run *run, const char *counter, uint64_t n) {
    const tn_stat *stats = run != NULL ? run->c->pass->stats : NULL;
    for (uint32_t i = 0; stats != NULL && counter != NULL && stats[i].name != NULL; i++) {
        if (strcmp(stats[i].name, counter) == 0) {
            run->c->stats[i] += n;
        }
    }
}

typedef struct memory_args {
    tn_arena *arena;
    size_t size;
    void *made;
} memory_args;

static tn_status take_memory(tn_ctx *ctx, void *arg) {
    memory_args *a = arg;
    (void)ctx;
    a->made = tn_arena_alloc(a->arena, a->size > 0 ? a->size : 1);
    return TN_OK;
}

static void *memory_of(tn_arena *arena, size_t size) {
    memory_args a = {arena, size, NULL};
    return tn_guard_run(tn_arena_ctx(arena), take_memory, &a) == TN_OK ? a.made : NULL;
}

void *tenure_pass_memory(tenure_pass_run *run, size_t size) {
    return run != NULL ? memory_of(run->c->scratch, size) : NULL;
}

/* ---- analyses ---- */

struct tenure_analysis_run {
    tn_module *m;
    tn_arena *arena;
};

static const void *compute(const void *user, tn_module *m, tn_arena *arena) {
    const tenure_analysis_def *def = user;
    tenure_analysis_run run = {m, arena};
    return def->compute(&run, def->user);
}

static const tn_analysis_info *find_analysis(const tn_ctx *ctx, const char *name) {
    const tn_analysis_info *info = NULL;
    for (uint32_t i = 0; (info = tn_ctx_extra(ctx, TN_EXTRA_ANALYSIS, i)) != NULL; i++) {
        if (strcmp(info->name, name) == 0) {
            break;
        }
    }
    return info;
}

static tn_status register_analysis(tn_ctx *ctx, void *arg) {
    const tn_register_args *args = arg;
    tenure_analysis_def *def = TN_NEW(ctx->arena, tenure_analysis_def);
    memcpy(def, args->full, sizeof *def);
    tn_status status = tn_api_register_name(ctx, args, def->name, def->summary);
    if (status != TN_OK) {
        return status;
    }
    if (def->compute == NULL || find_analysis(ctx, def->name) != NULL) {
        return tn_api_register_refuse(ctx, args, "analysis '%s' %s", def->name,
                                      def->compute == NULL ? "computes nothing"
                                                           : "is registered already");
    }
    tn_analysis_info *info = TN_NEW(ctx->arena, tn_analysis_info);
    *info = (tn_analysis_info){.name = def->name,
                               .summary = def->summary,
                               .depends = (1u << TN_FACET_COUNT) - 1,
                               .compute_for = compute,
                               .user = def};
    tn_ctx_add(ctx, TN_EXTRA_ANALYSIS, info);
    return TN_OK;
}

tenure_status tenure_register_analysis(tenure_context *ctx, const tenure_analysis_def *analysis) {
    tenure_analysis_def full;
    tn_register_args args = {"tenure_register_analysis", analysis, sizeof full, &full};
    return tn_api_register(ctx, &args, register_analysis);
}

typedef struct analysis_args {
    tn_pass_ctx *c;
    const char *name;
    const void *result;
} analysis_args;

static tn_status get_analysis(tn_ctx *ctx, void *arg) {
    analysis_args *a = arg;
    const tn_analysis_info *info = find_analysis(ctx, a->name);
    if (info == NULL) {
        return tn_error(ctx, NULL, "pass '%s' asks for an analysis '%s', which there is not",
                        a->c->pass->name, a->name);
    }
    a->result = tn_analysis_get(a->c->analyses, info);
    return TN_OK;
}

const void *tenure_pass_analysis(tenure_pass_run *run, const char *name) {
    if (run == NULL || name == NULL) {
        return NULL;
    }
    analysis_args a = {run->c, name, NULL};
    return tn_guard_run(run->c->ctx, get_analysis, &a) == TN_OK ? a.result : NULL;
}

tenure_model *tenure_analysis_model(const tenure_analysis_run *run) {
    return run != NULL ? (tenure_model *)run->m : NULL;
}

void *tenure_analysis_memory(tenure_analysis_run *run, size_t size) {
    return run != NULL ? memory_of(run->arena, size) : NULL;
}
