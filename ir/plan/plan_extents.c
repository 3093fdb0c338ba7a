#include "ir/plan/plan_extents.h"

#include <stdlib.h>
#include <string.h>

#include "ir/base/diag.h"
#include "ir/base/xmath.h"

typedef struct resolving {
    const tn_plan *p;
    bool silent;
    const int64_t *dims;
    tn_map known; /* expression -> its value: most sizes are the same few */
    tn_resolved *out;
    uint32_t last; /* the range that was asked for last */
} resolving;

/* Most sizes have the dimension of the one before. */
static bool extent_of(void *user, const char *name, int64_t *value) {
    resolving *r = user;
    if (r->p->n_ranges == 0 || strcmp(r->p->ranges[r->last].name, name) != 0) {
        uint32_t found = tn_plan_range_named(r->p, name);
        if (found == TN_NO_ID) {
            return false;
        }
        r->last = found;
    }
    *value = r->dims[r->last];
    return true;
}

static bool size_of(resolving *r, tn_dim expr, uint64_t fixed, uint64_t *out) {
    int64_t value = 0;
    *out = fixed;
    if (expr == TN_DIM_UNKNOWN || tn_map_get(&r->known, expr, out)) {
        return true;
    }
    if (!tn_dim_eval(r->p->exprs, expr, extent_of, r, &value) || value < 0) {
        return false;
    }
    *out = (uint64_t)value;
    tn_map_put(&r->known, expr, *out);
    return true;
}

static tn_status check_dims(const resolving *r) {
    for (uint32_t i = 0; i < r->p->n_ranges; i++) {
        const tn_plan_range *d = &r->p->ranges[i];
        if (r->silent && (r->dims[i] < d->min || r->dims[i] > d->max)) {
            return TN_ERROR;
        }
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
    return r->silent ? TN_ERROR
                     : tn_error(r->p->ctx, NULL,
                                "the size of '%s%s%s' is not a number of bytes at these dimensions",
                                graph, graph[0] != '\0' ? "/" : "", name);
}

static tn_status find_storage_sizes(resolving *r) {
    const tn_plan *p = r->p;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_plan_value *root = &p->values[p->storages[i].root];
        if (!size_of(r, p->storages[i].size_expr, p->storages[i].size, &r->out->storage_size[i])) {
            return refuse(r, root->graph, root->name);
        }
    }
    return TN_OK;
}

static tn_status find_value_sizes(resolving *r) {
    const tn_plan *p = r->p;
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        if (!size_of(r, v->bytes_expr, v->bytes, &r->out->value_bytes[i]) ||
            !size_of(r, v->offset_expr, v->offset, &r->out->value_offset[i])) {
            return refuse(r, v->graph, v->name);
        }
    }
    return TN_OK;
}

/* Which storages lie directly above each: those of storage i are users[start[i]] up to
 * users[start[i + 1]]. */
typedef struct users {
    uint32_t *start, *of;
} users;

static users find_users(const tn_plan *p, tn_arena *arena) {
    users u = {.start = TN_ARRAY(arena, uint32_t, p->n_storages + 2u)};
    for (uint32_t i = 0; i < p->n_storages; i++) {
        for (uint32_t k = 0; k < p->storages[i].above.len; k++) {
            u.start[p->storages[i].above.data[k] + 2]++;
        }
    }
    for (uint32_t i = 0; i < p->n_storages; i++) {
        u.start[i + 2] += u.start[i + 1];
    }
    u.of = TN_ARRAY(arena, uint32_t, u.start[p->n_storages + 1]);
    for (uint32_t i = 0; i < p->n_storages; i++) {
        for (uint32_t k = 0; k < p->storages[i].above.len; k++) {
            u.of[u.start[p->storages[i].above.data[k] + 1]++] = i;
        }
    }
    return u;
}

