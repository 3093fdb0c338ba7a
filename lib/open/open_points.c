#include "lib/open/open_points.h"

#include <string.h>

#include "ir/substitute.h"

/* The extents of the point are looked for from START on. Where a range ends below them its half is
 * taken, and from HALF_FROM on its end. */
enum { START = 60, HALF_FROM = 250 };

/* So often are extents doubled that make sizes negative; then they are halved, as sizes may fall
 * with them. */
enum { MAX_TRIES = 8 };

/* So far up the least extent of a dimension is looked for. */
enum { MAX_RAISE = 1 << 12 };

static bool is_prime(int64_t n) {
    for (int64_t k = 2; k * k <= n; k++) {
        if (n % k == 0) {
            return false;
        }
    }
    return n > 1;
}

static int64_t prime_behind(int64_t n) {
    do {
        n++;
    } while (!is_prime(n));
    return n;
}

/* Into the range. */
static int64_t clip(const tn_dim_range *r, int64_t want) {
    int64_t length = r->max - r->min;
    if (want < r->min) {
        want = length > want ? r->min + want : r->min + length / 2;
    }
    return want <= r->max ? want : want < HALF_FROM ? r->min + length / 2 : r->max;
}

static void set_from(tn_module *m, int64_t from) {
    uint32_t n;
    const tn_dim_range *open = tn_dims_ranges(m->dims, &n);
    for (uint32_t i = 0; i < n; i++) {
        tn_dim_range r = open[i];
        from = prime_behind(from);
        r.point = clip(&r, from);
        tn_dims_open(m->dims, r);
    }
}

/* Whether every size that is an expression is one of a tensor at the point. */
static bool is_sound(const tn_module *m) {
    for (uint32_t i = 0; i < m->n_values; i++) {
        const tn_type *t = m->values[i]->type;
        int64_t extent;
        for (uint32_t k = 0; k < t->rank && t->kind == TN_TYPE_TENSOR && t->has_rank; k++) {
            if (tn_dim_at_point(m->dims, t->dims[k], &extent) && extent < 1) {
                return false;
            }
        }
    }
    return true;
}

static bool try_from(tn_module *m, int64_t from) {
    set_from(m, from);
    return is_sound(m);
}

void tn_open_set_point(tn_module *m) {
    bool found = false;
    for (int64_t from = START, tries = 0; tries < MAX_TRIES && !found; tries++, from *= 2) {
        found = try_from(m, from);
    }
    for (int64_t from = START / 2; from > 0 && !found; from /= 2) {
        found = try_from(m, from);
    }
    if (!found) {
        set_from(m, START);
    }
}

void tn_open_set_extents(tn_module *m, const tn_plan *p, const int64_t *extents) {
    uint32_t n;
    const tn_dim_range *open = tn_dims_ranges(m->dims, &n);
    for (uint32_t i = 0; i < n; i++) {
        tn_dim_range r = open[i];
        uint32_t k = tn_plan_range_named(p, r.name);
        if (k != TN_NO_ID) {
            r.point = extents[k];
            tn_dims_open(m->dims, r);
        }
    }
}

/* Calls `fn` for each extent of the model's tensors, once however often it comes. */
static void each_extent(tn_module *m, void (*fn)(void *user, tn_dim extent), void *user) {
    tn_arena *arena = tn_arena_new(m->ctx);
    tn_map seen = tn_map_make(arena);
    for (uint32_t i = 0; i < m->n_values; i++) {
        const tn_type *t = m->values[i]->type;
        for (uint32_t k = 0; t->kind == TN_TYPE_TENSOR && t->has_rank && k < t->rank; k++) {
            if (tn_map_or(&seen, t->dims[k], 0) == 0) {
                tn_map_put(&seen, t->dims[k], 1);
                fn(user, t->dims[k]);
            }
        }
    }
    tn_arena_drop(arena);
}

typedef struct used_names {
    tn_module *m;
    tn_map names; /* ids */
} used_names;

static void use(void *user, const char *name) {
    used_names *u = user;
    tn_map_put(&u->names, tn_str_id(tn_intern(u->m->ctx, name)), 1);
}

static void use_all(void *user, tn_dim extent) {
    used_names *u = user;
    tn_dim_each_symbol(u->m->dims, extent, use, u);
}

