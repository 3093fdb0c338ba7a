/* What is recorded in a plan that was made before, and what is asked of it now. */
#include "lib/planner_demand.h"

#include <string.h>

#include "ir/base/quote.h"
#include "lib/open/open_capacity.h"
#include "lib/planner.h"

enum { MAX_LISTED = 20 };

/* Nothing is missing where a value needs no bytes. */
tn_status tn_demand_strict(const tn_plan *p) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        bool needed = v->storage == TN_NO_ID && v->left_out != TN_LEFT_UNUSED;
        if (needed && n++ < MAX_LISTED) {
            tn_error(p->ctx, NULL, "value '%s%s%s' is not planned: %s", v->graph,
                     v->graph[0] != '\0' ? "/" : "", v->name, v->why);
        }
    }
    if (n > MAX_LISTED) {
        tn_note(p->ctx, NULL, "%u more values are not planned", n - MAX_LISTED);
    }
    return n > 0 ? TN_ERROR : TN_OK;
}

static bool has(const tn_pairs *given, const char *key) {
    for (uint32_t i = 0; i < given->len; i++) {
        if (strcmp(given->data[i].key, key) == 0) {
            return true;
        }
    }
    return false;
}

/* What the user says counts more; of one program's dimensions for one of them each time. */
static bool is_said(tn_arena *arena, const tn_plan *plan, const tn_pairs *asked, const tn_pair *o) {
    const char *name, *other, *value;
    if (tn_shares_pools(plan) || strcmp(o->key, "dim") != 0 ||
        !tn_pair_split(arena, o->value, "=:", true, &name, &value)) {
        return has(asked, o->key);
    }
    for (uint32_t i = 0; i < asked->len; i++) {
        const tn_pair *a = &asked->data[i];
        if (strcmp(a->key, "dim") == 0 &&
            tn_pair_split(arena, a->value, "=:", true, &other, &value) &&
            strcmp(name, other) == 0) {
            return true;
        }
    }
    return false;
}

tn_status tn_planner_adopt(tn_request *r, const tn_plan *plan) {
    tn_pairs asked = tn_request_settled(r, r->arena);
    for (uint32_t i = 0; i < plan->n_options; i++) {
        const tn_pair *o = &plan->options[i];
        if (is_said(r->arena, plan, &asked, o)) {
            continue;
        }
        const char *shown = tn_arena_printf(r->arena, "option '%s' recorded in the plan", o->key);
        if (tn_request_set(r, o->key, o->value, shown) != TN_OK) {
            return TN_ERROR;
        }
    }
    return TN_OK;
}

static const char *storage_name(tn_arena *arena, const tn_plan *p, const tn_storage *s) {
    const tn_plan_value *v = &p->values[s->root];
    return v->graph[0] == '\0' ? v->name : tn_arena_printf(arena, "%s/%s", v->graph, v->name);
}

static tn_status demand_capacity(const tn_plan *p, const tn_loc *loc, uint64_t capacity) {
    if (p->n_ranges > 0 && capacity != 0) {
        return tn_open_keeps_capacity(p, loc, capacity);
    }
    for (uint32_t i = 0; i < p->n_pools && capacity != 0; i++) {
        const tn_pool *pool = &p->pools[i];
        if (pool->kind == TN_POOL_ARENA && pool->size > capacity) {
            return tn_error_of(
                p->ctx, TN_NOFIT, loc, "pool '%s' needs %llu bytes, more than the capacity of %llu",
                pool->name, (unsigned long long)pool->size, (unsigned long long)capacity);
        }
    }
    return TN_OK;
}

static tn_status demand_align(tn_arena *arena, const tn_plan *p, const tn_loc *loc,
                              uint64_t align) {
    for (uint32_t i = 0; i < p->n_pools; i++) {
        if (p->pools[i].align % align != 0) {
            return tn_error(p->ctx, loc, "pool '%s' is aligned to %llu bytes, not to %llu",
                            p->pools[i].name, (unsigned long long)p->pools[i].align,
                            (unsigned long long)align);
        }
    }
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_storage *s = &p->storages[i];
        if (s->offset % align != 0) {
            return tn_error(p->ctx, loc,
                            "storage of '%s' lies at byte %llu of pool '%s', which is not aligned "
                            "to %llu bytes",
                            storage_name(arena, p, s), (unsigned long long)s->offset,
                            p->pools[s->pool].name, (unsigned long long)align);
        }
    }
    return TN_OK;
}

/* Inputs given away (--reuse-inputs) are in the arena whatever --io says; they are not pinned. An
 * output made where state lies is where that is. */
static tn_status demand_io(const tn_plan *p, const tn_loc *loc, bool in_arena) {
    tn_pool_kind wrong = in_arena ? TN_POOL_IO : TN_POOL_ARENA;
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        const tn_storage *s = v->storage != TN_NO_ID ? &p->storages[v->storage] : NULL;
        bool io = v->role == TN_ROLE_INPUT || v->role == TN_ROLE_OUTPUT;
        bool kept = s != NULL && p->values[s->root].role == TN_ROLE_STATE;
        if (io && s != NULL && !kept && (s->pinned || v->role == TN_ROLE_OUTPUT) &&
            p->pools[s->pool].kind == wrong) {
            return tn_error(p->ctx, loc, "%s '%s' lies in pool '%s', which io=%s does not allow",
                            v->role == TN_ROLE_INPUT ? "input" : "output", v->name,
                            p->pools[s->pool].name, in_arena ? "arena" : "separate");
        }
    }
    return TN_OK;
}

tn_status tn_planner_demand(const tn_request *r, const tn_plan *plan, const char *name) {
    tn_loc loc = tn_loc_file(name);
    tn_pairs asked = tn_request_settled(r, r->arena);
    tn_status status = r->strict ? tn_demand_strict(plan) : TN_OK;
    if (status == TN_OK && has(&asked, "align")) {
        status = demand_align(r->arena, plan, &loc, r->controls.align);
    }
    if (status == TN_OK && has(&asked, "io")) {
        status = demand_io(plan, &loc, r->controls.io_in_arena);
    }
    return status == TN_OK ? demand_capacity(plan, &loc, r->controls.capacity) : status;
}
