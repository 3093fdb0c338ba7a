/* Interned dimension expressions.
 *
 * Node kinds: a constant; a polynomial (sorted terms: coefficient and a sorted list of atom ids);
 * an atom. Atoms are symbols and irreducible floordiv, ceildiv, min, max nodes. A polynomial that
 * is a single atom with coefficient 1 is that atom itself, so equal expressions have equal ids. */
#include "ir/dim/dim.h"

#include <string.h>

#include "ir/base/limits.h"
#include "ir/base/xmath.h"
#include "ir/dim/dim_t.h"

typedef enum node_kind {
    N_UNKNOWN,
    N_CONST,
    N_SYM,
    N_FLOOR,
    N_CEIL,
    N_MIN,
    N_MAX,
    N_POLY
} node_kind;

enum { MAX_TERMS = 256, MAX_ATOMS = 16, MAX_CASES = 32 };

typedef struct term {
    int64_t coef;
    uint32_t n;
    const tn_dim *atoms; /* sorted, repeats allowed */
} term;

typedef struct node {
    node_kind kind;
    int64_t value;    /* N_CONST */
    const char *name; /* N_SYM, interned */
    tn_dim a, b;      /* N_FLOOR .. N_MAX */
    uint32_t n;       /* N_POLY */
    const term *terms;
    uint32_t weight; /* nodes when written out as a tree; shared parts count each time */
} node;

struct tn_dims {
    tn_arena *arena;
    TN_VEC(node) nodes;
    tn_map by_hash;       /* content hash -> first id of its chain */
    TN_VEC(tn_dim) chain; /* id -> next id of equal hash, 0 ends */
    tn_map bound;         /* symbol name id -> bound value */
};

tn_dims *tn_dims_new(tn_arena *arena) {
    tn_dims *d = TN_NEW(arena, tn_dims);
    d->arena = arena;
    d->by_hash = tn_map_make(arena);
    d->bound = tn_map_make(arena);
    tn_vec_push(arena, &d->nodes, (node){.kind = N_UNKNOWN});
    tn_vec_push(arena, &d->chain, 0);
    return d;
}

static const node *at(const tn_dims *d, tn_dim id) {
    return &d->nodes.data[id];
}