/* Sizes of one value after the other have mostly the same symbols. */
void tn_open_prune(tn_module *m, const tn_plan *kept) {
    tn_arena *arena = tn_arena_new(m->ctx);
    used_names u = {m, tn_map_make(arena)};
    each_extent(m, use_all, &u);
    uint32_t n;
    for (const tn_dim_range *r = tn_dims_ranges(m->dims, &n); n-- > 0;) {
        int64_t bound;
        bool stays = kept != NULL && tn_plan_range_named(kept, r[n].name) != TN_NO_ID;
        if (!stays && tn_map_or(&u.names, tn_str_id(r[n].name), 0) == 0 &&
            !tn_dims_bound(m->dims, r[n].name, &bound)) {
            tn_dims_close(m->dims, r[n].name);
        }
    }
    tn_arena_drop(arena);
}

/* The symbols of an expression: how many, the last of them, and what it is to be. */
typedef struct symbols {
    uint32_t n;
    const char *name;
    int64_t value;
} symbols;

static void count(void *user, const char *name) {
    symbols *s = user;
    s->n++;
    s->name = name;
}

static bool value_of(void *user, const char *name, int64_t *value) {
    const symbols *s = user;
    *value = s->value;
    return strcmp(s->name, name) == 0;
}

/* From r->min on, the least extent of dimension `r`, the only one in `size`, for which that is not
 * below 0; r->min where that is not among the first MAX_RAISE. */
static int64_t least_for(const tn_module *m, const tn_dim_range *r, tn_dim size) {
    symbols s = {.name = r->name};
    int64_t value;
    for (int64_t k = 0; k < MAX_RAISE && k <= r->max - r->min; k++) {
        s.value = r->min + k;
        if (!tn_dim_eval(m->dims, size, value_of, &s, &value)) {
            break;
        }
        if (value >= 0) {
            return s.value;
        }
    }
    return r->min;
}

typedef struct raising {
    tn_module *m;
    tn_map range; /* by the id of its name: which range, plus 1 */
} raising;

static void raise_for(void *user, tn_dim size) {
    const raising *w = user;
    symbols s = {0};
    tn_dim_each_symbol(w->m->dims, size, count, &s);
    uint64_t at = s.n == 1 ? tn_map_or(&w->range, tn_str_id(tn_intern(w->m->ctx, s.name)), 0) : 0;
    if (at == 0) {
        return;
    }
    uint32_t n;
    tn_dim_range r = tn_dims_ranges(w->m->dims, &n)[at - 1];
    int64_t least = least_for(w->m, &r, size);
    if (least > r.min) {
        r.min = least;
        tn_dims_open(w->m->dims, r);
    }
}

void tn_open_raise(tn_module *m) {
    tn_arena *arena = tn_arena_new(m->ctx);
    raising w = {m, tn_map_make(arena)};
    uint32_t n;
    const tn_dim_range *open = tn_dims_ranges(m->dims, &n);
    for (uint32_t i = 0; i < n; i++) {
        tn_map_put(&w.range, tn_str_id(open[i].name), i + 1);
    }
    each_extent(m, raise_for, &w);
    tn_arena_drop(arena);
}

/* An extent of which there is one is a number to inference. */
void tn_open_narrow(tn_module *m, tn_dim_range range) {
    tn_dims_open(m->dims, range);
    if (range.min == range.max) {
        tn_dims_bind(m->dims, range.name, range.min);
        tn_module_substitute(m);
    }
}

/* What is proved is proved for all that the plan says it is for. A range of the model that has one
 * extent stays open, as where the plan was made. */
static void adopt_range(tn_module *m, tn_dim_range r, const tn_plan_range *have) {
    r.point = have->point;
    if (have->min != r.min || have->max != r.max) {
        r.min = have->min;
        r.max = have->max;
        tn_open_narrow(m, r);
    } else {
        tn_dims_open(m->dims, r);
    }
}

void tn_open_adopt(tn_module *m, const tn_plan *p) {
    uint32_t n;
    const tn_dim_range *open = tn_dims_ranges(m->dims, &n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = tn_plan_range_named(p, open[i].name);
        if (k != TN_NO_ID) {
            adopt_range(m, open[i], &p->ranges[k]);
        }
        open = tn_dims_ranges(m->dims, &n);
    }
}
