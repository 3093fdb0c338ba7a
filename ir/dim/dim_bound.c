/* Lower bounds of dimension expressions when no symbol stands for 0. */
#include "ir/base/xmath.h"
#include "ir/dim/dim_t.h"

enum { MAX_DEPTH = 16 };

static bool lower(tn_dims *d, tn_dim a, uint32_t depth, int64_t *out);

/* A quotient of numbers that are not negative is not negative; by a constant it is bounded by the
 * quotient of the bound. */
static bool lower_quotient(tn_dims *d, const tn_dim_view *v, uint32_t depth, int64_t *out) {
    int64_t a, b;
    if (!lower(d, v->a, depth, &a) || !lower(d, v->b, depth, &b) || b <= 0) {
        return false;
    }
    if (tn_dim_is_const(d, v->b, &b)) {
        *out = v->kind == TN_DV_FLOOR ? tn_floordiv_i64(a, b) : tn_ceildiv_i64(a, b);
        return true;
    }
    *out = v->kind == TN_DV_CEIL && a > 0 ? 1 : 0;
    return a >= 0;
}

static bool lower_extreme(tn_dims *d, const tn_dim_view *v, uint32_t depth, int64_t *out) {
    int64_t a = 0, b = 0;
    bool has_a = lower(d, v->a, depth, &a), has_b = lower(d, v->b, depth, &b);
    if (v->kind == TN_DV_MIN) {
        *out = a < b ? a : b;
        return has_a && has_b;
    }
    *out = !has_b || (has_a && a > b) ? a : b;
    return has_a || has_b;
}

/* Terms with a negative coefficient would need an upper bound, which only constants have. */
static bool lower_sum(tn_dims *d, tn_dim a, uint32_t n_terms, uint32_t depth, int64_t *out) {
    int64_t sum = 0;
    for (uint32_t i = 0; i < n_terms; i++) {
        uint32_t n;
        const tn_dim *atoms;
        int64_t product = tn_dim_view_term(d, a, i, &n, &atoms);
        if (product < 0 && n > 0) {
            return false;
        }
        for (uint32_t k = 0; k < n; k++) {
            int64_t atom;
            if (!lower(d, atoms[k], depth, &atom) || atom < 0 ||
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

static bool lower(tn_dims *d, tn_dim a, uint32_t depth, int64_t *out) {
    tn_dim_view v = tn_dim_view_node(d, a);
    if (depth > MAX_DEPTH) {
        return false;
    }
    switch (v.kind) {
    case TN_DV_UNKNOWN:
        return false;
    case TN_DV_CONST:
        *out = v.value;
        return true;
    case TN_DV_SYM:
        *out = 1;
        return true;
    case TN_DV_FLOOR:
    case TN_DV_CEIL:
        return lower_quotient(d, &v, depth + 1, out);
    case TN_DV_MIN:
    case TN_DV_MAX:
        return lower_extreme(d, &v, depth + 1, out);
    case TN_DV_SUM:
        return lower_sum(d, a, v.n_terms, depth + 1, out);
    }
    return false;
}

bool tn_dim_filled_ge(tn_dims *d, tn_dim a, tn_dim b) {
    int64_t bound;
    tn_dim diff = tn_dim_sub(d, a, b);
    return diff != TN_DIM_UNKNOWN && lower(d, diff, 0, &bound) && bound >= 0;
}
