/* Sums of products: the normal form, and the operations that keep it. */
#include <string.h>

#include "ir/base/xmath.h"
#include "ir/dim/dim_t.h"

/* ---- order ---- */

/* Terms of higher degree come first, the constant last. */
static int order_terms(const tn_dims *d, const tn_dim_term *x, const tn_dim_term *y) {
    if (x->n != y->n) {
        return x->n > y->n ? -1 : 1;
    }
    for (uint32_t i = 0; i < x->n; i++) {
        int order = tn_dim_order(d, x->atoms[i], y->atoms[i]);
        if (order != 0) {
            return order;
        }
    }
    return 0;
}

static int order_sums(const tn_dims *d, const tn_dim_node *x, const tn_dim_node *y) {
    for (uint32_t i = 0; i < x->n && i < y->n; i++) {
        int order = order_terms(d, &x->terms[i], &y->terms[i]);
        if (order != 0) {
            return order;
        }
        if (x->terms[i].coef != y->terms[i].coef) {
            return x->terms[i].coef < y->terms[i].coef ? -1 : 1;
        }
    }
    return x->n < y->n ? -1 : 1;
}

int tn_dim_order(const tn_dims *d, tn_dim a, tn_dim b) {
    if (a == b) {
        return 0;
    }
    const tn_dim_node *x = tn_dim_at(d, a), *y = tn_dim_at(d, b);
    if (x->kind != y->kind) {
        return x->kind < y->kind ? -1 : 1;
    }
    if (x->kind == TN_DK_CONST) {
        return x->value < y->value ? -1 : 1;
    }
    if (x->kind == TN_DK_SYM) {
        return strcmp(x->name, y->name);
    }
    if (x->kind == TN_DK_SUM) {
        return order_sums(d, x, y);
    }
    int order = tn_dim_order(d, x->a, y->a);
    return order != 0 ? order : tn_dim_order(d, x->b, y->b);
}

/* ---- sums ---- */

void tn_dim_sum_start(tn_dim_sum *sum) {
    sum->n = 0;
    sum->overflow = false;
}

static void add_to_term(tn_dim_sum *sum, uint32_t i, int64_t coef) {
    tn_dim_term *t = &sum->terms[i];
    if (!tn_add_i64(t->coef, coef, &t->coef)) {
        sum->overflow = true;
    } else if (t->coef == 0) {
        memmove(t, t + 1, (sum->n - i - 1) * sizeof *t);
        sum->n--;
    }
}

void tn_dim_sum_add(const tn_dims *d, tn_dim_sum *sum, tn_dim_term term) {
    if (term.coef == 0) {
        return;
    }
    uint32_t i = 0;
    int order = 1;
    while (i < sum->n && (order = order_terms(d, &sum->terms[i], &term)) < 0) {
        i++;
    }
    if (i < sum->n && order == 0) {
        add_to_term(sum, i, term.coef);
        return;
    }
    if (sum->n == TN_DIM_MAX_TERMS) {
        sum->overflow = true;
        return;
    }
    memmove(&sum->terms[i + 1], &sum->terms[i], (sum->n - i) * sizeof term);
    sum->terms[i] = term;
    sum->n++;
}

tn_dim tn_dim_sum_intern(tn_dims *d, const tn_dim_sum *sum) {
    const tn_dim_term *first = sum->terms;
    if (sum->overflow) {
        return TN_DIM_UNKNOWN;
    }
    if (sum->n == 0) {
        return tn_dim_const(d, 0);
    }
    if (sum->n == 1 && first->n == 0) {
        return tn_dim_const(d, first->coef);
    }
    if (sum->n == 1 && first->n == 1 && first->coef == 1) {
        return first->atoms[0];
    }
    const tn_dim_term *terms = tn_arena_regrow(d->arena, sum->terms, sum->n, sum->n, sizeof *terms);
    return tn_dim_intern(d, &(tn_dim_node){.kind = TN_DK_SUM, .n = sum->n, .terms = terms});
}

uint32_t tn_dim_terms(tn_dims *d, tn_dim a, tn_dim_term *one, const tn_dim_term **out) {
    const tn_dim_node *n = tn_dim_at(d, a);
    if (n->kind == TN_DK_SUM) {
        *out = n->terms;
        return n->n;
    }
    *out = one;
    if (n->kind == TN_DK_CONST) {
        *one = (tn_dim_term){.coef = n->value};
        return n->value != 0;
    }
    tn_dim *atom = TN_NEW(d->arena, tn_dim);
    *atom = a;
    *one = (tn_dim_term){.coef = 1, .n = 1, .atoms = atom};
    return 1;
}

