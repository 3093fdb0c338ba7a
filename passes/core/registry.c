#include "passes/core/registry.h"

#include <string.h>

static const tn_pass_info *const passes[] = {
#define PASS(id) &tn_pass_##id,
#include "passes/passes.def"
#undef PASS
    NULL};

static const tn_named_pipeline pipelines[] = {
#define PIPELINE(name, summary, text) {name, summary, text},
#include "passes/pipelines.def"
#undef PIPELINE
    {NULL, NULL, NULL}};

enum {
    N_PASSES = sizeof passes / sizeof passes[0] - 1,
    N_PIPELINES = sizeof pipelines / sizeof pipelines[0] - 1
};

const tn_pass_info *const *tn_pass_all(tn_ctx *ctx, uint32_t *n) {
    return tn_ctx_all(ctx, TN_EXTRA_PASS, passes, N_PASSES, n);
}

const tn_named_pipeline *tn_named_pipeline_all(uint32_t *n) {
    *n = N_PIPELINES;
    return pipelines;
}

const tn_pass_info *tn_pass_find(tn_ctx *ctx, const char *name) {
    uint32_t n;
    const tn_pass_info *const *all = tn_pass_all(ctx, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(all[i]->name, name) == 0) {
            return all[i];
        }
    }
    return NULL;
}

const tn_named_pipeline *tn_named_pipeline_find(const char *name) {
    for (uint32_t i = 0; i < N_PIPELINES; i++) {
        if (strcmp(pipelines[i].name, name) == 0) {
            return &pipelines[i];
        }
    }
    return NULL;
}

const char *tn_pass_suggest(tn_arena *arena, const char *name) {
    uint32_t n;
    const tn_pass_info *const *all = tn_pass_all(tn_arena_ctx(arena), &n);
    const char **names = TN_ARRAY(arena, const char *, n + N_PIPELINES);
    for (uint32_t i = 0; i < n; i++) {
        names[i] = all[i]->name;
    }
    for (uint32_t i = 0; i < N_PIPELINES; i++) {
        names[n++] = pipelines[i].name;
    }
    return tn_nearest(name, names, n);
}

const tn_pass_info *tn_pass_establishing(tn_prop prop) {
    for (uint32_t i = 0; passes[i] != NULL; i++) {
        if (passes[i]->sets & (uint32_t)prop) {
            return passes[i];
        }
    }
    return NULL;
}

const char *tn_prop_name(tn_prop prop) {
    switch (prop) {
    case TN_PROP_TYPES:
        return "types";
    case TN_PROP_ORDERED:
        return "ordered";
    case TN_PROP_PINS:
        return "pins";
    case TN_PROP_PLANNED:
        return "planned";
    }
    return "?";
}

uint32_t tn_pass_n_stats(const tn_pass_info *pass) {
    uint32_t n = 0;
    while (pass->stats != NULL && pass->stats[n].name != NULL) {
        n++;
    }
    return n;
}
