#include "ir/plan/resolve.h"

#include <stdlib.h>
#include <string.h>

#include "ir/base/diag.h"
#include "ir/base/xmath.h"

typedef struct resolving {
    const tn_plan *p;
    const int64_t *dims;
    tn_resolved *out;
    uint32_t *waiting; /* by storage: how many of its `above` have no offset yet */
    uint32_t *start;   /* by storage: which lie above it, a part of `users` */
    uint32_t *users;
} resolving;

static bool extent_of(void *user, const char *name, int64_t *value) {
    const resolving *r = user;
    for (uint32_t i = 0; i < r->p->n_ranges; i++) {
        if (strcmp(r->p->ranges[i].name, name) == 0) {
            *value = r->dims[i];
            return true;
        }
    }
    return false;
}

static bool size_of(const resolving *r, tn_dim expr, uint64_t fixed, uint64_t *out) {
    int64_t value = 0;
    *out = fixed;
    if (expr == TN_DIM_UNKNOWN) {
        return true;
    }
    bool known = tn_dim_eval(r->p->exprs, expr, extent_of, (void *)(uintptr_t)r, &value);
    *out = (uint64_t)value;
    return known && value >= 0;
}

static tn_status check_dims(const resolving *r) {
    for (uint32_t i = 0; i < r->p->n_ranges; i++) {
        const tn_plan_range *d = &r->p->ranges[i];
        if (r->dims[i] < d->min) {
            return tn_error(r->p->ctx, NULL,
                            "dimension '%s' is %lld, and the plan is for %lld and up", d->name,
                            (long long)r->dims[i], (long long)d->min);
        }
        if (r->dims[i] > d->max) {
            return tn_error(r->p->ctx, NULL,
                            "dimension '%s' is %lld, and the plan is for %lld at most", d->name,
                            (long long)r->dims[i], (long long)d->max);
        }
    }
    return TN_OK;
}

static tn_status refuse(const resolving *r, const char *graph, const char *name) {
    return tn_error(r->p->ctx, NULL,
                    "the size of '%s%s%s' is no number of bytes at these dimensions", graph,
                    graph[0] != '\0' ? "/" : "", name);
}

static tn_status find_sizes(const resolving *r) {
    const tn_plan *p = r->p;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_plan_value *root = &p->values[p->storages[i].root];
        if (!size_of(r, p->storages[i].size_expr, p->storages[i].size, &r->out->storage_size[i])) {
            return refuse(r, root->graph, root->name);
        }
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        if (!size_of(r, v->bytes_expr, v->bytes, &r->out->value_bytes[i]) ||
            !size_of(r, v->offset_expr, v->offset, &r->out->value_offset[i])) {
            return refuse(r, v->graph, v->name);
        }
    }
    return TN_OK;
}

static void index_users(resolving *r, tn_arena *arena) {
    const tn_plan *p = r->p;
    r->waiting = TN_ARRAY(arena, uint32_t, p->n_storages);
    r->start = TN_ARRAY(arena, uint32_t, p->n_storages + 2u);
    for (uint32_t i = 0; i < p->n_storages; i++) {
        r->waiting[i] = p->storages[i].above.len;
        for (uint32_t k = 0; k < p->storages[i].above.len; k++) {
            r->start[p->storages[i].above.data[k] + 2]++;
        }
    }
    for (uint32_t i = 0; i < p->n_storages; i++) {
        r->start[i + 2] += r->start[i + 1];
    }
    r->users = TN_ARRAY(arena, uint32_t, r->start[p->n_storages + 1]);
    for (uint32_t i = 0; i < p->n_storages; i++) {
        for (uint32_t k = 0; k < p->storages[i].above.len; k++) {
            r->users[r->start[p->storages[i].above.data[k] + 1]++] = i;
        }
    }
}

/* Places storage i, all below it being placed, and tells those above it where it ends. */
static bool place(resolving *r, uint32_t i) {
    const tn_storage *s = &r->p->storages[i];
    uint64_t at, end;
    tn_resolved *out = r->out;
    uint64_t from = s->above.len > 0 ? out->storage_offset[i] : s->offset;
    if (!tn_align_u64(from, s->align, &at) || !tn_add_u64(at, out->storage_size[i], &end) ||
        end > INT64_MAX) {
        return false;
    }
    out->storage_offset[i] = at;
    const tn_pool *pool = &r->p->pools[s->pool];
    if (pool->kind == TN_POOL_ARENA && !tn_align_u64(end, pool->align, &end)) {
        return false;
    }
    if (end > out->pool_size[s->pool]) {
        out->pool_size[s->pool] = end;
    }
    for (uint32_t k = r->start[i]; k < r->start[i + 1]; k++) {
        uint64_t *least = &out->storage_offset[r->users[k]];
        *least = end > *least ? end : *least;
    }
    return true;
}

static tn_status find_offsets(resolving *r, tn_arena *arena) {
    const tn_plan *p = r->p;
    uint32_t *ready = TN_ARRAY(arena, uint32_t, p->n_storages), n = 0, done = 0;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        if (r->waiting[i] == 0) {
            ready[n++] = i;
        }
    }
    for (; done < n; done++) {
        uint32_t i = ready[done];
        if (!place(r, i)) {
            return tn_error(p->ctx, NULL,
                            "at these dimensions pool '%s' needs more than 2^63 bytes",
                            p->pools[p->storages[i].pool].name);
        }
        for (uint32_t k = r->start[i]; k < r->start[i + 1]; k++) {
            if (--r->waiting[r->users[k]] == 0) {
                ready[n++] = r->users[k];
            }
        }
    }
    return done == p->n_storages
               ? TN_OK
               : tn_error(p->ctx, NULL, "the relation between storages goes in a circle");
}

tn_status tn_plan_resolve(const tn_plan *p, const int64_t *dims, tn_arena *arena,
                          tn_resolved *out) {
    *out = (tn_resolved){.storage_size = TN_ARRAY(arena, uint64_t, p->n_storages),
                         .storage_offset = TN_ARRAY(arena, uint64_t, p->n_storages),
                         .value_bytes = TN_ARRAY(arena, uint64_t, p->n_values),
                         .value_offset = TN_ARRAY(arena, uint64_t, p->n_values),
                         .pool_size = TN_ARRAY(arena, uint64_t, p->n_pools)};
    resolving r = {.p = p, .dims = dims, .out = out};
    tn_status status = check_dims(&r);
    if (status == TN_OK) {
        status = find_sizes(&r);
    }
    if (status == TN_OK) {
        index_users(&r, arena);
        status = find_offsets(&r, arena);
    }
    return status;
}