/* ---- operations ---- */

static void add_scaled(tn_dims *d, tn_dim_sum *sum, tn_dim a, int64_t scale) {
    tn_dim_term one;
    const tn_dim_term *terms;
    uint32_t n = tn_dim_terms(d, a, &one, &terms);
    for (uint32_t i = 0; i < n; i++) {
        tn_dim_term t = terms[i];
        sum->overflow |= !tn_mul_i64(t.coef, scale, &t.coef);
        tn_dim_sum_add(d, sum, t);
    }
}

static tn_dim add(tn_dims *d, tn_dim a, tn_dim b, int64_t scale) {
    if (a == TN_DIM_UNKNOWN || b == TN_DIM_UNKNOWN) {
        return TN_DIM_UNKNOWN;
    }
    tn_dim_sum sum;
    tn_dim_sum_start(&sum);
    add_scaled(d, &sum, a, 1);
    add_scaled(d, &sum, b, scale);
    return tn_dim_sum_intern(d, &sum);
}

tn_dim tn_dim_add(tn_dims *d, tn_dim a, tn_dim b) {
    return add(d, a, b, 1);
}

tn_dim tn_dim_sub(tn_dims *d, tn_dim a, tn_dim b) {
    return add(d, a, b, -1);
}

/* Both lists of atoms, merged. */
static const tn_dim *merge_atoms(tn_dims *d, const tn_dim_term *t, const tn_dim_term *u) {
    tn_dim *atoms = TN_ARRAY(d->arena, tn_dim, t->n + u->n);
    uint32_t i = 0, j = 0;
    for (uint32_t k = 0; k < t->n + u->n; k++) {
        bool left = j == u->n || (i < t->n && tn_dim_order(d, t->atoms[i], u->atoms[j]) <= 0);
        atoms[k] = left ? t->atoms[i++] : u->atoms[j++];
    }
    return atoms;
}

static void add_product(tn_dims *d, tn_dim_sum *sum, const tn_dim_term *t, const tn_dim_term *u) {
    tn_dim_term product = {.n = t->n + u->n};
    if (product.n > TN_DIM_MAX_ATOMS || !tn_mul_i64(t->coef, u->coef, &product.coef)) {
        sum->overflow = true;
        return;
    }
    product.atoms = merge_atoms(d, t, u);
    tn_dim_sum_add(d, sum, product);
}

static bool is_zero(const tn_dims *d, tn_dim a) {
    int64_t c;
    return tn_dim_is_const(d, a, &c) && c == 0;
}

static tn_dim multiply(tn_dims *d, tn_dim a, tn_dim b) {
    tn_dim_sum sum;
    tn_dim_sum_start(&sum);
    tn_dim_term one_a, one_b;
    const tn_dim_term *ta, *tb;
    uint32_t na = tn_dim_terms(d, a, &one_a, &ta), nb = tn_dim_terms(d, b, &one_b, &tb);
    for (uint32_t i = 0; i < na && !sum.overflow; i++) {
        for (uint32_t j = 0; j < nb && !sum.overflow; j++) {
            add_product(d, &sum, &ta[i], &tb[j]);
        }
    }
    return tn_dim_sum_intern(d, &sum);
}

/* The sizes of all values are asked for by every pass, and most are the same few products. */
tn_dim tn_dim_mul(tn_dims *d, tn_dim a, tn_dim b) {
    if (is_zero(d, a) || is_zero(d, b)) {
        return tn_dim_const(d, 0);
    }
    if (a == TN_DIM_UNKNOWN || b == TN_DIM_UNKNOWN) {
        return TN_DIM_UNKNOWN;
    }
    int64_t x, y;
    if (tn_dim_is_const(d, a, &x) && tn_dim_is_const(d, b, &y)) {
        return tn_mul_i64(x, y, &x) ? tn_dim_const(d, x) : TN_DIM_UNKNOWN;
    }
    uint64_t pair = (uint64_t)a << 32 | b, known;
    if (tn_map_get(&d->products, pair, &known)) {
        return (tn_dim)known;
    }
    tn_dim product = multiply(d, a, b);
    tn_map_put(&d->products, pair, product);
    return product;
}
