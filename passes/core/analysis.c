/* The cache of analyses: one entry an analysis that was asked for, with the stamps it rests on. */
#include "passes/core/analysis.h"

typedef struct entry {
    const tn_analysis_info *info;
    tn_arena *arena; /* NULL: not computed */
    const void *result;
    uint64_t stamps[TN_FACET_COUNT];
    bool running; /* to notice analyses that need themselves */
} entry;

struct tn_analyses {
    tn_module *module;
    tn_arena *arena;
    TN_VEC(entry *) entries;
};

tn_analyses *tn_analyses_new(tn_module *m) {
    tn_arena *arena = tn_arena_new(m->ctx);
    tn_analyses *an = TN_NEW(arena, tn_analyses);
    an->module = m;
    an->arena = arena;
    return an;
}

void tn_analyses_drop(tn_analyses *an) {
    if (an == NULL) {
        return;
    }
    for (uint32_t i = 0; i < an->entries.len; i++) {
        tn_arena_drop(an->entries.data[i]->arena);
    }
    tn_arena_drop(an->arena);
}

static bool is_fresh(const entry *e, const tn_module *m) {
    if (e->arena == NULL) {
        return false;
    }
    for (unsigned f = 0; f < TN_FACET_COUNT; f++) {
        if ((e->info->depends >> f & 1u) && e->stamps[f] != m->stamps[f]) {
            return false;
        }
    }
    return true;
}

static entry *entry_of(tn_analyses *an, const tn_analysis_info *info) {
    for (uint32_t i = 0; i < an->entries.len; i++) {
        if (an->entries.data[i]->info == info) {
            return an->entries.data[i];
        }
    }
    entry *e = TN_NEW(an->arena, entry);
    e->info = info;
    tn_vec_push(an->arena, &an->entries, e);
    return e;
}

const void *tn_analysis_get(tn_analyses *an, const tn_analysis_info *info) {
    tn_module *m = an->module;
    entry *e = entry_of(an, info);
    if (is_fresh(e, m)) {
        return e->result;
    }
    if (e->running) {
        tn_bug(m->ctx, "analysis '%s' needs its own result", info->name);
    }
    tn_arena_drop(e->arena);
    e->arena = NULL;
    e->running = true;
    tn_arena *arena = tn_arena_new(m->ctx);
    const void *result = info->compute != NULL ? info->compute(an, m, arena)
                                               : info->compute_for(info->user, m, arena);
    e->running = false;
    e->arena = arena;
    e->result = result;
    for (unsigned f = 0; f < TN_FACET_COUNT; f++) {
        e->stamps[f] = m->stamps[f];
    }
    return e->result;
}