static uint64_t node_hash(const node *n) {
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

static bool same_atoms(const term *x, const term *y) {
    return x->n == y->n && (x->n == 0 || memcmp(x->atoms, y->atoms, x->n * sizeof(tn_dim)) == 0);
}

static bool node_equal(const node *x, const node *y) {
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

/* Bounded because no part weighs more than the limit and a sum has at most MAX_TERMS * MAX_ATOMS.
 */
static uint32_t weigh(const tn_dims *d, const node *n) {
    uint32_t weight = 1 + at(d, n->a)->weight + at(d, n->b)->weight; /* the unknown weighs 0 */
    for (uint32_t i = 0; i < n->n; i++) {
        for (uint32_t j = 0; j < n->terms[i].n; j++) {
            weight += at(d, n->terms[i].atoms[j])->weight;
        }
    }
    return weight;
}

/* The id of an equal node, or a new one; unknown when too large to write out: sharing lets a chain
 * of n operations stand for a tree of 2^n nodes. Terms must live in the arena already. */
static tn_dim intern(tn_dims *d, const node *n) {
    uint64_t hash = node_hash(n);
    tn_dim first = (tn_dim)tn_map_or(&d->by_hash, hash, 0);
    for (tn_dim id = first; id != 0; id = d->chain.data[id]) {
        if (node_equal(at(d, id), n)) {
            return id;
        }
    }
    node made = *n;
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
    return intern(d, &(node){.kind = N_CONST, .value = value});
}

void tn_dims_bind(tn_dims *d, const char *name, int64_t value) {
    const char *sym = tn_intern(tn_arena_ctx(d->arena), name);
    tn_map_put(&d->bound, tn_str_id(sym), (uint64_t)value);
}

tn_dim tn_dim_sym(tn_dims *d, const char *name) {
    const char *sym = tn_intern(tn_arena_ctx(d->arena), name);
    uint64_t value;
    if (tn_map_get(&d->bound, tn_str_id(sym), &value)) {
        return tn_dim_const(d, (int64_t)value);
    }
    return intern(d, &(node){.kind = N_SYM, .name = sym});
}

bool tn_dim_is_const(const tn_dims *d, tn_dim a, int64_t *value) {
    if (at(d, a)->kind != N_CONST) {
        return false;
    }
    *value = at(d, a)->value;
    return true;
}

/* ---- polynomials ---- */

typedef struct poly {
    term t[MAX_TERMS];
    uint32_t n;
    bool overflow;
} poly;

static int cmp_dims(const tn_dims *d, tn_dim a, tn_dim b);

static int cmp_atoms(const tn_dims *d, const term *x, const term *y) {
    if (x->n != y->n) {
        return x->n > y->n ? -1 : 1; /* higher degree first, the constant last */
    }
    for (uint32_t i = 0; i < x->n; i++) {
        int order = cmp_dims(d, x->atoms[i], y->atoms[i]);
        if (order != 0) {
            return order;
        }
    }
    return 0;
}

/* An order of expressions by what they say, not by when they were made: it decides how sums are
 * sorted, and with that how they are printed. */
static int cmp_dims(const tn_dims *d, tn_dim a, tn_dim b) {
    if (a == b) {
        return 0;
    }
    const node *x = at(d, a), *y = at(d, b);
    if (x->kind != y->kind) {
        return x->kind < y->kind ? -1 : 1;
    }
    if (x->kind == N_CONST) {
        return x->value < y->value ? -1 : 1;
    }
    if (x->kind == N_SYM) {
        return strcmp(x->name, y->name);
    }
    if (x->kind != N_POLY) {
        int order = cmp_dims(d, x->a, y->a);
        return order != 0 ? order : cmp_dims(d, x->b, y->b);
    }
    for (uint32_t i = 0; i < x->n && i < y->n; i++) {
        int order = cmp_atoms(d, &x->terms[i], &y->terms[i]);
        if (order != 0) {
            return order;
        }
        if (x->terms[i].coef != y->terms[i].coef) {
            return x->terms[i].coef < y->terms[i].coef ? -1 : 1;
        }
    }
    return x->n < y->n ? -1 : 1;
}

/* Adds a term at its sorted place; the atoms are referenced, not copied. */
static void poly_add(const tn_dims *d, poly *p, term t) {
    if (t.coef == 0) {
        return;
    }
    uint32_t i = 0;
    int order = 1;
    while (i < p->n && (order = cmp_atoms(d, &p->t[i], &t)) < 0) {
        i++;
    }
    if (i < p->n && order == 0) {
        if (!tn_add_i64(p->t[i].coef, t.coef, &p->t[i].coef)) {
            p->overflow = true;
        } else if (p->t[i].coef == 0) {
            memmove(&p->t[i], &p->t[i + 1], (p->n - i - 1) * sizeof(term));
            p->n--;
        }
        return;
    }
    if (p->n == MAX_TERMS) {
        p->overflow = true;
        return;
    }
    memmove(&p->t[i + 1], &p->t[i], (p->n - i) * sizeof(term));
    p->t[i] = t;
    p->n++;
}

/* The terms of any node; an atom is a polynomial of one term. */
static uint32_t terms_of(tn_dims *d, tn_dim a, term *one, const term **out) {
    const node *n = at(d, a);
    if (n->kind == N_POLY) {
        *out = n->terms;
        return n->n;
    }
    *out = one;
    if (n->kind == N_CONST) {
        *one = (term){.coef = n->value};
        return n->value != 0;
    }
    tn_dim *atom = TN_ARRAY(d->arena, tn_dim, 1);
    *atom = a;
    *one = (term){.coef = 1, .n = 1, .atoms = atom};
    return 1;
}

static tn_dim poly_intern(tn_dims *d, const poly *p) {
    if (p->overflow) {
        return TN_DIM_UNKNOWN;
    }
    if (p->n == 0) {
        return tn_dim_const(d, 0);
    }
    if (p->n == 1 && p->t[0].n == 0) {
        return tn_dim_const(d, p->t[0].coef);
    }
    if (p->n == 1 && p->t[0].n == 1 && p->t[0].coef == 1) {
        return p->t[0].atoms[0];
    }
    term *terms = TN_ARRAY(d->arena, term, p->n);
    memcpy(terms, p->t, p->n * sizeof(term));
    return intern(d, &(node){.kind = N_POLY, .n = p->n, .terms = terms});
}

static tn_dim add_scaled(tn_dims *d, tn_dim a, tn_dim b, int64_t scale) {
    if (a == TN_DIM_UNKNOWN || b == TN_DIM_UNKNOWN) {
        return TN_DIM_UNKNOWN;
    }
    poly p;
    p.n = 0;
    p.overflow = false;
    term one;
    const term *t;
    uint32_t n = terms_of(d, a, &one, &t);
    for (uint32_t i = 0; i < n; i++) {
        poly_add(d, &p, t[i]);
    }
    n = terms_of(d, b, &one, &t);
    for (uint32_t i = 0; i < n; i++) {
        term s = t[i];
        if (!tn_mul_i64(s.coef, scale, &s.coef)) {
            return TN_DIM_UNKNOWN;
        }
        poly_add(d, &p, s);
    }
    return poly_intern(d, &p);
}

tn_dim tn_dim_add(tn_dims *d, tn_dim a, tn_dim b) {
    return add_scaled(d, a, b, 1);
}

tn_dim tn_dim_sub(tn_dims *d, tn_dim a, tn_dim b) {
    return add_scaled(d, a, b, -1);
}

tn_dim tn_dim_mul(tn_dims *d, tn_dim a, tn_dim b) {
    int64_t c;
    if ((tn_dim_is_const(d, a, &c) && c == 0) || (tn_dim_is_const(d, b, &c) && c == 0)) {
        return tn_dim_const(d, 0);
    }
    if (a == TN_DIM_UNKNOWN || b == TN_DIM_UNKNOWN) {
        return TN_DIM_UNKNOWN;
    }
    poly p;
    p.n = 0;
    p.overflow = false;
    term one_a, one_b;
    const term *ta, *tb;
    uint32_t na = terms_of(d, a, &one_a, &ta), nb = terms_of(d, b, &one_b, &tb);
    for (uint32_t i = 0; i < na && !p.overflow; i++) {
        for (uint32_t j = 0; j < nb && !p.overflow; j++) {
            term t = {.n = ta[i].n + tb[j].n};
            if (t.n > MAX_ATOMS || !tn_mul_i64(ta[i].coef, tb[j].coef, &t.coef)) {
                return TN_DIM_UNKNOWN;
            }
            tn_dim *atoms = TN_ARRAY(d->arena, tn_dim, t.n);
            uint32_t x = 0, y = 0;
            for (uint32_t k = 0; k < t.n; k++) {
                bool left = y == tb[j].n ||
                            (x < ta[i].n && cmp_dims(d, ta[i].atoms[x], tb[j].atoms[y]) <= 0);
                atoms[k] = left ? ta[i].atoms[x++] : tb[j].atoms[y++];
            }
            t.atoms = atoms;
            poly_add(d, &p, t);
        }
    }
    return poly_intern(d, &p);
}

/* t / u for one term each: exact division of the coefficient, removal of u's atoms. */
static bool term_div(tn_dims *d, const term *t, const term *u, term *out) {
    if (t->coef % u->coef != 0 || t->n < u->n) {
        return false;
    }
    tn_dim *atoms = TN_ARRAY(d->arena, tn_dim, t->n - u->n);
    uint32_t k = 0, j = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        if (j < u->n && t->atoms[i] == u->atoms[j]) {
            j++;
        } else if (k < t->n - u->n) {
            atoms[k++] = t->atoms[i];
        } else {
            return false;
        }
    }
    if (j != u->n) {
        return false;
    }
    *out = (term){.coef = t->coef / u->coef, .n = k, .atoms = atoms};
    return true;
}

static tn_dim divide(tn_dims *d, tn_dim a, tn_dim b, node_kind kind) {
    int64_t x = 0, y = 0;
    if (a == TN_DIM_UNKNOWN || b == TN_DIM_UNKNOWN) {
        return TN_DIM_UNKNOWN;
    }
    bool b_const = tn_dim_is_const(d, b, &y);
    if (b_const && y == 0) {
        return TN_DIM_UNKNOWN;
    }
    if (b_const && y == 1) {
        return a;
    }
    if (tn_dim_is_const(d, a, &x) && (x == 0 || b_const)) {
        if (x == 0) {
            return a;
        }
        if (x == INT64_MIN && y == -1) {
            return TN_DIM_UNKNOWN;
        }
        return tn_dim_const(d, kind == N_FLOOR ? tn_floordiv_i64(x, y) : tn_ceildiv_i64(x, y));
    }
    if (a == b) {
        return tn_dim_const(d, 1);
    }
    /* Terms that the divisor divides exactly leave the division: (6*n + s) / 2 = 3*n + s / 2. */
    term one_a, one_b;
    const term *ta, *tb;
    uint32_t na = terms_of(d, a, &one_a, &ta), nb = terms_of(d, b, &one_b, &tb);
    tn_dim whole = tn_dim_const(d, 0);
    if (nb == 1) {
        poly exact = {.n = 0}, rest = {.n = 0};
        exact.overflow = rest.overflow = false;
        for (uint32_t i = 0; i < na; i++) {
            term q;
            if (ta[i].coef != INT64_MIN && term_div(d, &ta[i], &tb[0], &q)) {
                poly_add(d, &exact, q);
            } else if (b_const && ta[i].n == 0 && y > 0) {
                /* constants: keep the remainder inside, 0 <= r < y */
                int64_t whole_part = tn_floordiv_i64(ta[i].coef, y);
                poly_add(d, &exact, (term){.coef = whole_part});
                poly_add(d, &rest, (term){.coef = ta[i].coef - whole_part * y});
            } else {
                poly_add(d, &rest, ta[i]);
            }
        }
        whole = poly_intern(d, &exact);
        a = poly_intern(d, &rest);
        if (a == TN_DIM_UNKNOWN || whole == TN_DIM_UNKNOWN) {
            return TN_DIM_UNKNOWN;
        }
        if (tn_dim_is_const(d, a, &x)) {
            if (x == 0) {
                return whole;
            }
            if (b_const) {
                int64_t q = kind == N_FLOOR ? tn_floordiv_i64(x, y) : tn_ceildiv_i64(x, y);
                return tn_dim_add(d, whole, tn_dim_const(d, q));
            }
        }
        /* floor(floor(p / c) / y) = floor(p / (c * y)) for positive constants */
        const node *n = at(d, a);
        int64_t inner, prod;
        if (b_const && y > 0 && n->kind == kind && tn_dim_is_const(d, n->b, &inner) && inner > 0 &&
            tn_mul_i64(inner, y, &prod)) {
            return tn_dim_add(d, whole, divide(d, n->a, tn_dim_const(d, prod), kind));
        }
    }
    tn_dim q = intern(d, &(node){.kind = kind, .a = a, .b = b});
    return tn_dim_add(d, whole, q);
}

tn_dim tn_dim_floordiv(tn_dims *d, tn_dim a, tn_dim b) {
    return divide(d, a, b, N_FLOOR);
}

tn_dim tn_dim_ceildiv(tn_dims *d, tn_dim a, tn_dim b) {
    return divide(d, a, b, N_CEIL);
}

tn_dim tn_dim_mod(tn_dims *d, tn_dim a, tn_dim b) {
    return tn_dim_sub(d, a, tn_dim_mul(d, tn_dim_floordiv(d, a, b), b));
}

/* True when `a` is shown to be >= 0: only non-negative coefficients over non-negative atoms. */
static bool provably_nonneg(tn_dims *d, tn_dim a, uint32_t depth) {
    const node *n = at(d, a);
    if (depth > 16) {
        return false;
    }
    switch (n->kind) {
    case N_UNKNOWN:
        return false;
    case N_CONST:
        return n->value >= 0;
    case N_SYM:
        return true;
    case N_FLOOR:
    case N_CEIL:
    case N_MIN:
        return provably_nonneg(d, n->a, depth + 1) && provably_nonneg(d, n->b, depth + 1);
    case N_MAX:
        return provably_nonneg(d, n->a, depth + 1) || provably_nonneg(d, n->b, depth + 1);
    case N_POLY:
        break;
    }
    for (uint32_t i = 0; i < n->n; i++) {
        if (n->terms[i].coef < 0) {
            return false;
        }
        for (uint32_t k = 0; k < n->terms[i].n; k++) {
            if (!provably_nonneg(d, n->terms[i].atoms[k], depth + 1)) {
                return false;
            }
        }
    }
    return true;
}

/* The normal form shows it, or the cases of min and max on either side do: a maximum is at least
 * what one of its sides is, and so on. `steps` bounds the search over cases. */
static bool shows_ge(tn_dims *d, tn_dim a, tn_dim b, uint32_t *steps) {
    tn_dim diff = tn_dim_sub(d, a, b);
    if (diff != TN_DIM_UNKNOWN && provably_nonneg(d, diff, 0)) {
        return true;
    }
    if (*steps == 0) {
        return false;
    }
    --*steps;
    node na = *at(d, a), nb = *at(d, b); /* copies: the table grows while comparing */
    if (nb.kind == N_MAX) {
        return shows_ge(d, a, nb.a, steps) && shows_ge(d, a, nb.b, steps);
    }
    if (na.kind == N_MIN) {
        return shows_ge(d, na.a, b, steps) && shows_ge(d, na.b, b, steps);
    }
    if (na.kind == N_MAX && (shows_ge(d, na.a, b, steps) || shows_ge(d, na.b, b, steps))) {
        return true;
    }
    return nb.kind == N_MIN && (shows_ge(d, a, nb.a, steps) || shows_ge(d, a, nb.b, steps));
}

bool tn_dim_provably_ge(tn_dims *d, tn_dim a, tn_dim b) {
    uint32_t steps = MAX_CASES;
    return a != TN_DIM_UNKNOWN && b != TN_DIM_UNKNOWN && shows_ge(d, a, b, &steps);
}

static tn_dim extreme(tn_dims *d, tn_dim a, tn_dim b, node_kind kind) {
    if (a == TN_DIM_UNKNOWN || b == TN_DIM_UNKNOWN) {
        return TN_DIM_UNKNOWN;
    }
    if (tn_dim_provably_ge(d, a, b)) {
        return kind == N_MAX ? a : b;
    }
    if (tn_dim_provably_ge(d, b, a)) {
        return kind == N_MAX ? b : a;
    }
    if (cmp_dims(d, a, b) > 0) {
        tn_dim t = a;
        a = b;
        b = t;
    }
    return intern(d, &(node){.kind = kind, .a = a, .b = b});
}

tn_dim tn_dim_min(tn_dims *d, tn_dim a, tn_dim b) {
    return extreme(d, a, b, N_MIN);
}

tn_dim tn_dim_max(tn_dims *d, tn_dim a, tn_dim b) {
    return extreme(d, a, b, N_MAX);
}

/* ---- for ir/dim/dim_text.c and ir/dim/dim_eval.c ---- */

tn_dim_view tn_dim_view_node(const tn_dims *d, tn_dim a) {
    const node *n = at(d, a);
    static const tn_dim_view_kind kinds[] = {TN_DV_UNKNOWN, TN_DV_CONST, TN_DV_SYM, TN_DV_FLOOR,
                                             TN_DV_CEIL,    TN_DV_MIN,   TN_DV_MAX, TN_DV_SUM};
    tn_dim_view v = {.kind = kinds[n->kind],
                     .value = n->value,
                     .name = n->name,
                     .a = n->a,
                     .b = n->b,
                     .n_terms = n->n};
    return v;
}

int64_t tn_dim_view_term(const tn_dims *d, tn_dim a, uint32_t i, uint32_t *n,
                         const tn_dim **atoms) {
    const term *t = &at(d, a)->terms[i];
    *n = t->n;
    *atoms = t->atoms;
    return t->coef;
}

tn_arena *tn_dims_arena(const tn_dims *d) {
    return d->arena;
}
