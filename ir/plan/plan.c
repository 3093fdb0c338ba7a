#include "ir/plan/plan.h"

#include <string.h>

#include "ir/base/map.h"
#include "ir/base/xmath.h"

tn_plan *tn_plan_new(tn_ctx *ctx) {
    tn_arena *arena = tn_arena_new(ctx);
    tn_plan *p = TN_NEW(arena, tn_plan);
    p->ctx = ctx;
    p->arena = arena;
    p->model = p->digest = p->version = p->pipeline = "";
    p->report.algorithm = "";
    p->report.peak_step = -1;
    return p;
}

void tn_plan_drop(tn_plan *p) {
    const tn_plan_set *set = p != NULL ? p->set : NULL;
    for (uint32_t i = 0; set != NULL && i < set->n_programs; i++) {
        for (uint32_t k = i == 0 ? 1 : 0; k < set->programs[i].n_variants; k++) {
            tn_arena_drop(set->programs[i].variants[k]->arena);
        }
    }
    if (p != NULL) {
        tn_arena_drop(p->arena);
    }
}

const tn_plan_program *tn_plan_program_of(const tn_plan *p) {
    for (uint32_t i = 0; p->set != NULL && i < p->set->n_programs; i++) {
        const tn_plan_program *program = &p->set->programs[i];
        for (uint32_t k = 0; k < program->n_variants; k++) {
            if (program->variants[k] == p) {
                return program;
            }
        }
    }
    return NULL;
}

uint32_t tn_plan_count(const tn_plan *p) {
    uint32_t n = p->set == NULL;
    for (uint32_t i = 0; p->set != NULL && i < p->set->n_programs; i++) {
        n += p->set->programs[i].n_variants;
    }
    return n;
}

const tn_plan *tn_plan_at(const tn_plan *p, uint32_t index) {
    for (uint32_t i = 0; p->set != NULL; i++) {
        const tn_plan_program *program = &p->set->programs[i];
        if (index < program->n_variants) {
            return program->variants[index];
        }
        index -= program->n_variants;
    }
    return p;
}

const tn_plan_value *tn_plan_find(const tn_plan *p, const char *graph, const char *name) {
    size_t n = strlen(graph);
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        if (strcmp(v->graph, graph) == 0 && strcmp(v->name, name) == 0) {
            return v;
        }
        size_t path = strlen(v->graph);
        if (n == 0 && path > 0 && strncmp(name, v->graph, path) == 0 && name[path] == '/' &&
            strcmp(name + path + 1, v->name) == 0) {
            return v;
        }
    }
    return NULL;
}

const uint32_t *tn_plan_states(tn_arena *arena, const tn_plan *p) {
    uint32_t *states = TN_ARRAY(arena, uint32_t, p->n_bindings);
    tn_map index = tn_map_make(arena);
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        if (v->role == TN_ROLE_STATE) {
            tn_map_put(&index, tn_str_id(tn_intern(p->ctx, v->name)), i);
        }
    }
    for (uint32_t i = 0; i < p->n_bindings; i++) {
        states[i] = (uint32_t)tn_map_or(&index, tn_str_id(tn_intern(p->ctx, p->bindings[i].state)),
                                        TN_NO_ID);
    }
    return states;
}

bool tn_plan_is_whole(const tn_plan *p) {
    return p->report.n_open == 0 && p->report.n_data == 0;
}

uint64_t tn_plan_overlap_saves(const tn_plan *p, const tn_plan_value *result) {
    uint64_t over, under, apart = 0, both;
    if (result->n_overlaps == 0 || result->storage == TN_NO_ID ||
        p->values[result->overlaps[0].value].storage == TN_NO_ID) {
        return 0;
    }
    for (uint32_t i = 0; i < result->n_overlaps; i++) { /* all lie in one storage */
        uint64_t from = result->overlaps[i].distance + result->offset;
        uint64_t at = p->values[result->overlaps[i].value].offset;
        apart = from > at && from - at > apart ? from - at : apart;
    }
    const tn_storage *s = &p->storages[result->storage];
    const tn_storage *t = &p->storages[p->values[result->overlaps[0].value].storage];
    uint64_t align = p->pools[s->pool].align;
    if (!tn_align_u64(s->size, align, &over) || !tn_align_u64(t->size, align, &under) ||
        !tn_align_u64(apart, align, &apart) || !tn_add_u64(apart, under, &both)) {
        return 0;
    }
    both = both > over ? both : over;
    return both < over + under ? over + under - both : 0;
}

const bool *tn_plan_overlapped(tn_arena *arena, const tn_plan *p) {
    bool *dies = TN_ARRAY(arena, bool, p->n_storages);
    for (uint32_t i = 0; i < p->n_values; i++) {
        for (uint32_t k = 0; k < p->values[i].n_overlaps; k++) {
            uint32_t storage = p->values[p->values[i].overlaps[k].value].storage;
            if (storage != TN_NO_ID) {
                dies[storage] = true;
            }
        }
    }
    return dies;
}

const tn_attr *tn_plan_attr(const tn_plan_step *s, const char *name) {
    for (uint32_t i = 0; i < s->n_attrs; i++) {
        if (strcmp(s->attrs[i].name, name) == 0) {
            return &s->attrs[i];
        }
    }
    return NULL;
}

/* ---- pools, variants ---- */

uint64_t tn_plan_arena_bytes(const tn_plan *p) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < p->n_pools; i++) {
        sum += p->pools[i].kind == TN_POOL_ARENA ? p->pools[i].size : 0;
    }
    return sum;
}

bool tn_plan_binds(const tn_plan *p, const char *name) {
    for (uint32_t i = 0; i < p->n_dims; i++) {
        if (strcmp(p->dims[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

uint32_t tn_plan_range_named(const tn_plan *p, const char *name) {
    uint32_t low = 0, high = p->n_ranges;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(p->ranges[middle].name, name);
        if (order == 0) {
            return middle;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return TN_NO_ID;
}

bool tn_plan_has_costs(const tn_plan *p) {
    bool any = false;
    for (uint32_t i = 0; i < p->n_pools; i++) {
        any = any || p->pools[i].cost > 0;
    }
    return any;
}

bool tn_plan_has_seconds(const tn_plan *p) {
    bool any = false;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        any = any || p->storages[i].second > 0;
    }
    return any;
}

bool tn_is_section(const char *text) {
    static const char bytes[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._$,-";
    return text[0] != '\0' && strspn(text, bytes) == strlen(text);
}

bool tn_pool_is_callers(const tn_pool *pool) {
    return pool->kind == TN_POOL_IO || pool->kind == TN_POOL_STATE;
}

bool tn_pool_is_ram(const tn_pool *pool) {
    return pool->kind != TN_POOL_CONST || pool->copied;
}

bool tn_plan_is_smaller(const tn_plan *a, const tn_plan *b) {
    if (tn_plan_arena_bytes(a) != tn_plan_arena_bytes(b)) {
        return tn_plan_arena_bytes(a) < tn_plan_arena_bytes(b);
    }
    for (uint32_t i = 0; i < a->n_dims && i < b->n_dims; i++) {
        if (a->dims[i].value != b->dims[i].value) {
            return a->dims[i].value < b->dims[i].value;
        }
    }
    return false;
}

const tn_plan_shift *tn_plan_find_shift(const tn_plan *p, uint32_t value) {
    const tn_plan_base *base = &p->report.base;
    uint32_t low = 0, high = base->n_shifts;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (base->shifts[middle].value < value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < base->n_shifts && base->shifts[low].value == value ? &base->shifts[low] : NULL;
}
