/* Division of sums, rounding down or up. */
#include "ir/base/xmath.h"
#include "ir/dim/dim_t.h"

/* b != 0. One quotient does not fit. */
static tn_dim divide_constants(tn_dims *d, int64_t a, int64_t b, tn_dim_kind kind) {
    if (a == INT64_MIN && b == -1) {
        return TN_DIM_UNKNOWN;
    }
    return tn_dim_const(d, kind == TN_DK_FLOOR ? tn_floordiv_i64(a, b) : tn_ceildiv_i64(a, b));
}

/* What needs no look at the terms: true when *out is the answer. */
static bool divide_at_once(tn_dims *d, tn_dim a, tn_dim b, tn_dim_kind kind, tn_dim *out) {
    int64_t x = 0, y = 0;
    bool a_const = tn_dim_is_const(d, a, &x), b_const = tn_dim_is_const(d, b, &y);
    *out = TN_DIM_UNKNOWN;
    if (a == TN_DIM_UNKNOWN || b == TN_DIM_UNKNOWN || (b_const && y == 0)) {
        return true;
    }
    if ((b_const && y == 1) || (a_const && x == 0)) {
        *out = a;
        return true;
    }
    if (a_const && b_const) {
        *out = divide_constants(d, x, y, kind);
        return true;
    }
    if (a == b) {
        *out = tn_dim_const(d, 1);
    }
    return a == b;
}

/* t / u when it leaves no rest: the coefficients divide exactly, and u's atoms are among t's. */
static bool divide_term(tn_dims *d, const tn_dim_term *t, const tn_dim_term *u, tn_dim_term *out) {
    if (t->coef == INT64_MIN || t->coef % u->coef != 0 || t->n < u->n) {
        return false;
    }
    uint32_t left = t->n - u->n, k = 0, j = 0;
    tn_dim *atoms = TN_ARRAY(d->arena, tn_dim, left);
    for (uint32_t i = 0; i < t->n; i++) {
        if (j < u->n && t->atoms[i] == u->atoms[j]) {
            j++;
        } else if (k < left) {
            atoms[k++] = t->atoms[i];
        } else {
            return false;
        }
    }
    *out = (tn_dim_term){.coef = t->coef / u->coef, .n = k, .atoms = atoms};
    return j == u->n;
}

/* Splits a = by * whole + rest, for a divisor of one term: (6*n + s + 5) / 2 is 3*n + 2 and
 * (s + 1) / 2. A constant keeps 0 <= rest < by. False when a part cannot be said. */
static bool split(tn_dims *d, tn_dim a, const tn_dim_term *by, tn_dim *whole, tn_dim *rest) {
    tn_dim_sum exact, left;
    tn_dim_sum_start(&exact);
    tn_dim_sum_start(&left);
    tn_dim_term one;
    const tn_dim_term *t;
    uint32_t n = tn_dim_terms(d, a, &one, &t);
    for (uint32_t i = 0; i < n; i++) {
        tn_dim_term q;
        if (divide_term(d, &t[i], by, &q)) {
            tn_dim_sum_add(d, &exact, q);
        } else if (by->n == 0 && t[i].n == 0 && by->coef > 0) {
            tn_dim_sum_add(d, &exact, (tn_dim_term){.coef = tn_floordiv_i64(t[i].coef, by->coef)});
            tn_dim_sum_add(d, &left, (tn_dim_term){.coef = tn_floormod_i64(t[i].coef, by->coef)});
        } else {
            tn_dim_sum_add(d, &left, t[i]);
        }
    }
    *whole = tn_dim_sum_intern(d, &exact);
    *rest = tn_dim_sum_intern(d, &left);
    return *whole != TN_DIM_UNKNOWN && *rest != TN_DIM_UNKNOWN;
}

static tn_dim divide(tn_dims *d, tn_dim a, tn_dim b, tn_dim_kind kind);

/* A rest that `split` left. floor(floor(p / c) / y) is floor(p / (c * y)) for positive constants,
 * and so for the other rounding. */
static tn_dim divide_rest(tn_dims *d, tn_dim a, tn_dim b, tn_dim_kind kind) {
    const tn_dim_node *n = tn_dim_at(d, a);
    int64_t x, y, inner, product;
    bool b_const = tn_dim_is_const(d, b, &y);
    if (tn_dim_is_const(d, a, &x) && (x == 0 || b_const)) {
        return x == 0 ? a : divide_constants(d, x, y, kind);
    }
    if (b_const && y > 0 && n->kind == kind && tn_dim_is_const(d, n->b, &inner) && inner > 0 &&
        tn_mul_i64(inner, y, &product)) {
        return divide(d, n->a, tn_dim_const(d, product), kind);
    }
    return tn_dim_intern(d, &(tn_dim_node){.kind = kind, .a = a, .b = b});
}

static tn_dim divide(tn_dims *d, tn_dim a, tn_dim b, tn_dim_kind kind) {
    tn_dim whole, rest;
    if (divide_at_once(d, a, b, kind, &whole)) {
        return whole;
    }
    tn_dim_term one;
    const tn_dim_term *by;
    if (tn_dim_terms(d, b, &one, &by) != 1) {
        return tn_dim_intern(d, &(tn_dim_node){.kind = kind, .a = a, .b = b});
    }
    if (!split(d, a, by, &whole, &rest)) {
        return TN_DIM_UNKNOWN;
    }
    return tn_dim_add(d, whole, divide_rest(d, rest, b, kind));
}

tn_dim tn_dim_floordiv(tn_dims *d, tn_dim a, tn_dim b) {
    return divide(d, a, b, TN_DK_FLOOR);
}

tn_dim tn_dim_ceildiv(tn_dims *d, tn_dim a, tn_dim b) {
    return divide(d, a, b, TN_DK_CEIL);
}

tn_dim tn_dim_mod(tn_dims *d, tn_dim a, tn_dim b) {
    return tn_dim_sub(d, a, tn_dim_mul(d, tn_dim_floordiv(d, a, b), b));
}
