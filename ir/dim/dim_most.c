/* Extents that data give: how large expressions over them can be. Interval arithmetic on the forms
 * of expressions, whose ends are expressions over all other symbols. */
#include <string.h>

#include "ir/dim/dim_t.h"

/* ---- the table of limits ---- */

void tn_dims_limit(tn_dims *d, const char *name, const char *of, tn_dim most) {
    tn_ctx *ctx = tn_arena_ctx(d->arena);
    tn_dim_limit limit = {tn_intern(ctx, name), tn_intern(ctx, of), most};
    uint64_t at = tn_map_or(&d->limit_named, tn_str_id(limit.name), d->limits.len);
    if (at < d->limits.len && d->limits.data[at].most == most) {
        return;
    }
    d->most = tn_map_make(d->arena);
    d->at_point = tn_map_make(d->arena);
    tn_map_put(&d->limit_of, tn_str_id(limit.of), at);
    if (at < d->limits.len) {
        d->limits.data[at] = limit;
        return;
    }
    tn_map_put(&d->limit_named, tn_str_id(limit.name), at);
    tn_vec_push(d->arena, &d->limits, limit);
}

const tn_dim_limit *tn_dims_limits(const tn_dims *d, uint32_t *n) {
    *n = d->limits.len;
    return d->limits.data;
}

/* That at the place under the id of the text; NULL when there is none. */
static const tn_dim_limit *limit_under(const tn_dims *d, const tn_map *places, const char *text) {
    uint64_t at;
    bool found = d->limits.len > 0 &&
                 tn_map_get(places, tn_str_id(tn_intern(tn_arena_ctx(d->arena), text)), &at);
    return found ? &d->limits.data[at] : NULL;
}

const tn_dim_limit *tn_dims_limit_named(const tn_dims *d, const char *name) {
    return limit_under(d, &d->limit_named, name);
}

/* A name that has been given to another extent since is none of it. */
const tn_dim_limit *tn_dims_limit_of(const tn_dims *d, const char *of) {
    const tn_dim_limit *limit = limit_under(d, &d->limit_of, of);
    return limit != NULL && strcmp(limit->of, of) == 0 ? limit : NULL;
}

/* ---- names asked for ---- */

static tn_dim_asked *find_asked(const tn_dims *d, const char *name) {
    for (uint32_t i = 0; i < d->asked.len; i++) {
        if (strcmp(d->asked.data[i].name, name) == 0) {
            return &d->asked.data[i];
        }
    }
    return NULL;
}

void tn_dims_ask(tn_dims *d, tn_dim_asked asked) {
    tn_dim_asked *have = find_asked(d, asked.name);
    asked.name = tn_intern(tn_arena_ctx(d->arena), asked.name);
    if (have != NULL) {
        *have = asked;
    } else {
        tn_vec_push(d->arena, &d->asked, asked);
    }
}

const tn_dim_asked *tn_dims_all_asked(const tn_dims *d, uint32_t *n) {
    *n = d->asked.len;
    return d->asked.data;
}

const tn_dim_asked *tn_dims_find_asked(const tn_dims *d, const char *name) {
    return find_asked(d, name);
}

/* ---- the ends of an expression ---- */

typedef struct span {
    tn_dim least, most; /* TN_DIM_UNKNOWN: nothing shows it */
} span;

static span span_of(tn_dims *d, tn_dim a);

/* Whether no data have a say in `a`. */
static bool is_exact(tn_dim a, span s) {
    return s.least == a && s.most == a;
}

/* Of factors one of which may be below 0: as far from 0 as the product can be. */
static tn_dim magnitude(tn_dims *d, span s) {
    tn_dim zero = tn_dim_const(d, 0);
    return tn_dim_provably_ge(d, s.least, zero)
               ? s.most
               : tn_dim_max(d, s.most, tn_dim_sub(d, zero, s.least));
}

