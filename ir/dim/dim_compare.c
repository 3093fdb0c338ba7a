/* Which of two expressions is larger, as far as their forms show it; minimum and maximum. */
#include "ir/base/xmath.h"
#include "ir/dim/dim_t.h"

enum { MAX_DEPTH = 16, MAX_CASES = 32 };

/* ---- for all values of the symbols, 0 included ---- */

/* What a form shows, as bits; both: it is 0. */
enum { NOT_BELOW = 1, NOT_ABOVE = 2, ZERO = NOT_BELOW | NOT_ABOVE };

static unsigned sign_of(const tn_dims *d, tn_dim a, uint32_t depth);

static unsigned sign_of_number(int64_t x) {
    return (x >= 0 ? NOT_BELOW : 0u) | (x <= 0 ? NOT_ABOVE : 0u);
}

/* Of a product that has the sign of one factor and another factor. */
static unsigned times(unsigned a, unsigned b) {
    if (a == ZERO || b == ZERO) {
        return ZERO;
    }
    return a == 0 || b == 0 ? 0 : a == b ? NOT_BELOW : NOT_ABOVE;
}

/* Each term shows a sign by its coefficient and its atoms, of which any two below 0 make up for
 * each other. */
static unsigned sign_of_sum(const tn_dims *d, const tn_dim_node *sum, uint32_t depth) {
    unsigned all = ZERO;
    for (uint32_t i = 0; i < sum->n && all != 0; i++) {
        const tn_dim_term *t = &sum->terms[i];
        unsigned sign = sign_of_number(t->coef);
        for (uint32_t k = 0; k < t->n && sign != 0; k++) {
            sign = times(sign, sign_of(d, t->atoms[k], depth));
        }
        all &= sign;
    }
    return all;
}

/* A quotient has the sign of what is divided where the other is not below 0. */
static unsigned sign_of_pair(tn_dim_kind kind, unsigned a, unsigned b) {
    unsigned both = a & b, either = a | b;
    return kind == TN_DK_MIN   ? (both & NOT_BELOW) | (either & NOT_ABOVE)
           : kind == TN_DK_MAX ? (either & NOT_BELOW) | (both & NOT_ABOVE)
           : b & NOT_BELOW     ? a
                               : 0;
}

static unsigned sign_of(const tn_dims *d, tn_dim a, uint32_t depth) {
    const tn_dim_node *n = tn_dim_at(d, a);
    if (depth > MAX_DEPTH) {
        return 0;
    }
    switch (n->kind) {
    case TN_DK_UNKNOWN:
        return 0;
    case TN_DK_CONST:
        return sign_of_number(n->value);
    case TN_DK_SYM:
        return NOT_BELOW;
    case TN_DK_SUM:
        return sign_of_sum(d, n, depth + 1);
    case TN_DK_FLOOR:
    case TN_DK_CEIL:
    case TN_DK_MIN:
    case TN_DK_MAX:
        break;
    }
    return sign_of_pair(n->kind, sign_of(d, n->a, depth + 1), sign_of(d, n->b, depth + 1));
}

/* Whether the form shows that a >= 0. */
static bool is_nonneg(const tn_dims *d, tn_dim a) {
    return (sign_of(d, a, 0) & NOT_BELOW) != 0;
}

/* The difference shows it, or the cases of min and max on either side do: a maximum is at least
 * what one of its sides is, and so on. `steps` bounds the search over cases. */
static bool shows_ge(tn_dims *d, tn_dim a, tn_dim b, uint32_t *steps) {
    tn_dim diff = tn_dim_sub(d, a, b);
    if (diff != TN_DIM_UNKNOWN && is_nonneg(d, diff)) {
        return true;
    }
    if (*steps == 0) {
        return false;
    }
    --*steps;
    const tn_dim_node *x = tn_dim_at(d, a), *y = tn_dim_at(d, b);
    if (y->kind == TN_DK_MAX) {
        return shows_ge(d, a, y->a, steps) && shows_ge(d, a, y->b, steps);
    }
    if (x->kind == TN_DK_MIN) {
        return shows_ge(d, x->a, b, steps) && shows_ge(d, x->b, b, steps);
    }
    if (x->kind == TN_DK_MAX && (shows_ge(d, x->a, b, steps) || shows_ge(d, x->b, b, steps))) {
        return true;
    }
    return y->kind == TN_DK_MIN && (shows_ge(d, a, y->a, steps) || shows_ge(d, a, y->b, steps));
}

