/* The table of expressions: constants, symbols, and one id for equal nodes. */
#include "ir/dim/dim.h"

#include <string.h>

#include "ir/base/limits.h"
#include "ir/base/xmath.h"
#include "ir/dim/dim_t.h"

tn_dims *tn_dims_new(tn_arena *arena) {
    tn_dims *d = TN_NEW(arena, tn_dims);
    d->arena = arena;
    d->by_hash = tn_map_make(arena);
    d->bound = tn_map_make(arena);
    d->products = tn_map_make(arena);
    d->at_point = tn_map_make(arena);
    d->range_named = tn_map_make(arena);
    d->related = tn_map_make(arena);
    d->limit_named = tn_map_make(arena);
    d->limit_of = tn_map_make(arena);
    d->most = tn_map_make(arena);
    d->assumed_at = tn_map_make(arena);
    tn_vec_push(arena, &d->nodes, (tn_dim_node){.kind = TN_DK_UNKNOWN});
    tn_vec_push(arena, &d->chain, 0);
    return d;
}

tn_dims *tn_dims_copy(tn_arena *arena, const tn_dims *d) {
    tn_dims *made = TN_NEW(arena, tn_dims);
    *made = *d;
    made->arena = arena;
    made->nodes.cap = made->nodes.len; /* the next one moves all into this arena */
    made->chain.cap = made->chain.len;
    made->by_hash = tn_map_copy(arena, &d->by_hash);
    made->bound = tn_map_copy(arena, &d->bound);
    made->products = tn_map_copy(arena, &d->products);
    made->at_point = tn_map_make(arena);
    made->ranges.data =
        tn_arena_regrow(arena, d->ranges.data, d->ranges.len, d->ranges.len, sizeof(tn_dim_range));
    made->ranges.cap = made->ranges.len;
    made->range_named = tn_map_copy(arena, &d->range_named);
    made->relations.cap = made->relations.len;
    made->related = tn_map_copy(arena, &d->related);
    made->limits.data =
        tn_arena_regrow(arena, d->limits.data, d->limits.len, d->limits.len, sizeof(tn_dim_limit));
    made->limits.cap = made->limits.len;
    made->limit_named = tn_map_copy(arena, &d->limit_named);
    made->limit_of = tn_map_copy(arena, &d->limit_of);
    made->most = tn_map_make(arena);
    made->asked.data =
        tn_arena_regrow(arena, d->asked.data, d->asked.len, d->asked.len, sizeof(tn_dim_asked));
    made->asked.cap = made->asked.len;
    return made;
}

static uint64_t node_hash(const tn_dim_node *n) {
    uint64_t h = (uint64_t)n->kind * 0x9e3779b97f4a7c15ULL;
    uint64_t fields[4] = {(uint64_t)n->value, n->name != NULL ? tn_str_id(n->name) + 1u : 0, n->a,
                          n->b};
    h = tn_hash(fields, sizeof fields, h);
    for (uint32_t i = 0; i < n->n; i++) {
        h = tn_hash(&n->terms[i].coef, sizeof(int64_t), h);
        h = tn_hash(n->terms[i].atoms, n->terms[i].n * sizeof(tn_dim), h);
    }
    return h;
}

static bool same_atoms(const tn_dim_term *x, const tn_dim_term *y) {
    return x->n == y->n && (x->n == 0 || memcmp(x->atoms, y->atoms, x->n * sizeof(tn_dim)) == 0);
}

static bool node_equal(const tn_dim_node *x, const tn_dim_node *y) {
    if (x->kind != y->kind || x->value != y->value || x->name != y->name || x->a != y->a ||
        x->b != y->b || x->n != y->n) {
        return false;
    }
    for (uint32_t i = 0; i < x->n; i++) {
        if (x->terms[i].coef != y->terms[i].coef || !same_atoms(&x->terms[i], &y->terms[i])) {
            return false;
        }
    }
    return true;
}

/* It fits: no part weighs more than TN_MAX_DIM_NODES, and a sum has at most TN_DIM_MAX_TERMS *
 * TN_DIM_MAX_ATOMS of them. */
