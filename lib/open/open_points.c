#include "lib/open/open_points.h"

#include <string.h>

#include "ir/substitute.h"

/* From where on the extents of a point are looked for. */
static const int64_t starts[] = {10, 60, 250, 1};
enum { N_STARTS = sizeof starts / sizeof starts[0], SMALL = 3, LARGE = 2 };

/* So often are extents doubled that make sizes negative. */
enum { MAX_TRIES = 8 };

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

/* Inside of a short range, as far up as the extent is among those of the points. */
static int64_t clip(const tn_dim_range *r, int64_t want) {
    int64_t length = r->max - r->min;
    if (want < r->min) {
        want = length > want ? r->min + want : r->min + length / 2;
    }
    return want <= r->max         ? want
           : want < starts[1]     ? r->min + length / 4
           : want < starts[LARGE] ? r->min + length / 2
                                  : r->max;
}

/* `large`: of the one dimension that is to be large, or UINT32_MAX. */
static void set_from(tn_module *m, int64_t from, int64_t large, uint32_t which) {
    uint32_t n;
    const tn_dim_range *open = tn_dims_ranges(m->dims, &n);
    for (uint32_t i = 0; i < n; i++) {
        tn_dim_range r = open[i];
        from = prime_behind(from);
        r.point = clip(&r, i == which ? prime_behind(large) : from);
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

bool tn_open_has_point(const tn_module *m, uint32_t which) {
    uint32_t n;
    (void)tn_dims_ranges(m->dims, &n);
    return which < N_STARTS || (n > 1 && which < N_STARTS + n);
}

void tn_open_set_point(tn_module *m, uint32_t which) {
    bool mixed = which >= N_STARTS;
    int64_t from = starts[mixed ? SMALL : which], large = starts[LARGE];
    uint32_t one = mixed ? which - N_STARTS : UINT32_MAX;
    for (int tries = 0; tries < MAX_TRIES; tries++, from *= 2, large *= 2) {
        set_from(m, from, large, one);
        if (is_sound(m)) {
            return;
        }
    }
    set_from(m, starts[TN_MIDDLE_POINT], large, one);
}

void tn_open_set_extents(tn_module *m, const tn_plan *p, const int64_t *extents) {
    uint32_t n;
    const tn_dim_range *open = tn_dims_ranges(m->dims, &n);
    for (uint32_t i = 0; i < n; i++) {
        tn_dim_range r = open[i];
        for (uint32_t k = 0; k < p->n_ranges; k++) {
            r.point = strcmp(p->ranges[k].name, r.name) == 0 ? extents[k] : r.point;
        }
        tn_dims_open(m->dims, r);
    }
}

typedef struct used_names {
    tn_ctx *ctx;
    tn_map names; /* ids */
} used_names;

static void use(void *user, const char *name) {
    used_names *u = user;
    tn_map_put(&u->names, tn_str_id(tn_intern(u->ctx, name)), 1);
}

/* Sizes of one value after the other have mostly the same symbols. */
void tn_open_prune(tn_module *m) {
    tn_arena *arena = tn_arena_new(m->ctx);
    used_names u = {m->ctx, tn_map_make(arena)};
    tn_map seen = tn_map_make(arena); /* extents */
    for (uint32_t i = 0; i < m->n_values; i++) {
        const tn_type *t = m->values[i]->type;
        for (uint32_t k = 0; t->kind == TN_TYPE_TENSOR && t->has_rank && k < t->rank; k++) {
            if (tn_map_or(&seen, t->dims[k], 0) == 0) {
                tn_map_put(&seen, t->dims[k], 1);
                tn_dim_each_symbol(m->dims, t->dims[k], use, &u);
            }
        }
    }
    uint32_t n;
    for (const tn_dim_range *r = tn_dims_ranges(m->dims, &n); n-- > 0;) {
        int64_t bound;
        if (tn_map_or(&u.names, tn_str_id(r[n].name), 0) == 0 &&
            !tn_dims_bound(m->dims, r[n].name, &bound)) {
            tn_dims_close(m->dims, r[n].name);
        }
    }
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

/* A range of the model that has one extent stays open, as where the plan was made. */
static void adopt_range(tn_module *m, tn_dim_range r, const tn_plan_range *have) {
    r.point = have->point;
    if (have->min >= r.min && have->max <= r.max && (have->min > r.min || have->max < r.max)) {
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
        for (uint32_t k = 0; k < p->n_ranges; k++) {
            if (strcmp(p->ranges[k].name, open[i].name) == 0) {
                adopt_range(m, open[i], &p->ranges[k]);
            }
        }
        open = tn_dims_ranges(m->dims, &n);
    }
}
