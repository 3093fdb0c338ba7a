#include "backends/core/open_layout.h"

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
    return tn_dim_most(o->dims, extent);
}

static void add_value(tn_open *o, tn_arena *arena, uint32_t value) {
    const tn_plan_value *v = &o->p->values[value];
    tn_open_value *made = &o->values[value];
    int64_t number;
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
        made->extents[i] = tn_dim_is_const(o->dims, extent, &number) && v->dims[i] < 0
                               ? tn_dim_code_add(&o->code, o->dims, extent) /* the most there is */
                               : number_of(o, extent);
        elements = tn_dim_mul(o->dims, elements, extent);
    }
    made->elements = number_of(o, elements);
    made->bytes = number_of(o, v->bytes_expr);
    made->offset = number_of(o, v->offset_expr);
}

/* ---- storages ---- */

static bool has_open_size(const tn_open *o, uint32_t i) {
    return o->p->storages[i].size_expr != TN_DIM_UNKNOWN;
}

/* One place in all variants is a number. */
static bool moves_in(const tn_open *o, const tn_plan *variant, uint32_t i) {
    const tn_storage *s = &variant->storages[i];
    bool moves = s->offset != o->p->storages[i].offset;
    for (uint32_t k = 0; k < s->above.len && !moves; k++) {
        moves = has_open_size(o, s->above.data[k]) || o->moves[s->above.data[k]];
    }
    return moves;
}

static void find_moving(tn_open *o, const uint32_t *const *orders) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t v = 0; v < o->n_variants; v++) {
            for (uint32_t k = 0; k < o->p->n_storages; k++) {
                uint32_t i = orders[v][k];
                if (!o->moves[i] && moves_in(o, o->variants[v], i)) {
                    o->moves[i] = changed = true;
                }
            }
        }
    }
}

static void number_storages(tn_open *o, tn_arena *arena) {
    const tn_plan *p = o->p;
    TN_VEC(uint32_t) sizes = {0};
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_storage *s = &p->storages[i];
        bool open = has_open_size(o, i) || o->moves[i];
        uint64_t end = s->offset + s->size, *from = &o->pool_from[s->pool];
        *from = !open && end > *from ? end : *from;
        o->row_of[i] = open ? sizes.len : TN_NO_ID;
        if (open) {
            tn_dim fixed = tn_dim_const(o->dims, (int64_t)s->size);
            uint32_t size = number_of(o, s->size_expr);
            o->pool_row[s->pool] = 0;
            tn_vec_push(arena, &sizes,
                        size != TN_NO_ID ? size : tn_dim_code_add(&o->code, o->dims, fixed));
        }
    }
    o->size_of = sizes.data;
    o->n_storages = sizes.len;
}

static tn_open_storage row_of(const tn_open *o, tn_arena *arena, const tn_storage *s,
                              const tn_plan *variant) {
    TN_VEC(uint32_t) above = {0};
    uint64_t from = s->above.len > 0 ? 0 : s->offset;
    for (uint32_t k = 0; k < s->above.len; k++) {
        const tn_storage *low = &variant->storages[s->above.data[k]];
        uint64_t end = low->offset + low->size;
        if (o->row_of[low->id] != TN_NO_ID) {
            tn_vec_push(arena, &above, o->row_of[low->id]);
        } else {
            from = end > from ? end : from;
        }
    }
    return (tn_open_storage){s->id, from, {above.data, above.len}};
}

static const uint32_t **find_orders(const tn_open *o, tn_arena *arena) {
    const uint32_t **orders = TN_ARRAY(arena, const uint32_t *, o->n_variants);
    for (uint32_t v = 0; v < o->n_variants; v++) {
        orders[v] = tn_plan_upwards(o->variants[v], arena);
        if (orders[v] == NULL) {
            tn_bug(o->p->ctx, "the relation between storages goes in a circle");
        }
    }
    return orders;
}

static void add_storages(tn_open *o, tn_arena *arena) {
    const tn_plan *p = o->p;
    const uint32_t **orders = find_orders(o, arena);
    for (uint32_t i = 0; i < p->n_pools; i++) {
        o->pool_row[i] = TN_NO_ID;
    }
    find_moving(o, orders);
    number_storages(o, arena);
    for (uint32_t i = 0; i < p->n_pools; i++) {
        if (o->pool_row[i] != TN_NO_ID) {
            o->pool_row[i] = o->n_pools++;
        }
    }
    o->order = TN_ARRAY(arena, tn_open_storage, (size_t)o->n_variants * o->n_storages);
    tn_open_storage *to = o->order;
    for (uint32_t v = 0; v < o->n_variants; v++) {
        for (uint32_t k = 0; k < p->n_storages; k++) {
            const tn_storage *s = &o->variants[v]->storages[orders[v][k]];
            if (o->row_of[s->id] != TN_NO_ID) {
                *to++ = row_of(o, arena, s, o->variants[v]);
            }
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
    for (uint32_t i = 0; i < o->n_storages; i++) {
        mark(sizes, o->size_of[i]);
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
                   .moves = TN_ARRAY(arena, bool, p->n_storages),
                   .values = TN_ARRAY(arena, tn_open_value, p->n_values),
                   .pool_from = TN_ARRAY(arena, uint64_t, p->n_pools),
                   .pool_row = TN_ARRAY(arena, uint32_t, p->n_pools),
                   .related = TN_ARRAY(arena, uint32_t, p->n_relations)};
    o->variants = tn_open_variants(arena, p, &o->n_variants);
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        tn_dim_code_add(&o->code, o->dims, tn_dim_sym(o->dims, p->ranges[i].name));
    }
    for (uint32_t i = 0; i < p->n_relations; i++) {
        o->related[i] = tn_dim_code_add(&o->code, o->dims, p->relations[i].is);
    }
    if (!tn_plan_limit_dims(p, o->dims)) {
        tn_bug(p->ctx, "the limit of an extent that data give cannot be read again");
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
    return o->values[v - o->p->values].offset != TN_NO_ID || o->moves[v->storage];
}

bool tn_open_needs_32(const tn_open *o) {
    size_t n = (size_t)o->n_storages * o->n_variants, rows = n;
    for (size_t i = 0; i < rows; i++) {
        n += o->order[i].above.len;
    }
    return n > UINT16_MAX || o->code.ops.len > UINT16_MAX;
}