static uint32_t weigh(const tn_dims *d, const tn_dim_node *n) {
    uint32_t weight = 1 + tn_dim_at(d, n->a)->weight + tn_dim_at(d, n->b)->weight;
    for (uint32_t i = 0; i < n->n; i++) {
        for (uint32_t j = 0; j < n->terms[i].n; j++) {
            weight += tn_dim_at(d, n->terms[i].atoms[j])->weight;
        }
    }
    return weight;
}

/* What is too large to be written out is unknown: sharing lets a chain of n operations stand for a
 * tree of 2^n nodes. */
tn_dim tn_dim_intern(tn_dims *d, const tn_dim_node *n) {
    uint64_t hash = node_hash(n);
    tn_dim first = (tn_dim)tn_map_or(&d->by_hash, hash, 0);
    for (tn_dim id = first; id != 0; id = d->chain.data[id]) {
        if (node_equal(tn_dim_at(d, id), n)) {
            return id;
        }
    }
    tn_dim_node made = *n;
    made.weight = weigh(d, n);
    if (made.weight > TN_MAX_DIM_NODES) {
        return TN_DIM_UNKNOWN;
    }
    tn_dim id = d->nodes.len;
    tn_vec_push(d->arena, &d->nodes, made);
    tn_vec_push(d->arena, &d->chain, first);
    tn_map_put(&d->by_hash, hash, id);
    return id;
}

tn_dim tn_dim_const(tn_dims *d, int64_t value) {
    uint64_t mixed = (uint64_t)value * UINT64_C(0x9e3779b97f4a7c15);
    tn_dim *recent = &d->recent[mixed >> 32 & (TN_DIM_RECENT - 1)];
    const tn_dim_node *n = tn_dim_at(d, *recent);
    if (n->kind != TN_DK_CONST || n->value != value) {
        *recent = tn_dim_intern(d, &(tn_dim_node){.kind = TN_DK_CONST, .value = value});
    }
    return *recent;
}

bool tn_dim_is_const(const tn_dims *d, tn_dim a, int64_t *value) {
    const tn_dim_node *n = tn_dim_at(d, a);
    if (n->kind == TN_DK_CONST) {
        *value = n->value;
    }
    return n->kind == TN_DK_CONST;
}

bool tn_dim_fixed_product(const tn_dims *d, const tn_dim *dims, uint32_t n, int64_t *product) {
    bool fixed = true, none = false;
    int64_t all = 1;
    for (uint32_t i = 0; i < n; i++) {
        const tn_dim_node *x = tn_dim_at(d, dims[i]);
        if (x->kind == TN_DK_UNKNOWN) {
            return false; /* beside an extent of 0, too: nobody could say the shape */
        }
        bool number = x->kind == TN_DK_CONST;
        none = none || (number && x->value == 0);
        fixed = fixed && number && x->value > 0 && tn_mul_i64(all, x->value, &all);
    }
    if (fixed || none) {
        *product = none ? 0 : all;
    }
    return fixed || none;
}

void tn_dims_bind(tn_dims *d, const char *name, int64_t value) {
    const char *sym = tn_intern(tn_arena_ctx(d->arena), name);
    tn_map_put(&d->bound, tn_str_id(sym), (uint64_t)value);
}

bool tn_dims_bound(const tn_dims *d, const char *name, int64_t *value) {
    uint64_t v;
    bool found = tn_map_get(&d->bound, tn_str_id(tn_intern(tn_arena_ctx(d->arena), name)), &v);
    if (found) {
        *value = (int64_t)v;
    }
    return found;
}

void tn_dims_open(tn_dims *d, tn_dim_range range) {
    d->at_point = tn_map_make(d->arena);
    range.name = tn_intern(tn_arena_ctx(d->arena), range.name);
    uint64_t at = tn_map_or(&d->range_named, tn_str_id(range.name), d->ranges.len);
    if (at < d->ranges.len) {
        d->ranges.data[at] = range;
        return;
    }
    tn_map_put(&d->range_named, tn_str_id(range.name), at);
    tn_vec_push(d->arena, &d->ranges, range);
}

const tn_dim_range *tn_dims_range_of(const tn_dims *d, const char *name) {
    uint64_t at;
    bool found =
        d->ranges.len > 0 &&
        tn_map_get(&d->range_named, tn_str_id(tn_intern(tn_arena_ctx(d->arena), name)), &at);
    return found ? &d->ranges.data[at] : NULL;
}