const uint32_t *tn_plan_upwards(const tn_plan *p, tn_arena *arena) {
    users u = find_users(p, arena);
    uint32_t *order = TN_ARRAY(arena, uint32_t, p->n_storages), n = 0;
    uint32_t *waiting = TN_ARRAY(arena, uint32_t, p->n_storages);
    for (uint32_t i = 0; i < p->n_storages; i++) {
        waiting[i] = p->storages[i].above.len;
        if (waiting[i] == 0) {
            order[n++] = i;
        }
    }
    for (uint32_t done = 0; done < n; done++) {
        uint32_t i = order[done];
        for (uint32_t k = u.start[i]; k < u.start[i + 1]; k++) {
            if (--waiting[u.of[k]] == 0) {
                order[n++] = u.of[k];
            }
        }
    }
    return n == p->n_storages ? order : NULL;
}

/* Places storage i, all below it being placed. */
static bool place(const resolving *r, uint32_t i) {
    const tn_storage *s = &r->p->storages[i];
    const tn_pool *pool = &r->p->pools[s->pool];
    tn_resolved *out = r->out;
    uint64_t from = s->above.len > 0 ? 0 : s->offset, end;
    for (uint32_t k = 0; k < s->above.len; k++) {
        uint32_t low = s->above.data[k];
        end = out->storage_offset[low] + out->storage_size[low];
        from = end > from ? end : from;
    }
    if (!tn_align_u64(from, s->align, &from) || !tn_add_u64(from, out->storage_size[i], &end) ||
        end > INT64_MAX || (pool->kind == TN_POOL_ARENA && !tn_align_u64(end, pool->align, &end))) {
        return false;
    }
    out->storage_offset[i] = from;
    if (end > out->pool_size[s->pool]) {
        out->pool_size[s->pool] = end;
    }
    return true;
}

static tn_status place_all(const resolving *r, const uint32_t *order) {
    const tn_plan *p = r->p;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        if (!place(r, order[i])) {
            return r->silent ? TN_ERROR
                             : tn_error(p->ctx, NULL,
                                        "at these dimensions pool '%s' needs more than 2^63 bytes",
                                        p->pools[p->storages[order[i]].pool].name);
        }
    }
    return TN_OK;
}

static tn_status find_offsets(const resolving *r, tn_arena *arena) {
    const uint32_t *order = tn_plan_upwards(r->p, arena);
    return order == NULL
               ? tn_error(r->p->ctx, NULL, "the relation between storages goes in a circle")
               : place_all(r, order);
}

static tn_status resolve(resolving *r, tn_arena *arena) {
    const tn_plan *p = r->p;
    *r->out = (tn_resolved){.storage_size = TN_ARRAY(arena, uint64_t, p->n_storages),
                            .storage_offset = TN_ARRAY(arena, uint64_t, p->n_storages),
                            .value_bytes = TN_ARRAY(arena, uint64_t, p->n_values),
                            .value_offset = TN_ARRAY(arena, uint64_t, p->n_values),
                            .pool_size = TN_ARRAY(arena, uint64_t, p->n_pools)};
    r->known = tn_map_make(arena);
    tn_status status = check_dims(r);
    if (status == TN_OK) {
        status = find_storage_sizes(r);
    }
    if (status == TN_OK) {
        status = find_value_sizes(r);
    }
    return status == TN_OK ? find_offsets(r, arena) : status;
}

tn_status tn_plan_resolve(const tn_plan *p, const int64_t *dims, tn_arena *arena,
                          tn_resolved *out) {
    return resolve(&(resolving){.p = p, .dims = dims, .out = out}, arena);
}

bool tn_plan_try(const tn_plan *p, const int64_t *dims, tn_arena *arena, tn_resolved *out) {
    return resolve(&(resolving){.p = p, .silent = true, .dims = dims, .out = out}, arena) == TN_OK;
}

