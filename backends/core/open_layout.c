#include "backends/core/open_layout.h"

#include <string.h>

#include "ir/base/diag.h"
#include "ir/base/xmath.h"
#include "ir/plan/plan_extents.h"

/* ---- expressions ---- */

static uint32_t number_of(tn_open *o, tn_dim a) {
    int64_t fixed;
    bool stands = a == TN_DIM_UNKNOWN || tn_dim_is_const(o->dims, a, &fixed);
    return stands ? TN_NO_ID : tn_dim_code_add(&o->code, o->dims, a);
}

/* The plan was made with this very text. */
static tn_dim extent_of(const tn_open *o, const tn_plan_value *v, uint32_t axis) {
    const char *text = v->dim_texts != NULL ? v->dim_texts[axis] : NULL;
    tn_dim extent;
    if (text == NULL || v->dims[axis] >= 0) {
        return tn_dim_const(o->dims, v->dims[axis]);
    }
    if (!tn_dim_parse(o->dims, &text, &extent)) {
        tn_bug(o->p->ctx, "the extent '%s' of '%s' cannot be read again", v->dim_texts[axis],
               v->name);
    }
    return extent;
}

static void add_value(tn_open *o, tn_arena *arena, uint32_t value) {
    const tn_plan_value *v = &o->p->values[value];
    tn_open_value *made = &o->values[value];
    tn_dim elements = tn_dim_const(o->dims, 1);
    *made = (tn_open_value){TN_NO_ID, TN_NO_ID, TN_NO_ID, TN_ARRAY(arena, uint32_t, v->rank)};
    for (uint32_t i = 0; i < v->rank; i++) {
        made->extents[i] = TN_NO_ID;
    }
    if (v->storage == TN_NO_ID) {
        return;
    }
    for (uint32_t i = 0; i < v->rank; i++) {
        tn_dim extent = extent_of(o, v, i);
        made->extents[i] = number_of(o, extent);
        elements = tn_dim_mul(o->dims, elements, extent);
    }
    made->elements = number_of(o, elements);
    made->bytes = number_of(o, v->bytes_expr);
    made->offset = number_of(o, v->offset_expr);
}

/* ---- storages ---- */

static void add_storage(tn_open *o, tn_arena *arena, uint32_t i) {
    const tn_storage *s = &o->p->storages[i];
    TN_VEC(uint32_t) above = {0};
    uint64_t from = s->above.len > 0 ? 0 : s->offset;
    for (uint32_t k = 0; k < s->above.len; k++) {
        const tn_storage *low = &o->p->storages[s->above.data[k]];
        uint64_t end = low->offset + low->size;
        if (o->row_of[low->id] != TN_NO_ID) {
            tn_vec_push(arena, &above, o->row_of[low->id]);
        } else {
            from = end > from ? end : from;
        }
    }
    uint32_t size = number_of(o, s->size_expr);
    if (size == TN_NO_ID && above.len == 0) {
        uint64_t end = s->offset + s->size;
        o->pool_from[s->pool] = end > o->pool_from[s->pool] ? end : o->pool_from[s->pool];
        return;
    }
    if (size == TN_NO_ID) {
        tn_dim fixed = tn_dim_const(o->dims, (int64_t)s->size);
        size = tn_dim_code_add(&o->code, o->dims, fixed);
    }
    o->row_of[i] = o->storages.len;
    tn_open_storage row = {i, size, from, {above.data, above.len}};
    tn_vec_push(arena, &o->storages, row);
    o->pool_row[s->pool] = 0;
}

static void add_storages(tn_open *o, tn_arena *arena) {
    const tn_plan *p = o->p;
    const uint32_t *order = tn_plan_upwards(p, arena);
    if (order == NULL) {
        tn_bug(p->ctx, "the relation between storages goes in a circle");
    }
    for (uint32_t i = 0; i < p->n_pools; i++) {
        o->pool_row[i] = TN_NO_ID;
    }
    for (uint32_t i = 0; i < p->n_storages; i++) {
        o->row_of[i] = TN_NO_ID;
    }
    for (uint32_t i = 0; i < p->n_storages; i++) {
        add_storage(o, arena, order[i]);
    }
    for (uint32_t i = 0; i < p->n_pools; i++) {
        if (o->pool_row[i] != TN_NO_ID) {
            o->pool_row[i] = o->n_pools++;
        }
    }
}

/* ---- what has to fit ---- */

static void mark(bool *marks, uint32_t number) {
    if (number != TN_NO_ID) {
        marks[number] = true;
    }
}

static tn_ids marked(tn_arena *arena, const bool *marks, uint32_t n) {
    TN_VEC(uint32_t) found = {0};
    for (uint32_t i = 0; i < n; i++) {
        if (marks[i]) {
            tn_vec_push(arena, &found, i);
        }
    }
    return (tn_ids){found.data, found.len};
}

static void find_checked(tn_open *o, tn_arena *arena) {
    uint32_t n = o->code.ops.len;
    bool *sizes = TN_ARRAY(arena, bool, n), *extents = TN_ARRAY(arena, bool, n);
    for (uint32_t i = 0; i < o->storages.len; i++) {
        mark(sizes, o->storages.data[i].size);
    }
    for (uint32_t i = 0; i < o->p->n_values; i++) {
        mark(sizes, o->values[i].bytes);
        mark(sizes, o->values[i].offset);
        mark(sizes, o->values[i].elements);
        for (uint32_t k = 0; k < o->p->values[i].rank; k++) {
            mark(extents, o->values[i].extents[k]);
        }
    }
    o->sizes = marked(arena, sizes, n);
    o->extents = marked(arena, extents, n);
}

/* ---- all of it ---- */

tn_open *tn_open_make(tn_arena *arena, const tn_plan *p) {
    if (p->n_ranges == 0) {
        return NULL;
    }
    tn_open *o = TN_NEW(arena, tn_open);
    *o = (tn_open){.p = p,
                   .dims = tn_dims_copy(arena, p->exprs),
                   .code = tn_dim_code_make(arena),
                   .row_of = TN_ARRAY(arena, uint32_t, p->n_storages),
                   .values = TN_ARRAY(arena, tn_open_value, p->n_values),
                   .pool_from = TN_ARRAY(arena, uint64_t, p->n_pools),
                   .pool_row = TN_ARRAY(arena, uint32_t, p->n_pools)};
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        tn_dim_code_add(&o->code, o->dims, tn_dim_sym(o->dims, p->ranges[i].name));
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        add_value(o, arena, i);
    }
    add_storages(o, arena);
    find_checked(o, arena);
    tn_open_find_limits(o, arena);
    return o;
}

bool tn_open_moves(const tn_open *o, const tn_plan_value *v) {
    uint32_t value = (uint32_t)(v - o->p->values), row = o->row_of[v->storage];
    const tn_open_storage *s = row != TN_NO_ID ? &o->storages.data[row] : NULL;
    return o->values[value].offset != TN_NO_ID || (s != NULL && s->above.len > 0);
}

bool tn_open_needs_32(const tn_open *o) {
    size_t n = o->storages.len;
    for (uint32_t i = 0; i < o->storages.len; i++) {
        n += o->storages.data[i].above.len;
    }
    return n > UINT16_MAX || o->code.ops.len > UINT16_MAX;
}