void tn_dims_close(tn_dims *d, const char *name) {
    const tn_dim_range *range = tn_dims_range_of(d, name);
    if (range == NULL) {
        return;
    }
    uint32_t at = (uint32_t)(range - d->ranges.data);
    d->at_point = tn_map_make(d->arena);
    d->range_named = tn_map_make(d->arena);
    d->ranges.len--;
    memmove(&d->ranges.data[at], &d->ranges.data[at + 1],
            (d->ranges.len - at) * sizeof *d->ranges.data);
    for (uint32_t i = 0; i < d->ranges.len; i++) {
        tn_map_put(&d->range_named, tn_str_id(d->ranges.data[i].name), i);
    }
}

const tn_dim_range *tn_dims_ranges(const tn_dims *d, uint32_t *n) {
    *n = d->ranges.len;
    return d->ranges.data;
}

static const tn_dim_relation *find_relation(const tn_dims *d, const char *name) {
    const char *sym = tn_intern(tn_arena_ctx(d->arena), name);
    uint64_t at = tn_map_or(&d->related, tn_str_id(sym), UINT64_MAX);
    return at != UINT64_MAX ? &d->relations.data[at] : NULL;
}

void tn_dims_relate(tn_dims *d, const char *name, tn_dim is) {
    const char *sym = tn_intern(tn_arena_ctx(d->arena), name);
    if (find_relation(d, sym) == NULL) { /* the first one stands */
        tn_map_put(&d->related, tn_str_id(sym), d->relations.len);
    }
    tn_vec_push(d->arena, &d->relations, ((tn_dim_relation){sym, is}));
}

const tn_dim_relation *tn_dims_relations(tn_dims *d, uint32_t *n) {
    tn_dim_relation *out = TN_ARRAY(d->arena, tn_dim_relation, d->relations.len);
    *n = d->relations.len;
    for (uint32_t i = 0; i < *n; i++) {
        const tn_dim_relation *r = &d->relations.data[i];
        out[i] = (tn_dim_relation){r->name, tn_dim_substitute(d, r->is)};
    }
    return out;
}

bool tn_dims_related(const tn_dims *d, const char *name) {
    return find_relation(d, name) != NULL;
}

static bool point_of(void *user, const char *name, int64_t *value) {
    tn_dims *d = user;
    const tn_dim_range *range = tn_dims_range_of(d, name);
    if (range != NULL) {
        *value = range->point;
        return true;
    }
    const tn_dim_limit *limit = tn_dims_limit_named(d, name);
    return limit != NULL && tn_dim_at_point(d, limit->most, value);
}

/* Passes ask for the same few sizes over and over. */
bool tn_dim_at_point(tn_dims *d, tn_dim a, int64_t *value) {
    uint64_t known;
    if (tn_map_get(&d->at_point, a, &known)) {
        *value = (int64_t)known;
        return true;
    }
    bool found = tn_dim_eval(d, a, point_of, d, value);
    if (found) {
        tn_map_put(&d->at_point, a, (uint64_t)*value);
    }
    return found;
}

tn_dim tn_dim_sym(tn_dims *d, const char *name) {
    int64_t value;
    if (tn_dims_bound(d, name, &value)) {
        return tn_dim_const(d, value);
    }
    const tn_dim_relation *related = find_relation(d, name);
    if (related != NULL) {
        return tn_dim_substitute(d, related->is);
    }
    const char *sym = tn_intern(tn_arena_ctx(d->arena), name);
    return tn_dim_intern(d, &(tn_dim_node){.kind = TN_DK_SYM, .name = sym});
}

bool tn_dims_has_symbol(const tn_dims *d, const char *name) {
    tn_dim_node n = {.kind = TN_DK_SYM, .name = tn_intern(tn_arena_ctx(d->arena), name)};
    tn_dim id = (tn_dim)tn_map_or(&d->by_hash, node_hash(&n), 0);
    while (id != 0 && !node_equal(tn_dim_at(d, id), &n)) {
        id = d->chain.data[id];
    }
    return id != 0;
}

const char *tn_dim_symbol(const tn_dims *d, tn_dim a) {
    return tn_dim_at(d, a)->name;
}
