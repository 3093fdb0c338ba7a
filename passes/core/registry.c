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

const tn_pass_info *const *tn_pass_all(uint32_t *n) {
    *n = N_PASSES;
    return passes;
}

const tn_named_pipeline *tn_named_pipeline_all(uint32_t *n) {
    *n = N_PIPELINES;
    return pipelines;
}

const tn_pass_info *tn_pass_find(tn_ctx *ctx, const char *name) {
    for (uint32_t i = 0; passes[i] != NULL; i++) {
        if (strcmp(passes[i]->name, name) == 0) {
            return passes[i];
        }
    }
    const tn_pass_info *p = NULL;
    for (uint32_t i = 0; (p = tn_ctx_extra(ctx, TN_EXTRA_PASS, i)) != NULL; i++) {
        if (strcmp(p->name, name) == 0) {
            break;
        }
    }
    return p;
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
    tn_ctx *ctx = tn_arena_ctx(arena);
    const char **names =
        TN_ARRAY(arena, const char *, N_PASSES + N_PIPELINES + ctx->extras[TN_EXTRA_PASS].len);
    const tn_pass_info *p;
    size_t n = 0;
    for (uint32_t i = 0; (p = tn_ctx_extra(ctx, TN_EXTRA_PASS, i)) != NULL; i++) {
        names[n++] = p->name;
    }
    for (uint32_t i = 0; passes[i] != NULL; i++) {
        names[n++] = passes[i]->name;
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