bool tn_dim_provably_ge(tn_dims *d, tn_dim a, tn_dim b) {
    uint32_t steps = MAX_CASES;
    return a != TN_DIM_UNKNOWN && b != TN_DIM_UNKNOWN && shows_ge(d, a, b, &steps);
}

/* ---- minimum and maximum ---- */

static tn_dim extreme(tn_dims *d, tn_dim a, tn_dim b, tn_dim_kind kind) {
    if (a == TN_DIM_UNKNOWN || b == TN_DIM_UNKNOWN) {
        return TN_DIM_UNKNOWN;
    }
    if (tn_dim_provably_ge(d, a, b)) {
        return kind == TN_DK_MAX ? a : b;
    }
    if (tn_dim_provably_ge(d, b, a)) {
        return kind == TN_DK_MAX ? b : a;
    }
    bool swap = tn_dim_order(d, a, b) > 0;
    return tn_dim_intern(d, &(tn_dim_node){.kind = kind, .a = swap ? b : a, .b = swap ? a : b});
}

tn_dim tn_dim_min(tn_dims *d, tn_dim a, tn_dim b) {
    return extreme(d, a, b, TN_DK_MIN);
}

tn_dim tn_dim_max(tn_dims *d, tn_dim a, tn_dim b) {
    return extreme(d, a, b, TN_DK_MAX);
}

/* ---- for all values of the symbols from 1 on: by a lower bound ---- */

static bool lower(const tn_dims *d, tn_dim a, uint32_t depth, int64_t *out);

/* A quotient of numbers that are not negative is not negative; by a constant it is bounded by the
 * quotient of the bound. */
static bool lower_quotient(const tn_dims *d, const tn_dim_node *n, uint32_t depth, int64_t *out) {
    int64_t a, b;
    if (!lower(d, n->a, depth, &a) || !lower(d, n->b, depth, &b) || b <= 0) {
        return false;
    }
    if (tn_dim_is_const(d, n->b, &b)) {
        *out = n->kind == TN_DK_FLOOR ? tn_floordiv_i64(a, b) : tn_ceildiv_i64(a, b);
        return true;
    }
    *out = n->kind == TN_DK_CEIL && a > 0 ? 1 : 0;
    return a >= 0;
}

static bool lower_extreme(const tn_dims *d, const tn_dim_node *n, uint32_t depth, int64_t *out) {
    int64_t a = 0, b = 0;
    bool has_a = lower(d, n->a, depth, &a), has_b = lower(d, n->b, depth, &b);
    if (n->kind == TN_DK_MIN) {
        *out = a < b ? a : b;
        return has_a && has_b;
    }
    *out = !has_b || (has_a && a > b) ? a : b;
    return has_a || has_b;
}

/* Terms with a negative coefficient would need an upper bound, which only constants have. */
static bool lower_sum(const tn_dims *d, const tn_dim_node *n, uint32_t depth, int64_t *out) {
    int64_t sum = 0;
    for (uint32_t i = 0; i < n->n; i++) {
        const tn_dim_term *t = &n->terms[i];
        int64_t product = t->coef;
        if (product < 0 && t->n > 0) {
            return false;
        }
        for (uint32_t k = 0; k < t->n; k++) {
            int64_t atom;
            if (!lower(d, t->atoms[k], depth, &atom) || atom < 0 ||
                !tn_mul_i64(product, atom, &product)) {
                return false;
            }
        }
        if (!tn_add_i64(sum, product, &sum)) {
            return false;
        }
    }
    *out = sum;
    return true;
}

static bool lower(const tn_dims *d, tn_dim a, uint32_t depth, int64_t *out) {
    const tn_dim_node *n = tn_dim_at(d, a);
    if (depth > MAX_DEPTH) {
        return false;
    }
    switch (n->kind) {
    case TN_DK_UNKNOWN:
        return false;
    case TN_DK_CONST:
        *out = n->value;
        return true;
    case TN_DK_SYM:
        *out = tn_dims_limit_named(d, n->name) != NULL ? 0 : 1;
        return true;
    case TN_DK_FLOOR:
    case TN_DK_CEIL:
        return lower_quotient(d, n, depth + 1, out);
    case TN_DK_MIN:
    case TN_DK_MAX:
        return lower_extreme(d, n, depth + 1, out);
    case TN_DK_SUM:
        return lower_sum(d, n, depth + 1, out);
    }
    return false;
}

bool tn_dim_filled_ge(tn_dims *d, tn_dim a, tn_dim b) {
    int64_t bound;
    tn_dim diff = tn_dim_sub(d, a, b);
    return diff != TN_DIM_UNKNOWN && lower(d, diff, 0, &bound) && bound >= 0;
}