static uint32_t expr_at(tn_plan_many *m, tn_map *known, tn_dim expr) {
    uint64_t at = m->n_exprs;
    if (expr != TN_DIM_UNKNOWN && !tn_map_get(known, expr, &at)) {
        m->exprs[m->n_exprs++] = expr;
        tn_map_put(known, expr, at);
    }
    return (uint32_t)at;
}

tn_plan_many tn_plan_many_make(const tn_plan *p, tn_arena *arena) {
    size_t most = (size_t)p->n_storages + 2u * (size_t)p->n_values;
    tn_plan_many m = {.p = p,
                      .order = tn_plan_upwards(p, arena),
                      .exprs = TN_ARRAY(arena, tn_dim, most),
                      .size = TN_ARRAY(arena, uint32_t, p->n_storages)};
    m.at = (tn_resolved){.storage_size = TN_ARRAY(arena, uint64_t, p->n_storages),
                         .storage_offset = TN_ARRAY(arena, uint64_t, p->n_storages),
                         .pool_size = TN_ARRAY(arena, uint64_t, p->n_pools)};
    tn_map known = tn_map_make(arena);
    for (uint32_t i = 0; i < p->n_values; i++) {
        (void)expr_at(&m, &known, p->values[i].bytes_expr);
        (void)expr_at(&m, &known, p->values[i].offset_expr);
    }
    for (uint32_t i = 0; i < p->n_storages; i++) {
        m.at.storage_size[i] = p->storages[i].size;
        m.size[i] = expr_at(&m, &known, p->storages[i].size_expr);
    }
    for (uint32_t i = 0; i < p->n_storages; i++) {
        m.size[i] = p->storages[i].size_expr != TN_DIM_UNKNOWN ? m.size[i] : m.n_exprs;
    }
    m.bytes = TN_ARRAY(arena, uint64_t, m.n_exprs);
    return m;
}

bool tn_plan_many_try(tn_plan_many *m, const int64_t *dims) {
    const tn_plan *p = m->p;
    resolving r = {.p = p, .silent = true, .dims = dims, .out = &m->at};
    if (check_dims(&r) != TN_OK) {
        return false;
    }
    for (uint32_t i = 0; i < m->n_exprs; i++) {
        int64_t bytes;
        if (!tn_dim_eval(p->exprs, m->exprs[i], extent_of, &r, &bytes) || bytes < 0) {
            return false;
        }
        m->bytes[i] = (uint64_t)bytes;
    }
    for (uint32_t i = 0; i < p->n_storages; i++) {
        if (m->size[i] < m->n_exprs) {
            m->at.storage_size[i] = m->bytes[m->size[i]];
        }
    }
    memset(m->at.pool_size, 0, p->n_pools * sizeof *m->at.pool_size);
    return place_all(&r, m->order) == TN_OK;
}

bool tn_plan_related(const tn_plan *p, uint32_t relation, const int64_t *dims, int64_t *extent) {
    resolving r = {.p = p, .dims = dims};
    return tn_dim_eval(p->exprs, p->relations[relation].is, extent_of, &r, extent) && *extent >= 0;
}

bool tn_plan_sizes(const tn_plan *p, const int64_t *dims, tn_arena *arena, uint64_t *sizes) {
    tn_resolved out = {.storage_size = sizes};
    resolving r = {.p = p, .silent = true, .dims = dims, .known = tn_map_make(arena), .out = &out};
    return check_dims(&r) == TN_OK && find_storage_sizes(&r) == TN_OK;
}

bool tn_plan_limit_dims(const tn_plan *p, tn_dims *d) {
    for (uint32_t i = 0; i < p->n_data_dims; i++) {
        const tn_plan_data_dim *limit = &p->data_dims[i];
        const char *text = limit->most_text;
        tn_dim most = tn_dim_const(d, limit->most);
        if (text != NULL && !tn_dim_parse(d, &text, &most)) {
            return false;
        }
        tn_dims_limit(d, limit->name, limit->name, most);
    }
    return true;
}