/* Atoms that no data have a say in may be below 0 as they are: they are one factor. */
static span span_of_term(tn_dims *d, const tn_dim_term *t) {
    tn_dim zero = tn_dim_const(d, 0), fixed = tn_dim_const(d, t->coef);
    span s = {tn_dim_const(d, 1), tn_dim_const(d, 1)};
    uint32_t moving = 0;
    for (uint32_t k = 0; k < t->n; k++) {
        span atom = span_of(d, t->atoms[k]);
        if (is_exact(t->atoms[k], atom)) {
            fixed = tn_dim_mul(d, fixed, atom.most);
        } else if (moving++ == 0) {
            s = atom;
        } else if (tn_dim_provably_ge(d, s.least, zero) &&
                   tn_dim_provably_ge(d, atom.least, zero)) {
            s = (span){tn_dim_mul(d, s.least, atom.least), tn_dim_mul(d, s.most, atom.most)};
        } else {
            s.most = tn_dim_mul(d, magnitude(d, s), magnitude(d, atom));
            s.least = tn_dim_sub(d, zero, s.most);
        }
    }
    if (moving == 0) {
        return (span){fixed, fixed};
    }
    tn_dim low = tn_dim_mul(d, fixed, s.least), high = tn_dim_mul(d, fixed, s.most);
    bool up = tn_dim_provably_ge(d, fixed, zero);
    bool down = !up && tn_dim_provably_ge(d, zero, fixed);
    return up     ? (span){low, high}
           : down ? (span){high, low}
                  : (span){tn_dim_min(d, low, high), tn_dim_max(d, low, high)};
}

static span span_of_sum(tn_dims *d, tn_dim a) {
    tn_dim_term one;
    const tn_dim_term *terms;
    uint32_t n = tn_dim_terms(d, a, &one, &terms);
    span sum = {tn_dim_const(d, 0), tn_dim_const(d, 0)};
    for (uint32_t i = 0; i < n; i++) {
        span term = span_of_term(d, &terms[i]);
        sum = (span){tn_dim_add(d, sum.least, term.least), tn_dim_add(d, sum.most, term.most)};
    }
    return sum;
}

/* A divisor is 1 at least: a run in which it is 0 there is none of. */
static span span_of_quotient(tn_dims *d, const tn_dim_node *n) {
    tn_dim (*divide)(tn_dims *, tn_dim, tn_dim) =
        n->kind == TN_DK_FLOOR ? tn_dim_floordiv : tn_dim_ceildiv;
    span a = span_of(d, n->a), b = span_of(d, n->b);
    if (is_exact(n->b, b) && tn_dim_provably_ge(d, b.most, tn_dim_const(d, 0))) {
        return (span){divide(d, a.least, b.most), divide(d, a.most, b.most)};
    }
    if (!tn_dim_provably_ge(d, a.least, tn_dim_const(d, 0)) ||
        !tn_dim_provably_ge(d, b.least, tn_dim_const(d, 0))) {
        return (span){TN_DIM_UNKNOWN, TN_DIM_UNKNOWN};
    }
    return (span){tn_dim_const(d, 0), a.most};
}

/* Recursive as substitution is: expressions have at most TN_MAX_DIM_NODES. */
static span span_of(tn_dims *d, tn_dim a) {
    const tn_dim_node *n = tn_dim_at(d, a);
    const tn_dim_limit *limit;
    switch (n->kind) {
    case TN_DK_UNKNOWN:
    case TN_DK_CONST:
        return (span){a, a};
    case TN_DK_SYM:
        limit = tn_dims_limit_named(d, n->name);
        return limit != NULL ? (span){tn_dim_const(d, 0), limit->most} : (span){a, a};
    case TN_DK_FLOOR:
    case TN_DK_CEIL:
    case TN_DK_MIN:
    case TN_DK_MAX:
        break;
    case TN_DK_SUM:
        return span_of_sum(d, a);
    }
    span x = span_of(d, n->a), y = span_of(d, n->b);
    if (is_exact(n->a, x) && is_exact(n->b, y)) {
        return (span){a, a};
    }
    if (n->kind == TN_DK_FLOOR || n->kind == TN_DK_CEIL) {
        return span_of_quotient(d, n);
    }
    tn_dim (*extreme)(tn_dims *, tn_dim, tn_dim) = n->kind == TN_DK_MIN ? tn_dim_min : tn_dim_max;
    return (span){extreme(d, x.least, y.least), extreme(d, x.most, y.most)};
}

tn_dim tn_dim_most(tn_dims *d, tn_dim a) {
    uint64_t known;
    if (d->limits.len == 0) {
        return a;
    }
    if (!tn_map_get(&d->most, a, &known)) {
        known = span_of(d, a).most;
        tn_map_put(&d->most, a, known);
    }
    return (tn_dim)known;
}

/* ---- what broadcasting takes for granted ---- */

void tn_dims_assume(tn_dims *d, tn_dim_assumed assumed) {
    uint64_t key = tn_mix(tn_mix(assumed.extent) ^ (uint64_t)assumed.number);
    if (tn_map_or(&d->assumed_at, key, 0) == 0) {
        tn_map_put(&d->assumed_at, key, 1);
        tn_vec_push(d->arena, &d->assumed, assumed);
    }
}

const tn_dim_assumed *tn_dims_all_assumed(const tn_dims *d, uint32_t *n) {
    *n = d->assumed.len;
    return d->assumed.data;
}
