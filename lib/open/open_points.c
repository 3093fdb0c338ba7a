#include "lib/open/open_points.h"

#include <string.h>

#include "ir/substitute.h"

/* From where on the extents of a point are looked for. */
static const int64_t starts[TN_N_POINTS] = {11, 61, 251};

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

/* As far up in the range as the wanted extent is in a range without an end: points stay apart. */
static int64_t clip(const tn_dim_range *r, int64_t want, uint32_t which) {
    if (want >= r->min && want <= r->max) {
        return want;
    }
    if (want < r->min) {
        return r->max - r->min > want ? r->min + want
                                      : r->min + (r->max - r->min) / (int64_t)(3 - which);
    }
    return r->max - (r->max - r->min) / 4 * (int64_t)(TN_N_POINTS - 1 - which);
}

static void set_from(tn_module *m, uint32_t which, int64_t from) {
    uint32_t n;
    const tn_dim_range *open = tn_dims_ranges(m->dims, &n);
    for (uint32_t i = 0; i < n; i++) {
        tn_dim_range r = open[i];
        from = prime_behind(from);
        r.point = clip(&r, from, which);
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

void tn_open_set_point(tn_module *m, uint32_t which) {
    int64_t from = starts[which];
    for (int tries = 0; tries < MAX_TRIES; tries++, from *= 2) {
        set_from(m, which, from);
        if (is_sound(m)) {
            return;
        }
    }
    set_from(m, which, starts[which]);
}

/* An extent of which there is one is a number to inference. */
void tn_open_narrow(tn_module *m, tn_dim_range range) {
    tn_dims_open(m->dims, range);
    if (range.min == range.max) {
        tn_dims_bind(m->dims, range.name, range.min);
        tn_module_substitute(m);
    }
}

void tn_open_adopt(tn_module *m, const tn_plan *p) {
    uint32_t n;
    const tn_dim_range *open = tn_dims_ranges(m->dims, &n);
    for (uint32_t i = 0; i < n; i++) {
        tn_dim_range r = open[i];
        for (uint32_t k = 0; k < p->n_ranges; k++) {
            const tn_plan_range *have = &p->ranges[k];
            if (strcmp(have->name, r.name) == 0) {
                r.point = have->point;
                bool narrower = p->set != NULL && have->min >= r.min && have->max <= r.max;
                r.min = narrower ? have->min : r.min;
                r.max = narrower ? have->max : r.max;
                tn_open_narrow(m, r);
            }
        }
        open = tn_dims_ranges(m->dims, &n);
    }
}
