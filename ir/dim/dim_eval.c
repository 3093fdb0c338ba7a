/* Walks over finished expressions: their value, the symbols in them, and the same with values for
 * symbols. Depth is bounded by TN_MAX_DIM_NODES. */
#include "ir/base/limits.h"
#include "ir/base/map.h"
#include "ir/base/xmath.h"
#include "ir/dim/dim_t.h"

typedef struct evaluation {
    const tn_dims *d;
    bool (*symbol_value)(void *user, const char *name, int64_t *value);
    void *user;
} evaluation;

static bool eval(const evaluation *e, tn_dim a, int64_t *value);

static bool eval_sum(const evaluation *e, const tn_dim_node *n, int64_t *value) {
    int64_t sum = 0, x;
    for (uint32_t i = 0; i < n->n; i++) {
        const tn_dim_term *t = &n->terms[i];
        int64_t prod = t->coef;
        for (uint32_t k = 0; k < t->n; k++) {
            if (!eval(e, t->atoms[k], &x) || !tn_mul_i64(prod, x, &prod)) {
                return false;
            }
        }
        if (!tn_add_i64(sum, prod, &sum)) {
            return false;
        }
    }
    *value = sum;
    return true;
}

static bool eval(const evaluation *e, tn_dim a, int64_t *value) {
    const tn_dim_node *n = tn_dim_at(e->d, a);
    int64_t x = 0, y = 0;
    if (n->kind == TN_DK_CONST) {
        *value = n->value;
        return true;
    }
    if (n->kind == TN_DK_SYM) {
        return e->symbol_value != NULL && e->symbol_value(e->user, n->name, value);
    }
    if (n->kind == TN_DK_SUM) {
        return eval_sum(e, n, value);
    }
    if (n->kind == TN_DK_UNKNOWN || !eval(e, n->a, &x) || !eval(e, n->b, &y)) {
        return false;
    }
    if (n->kind == TN_DK_MIN || n->kind == TN_DK_MAX) {
        *value = (x < y) == (n->kind == TN_DK_MIN) ? x : y;
        return true;
    }
    if (y == 0 || (x == INT64_MIN && y == -1)) {
        return false;
    }
    *value = n->kind == TN_DK_FLOOR ? tn_floordiv_i64(x, y) : tn_ceildiv_i64(x, y);
    return true;
}

bool tn_dim_eval(const tn_dims *d, tn_dim a,
                 bool (*symbol_value)(void *user, const char *name, int64_t *value), void *user,
                 int64_t *value) {
    evaluation e = {d, symbol_value, user};
    return eval(&e, a, value);
}

/* The nodes met and the symbols among them, ascending. The table of all nodes may be far larger
 * than one expression: nothing here looks at all of it. */
typedef struct search {
    const tn_dims *d;
    tn_map met;
    tn_dim symbols[TN_MAX_DIM_NODES];
    uint32_t n;
} search;

static void visit(search *s, tn_dim a) {
    const tn_dim_node *n = tn_dim_at(s->d, a);
    if (tn_map_or(&s->met, a, 0) != 0) {
        return;
    }
    tn_map_put(&s->met, a, 1);
    if (n->kind == TN_DK_SYM && s->n < TN_MAX_DIM_NODES) {
        uint32_t at = s->n++;
        for (; at > 0 && s->symbols[at - 1] > a; at--) {
            s->symbols[at] = s->symbols[at - 1];
        }
        s->symbols[at] = a;
    }
    if (n->kind >= TN_DK_FLOOR && n->kind <= TN_DK_MAX) {
        visit(s, n->a);
        visit(s, n->b);
    }
    for (uint32_t i = 0; i < n->n; i++) {
        for (uint32_t k = 0; k < n->terms[i].n; k++) {
            visit(s, n->terms[i].atoms[k]);
        }
    }
}

void tn_dim_each_symbol(const tn_dims *d, tn_dim a, void (*fn)(void *user, const char *name),
                        void *user) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(d->arena));
    search s = {.d = d, .met = tn_map_make(scratch)};
    visit(&s, a);
    for (uint32_t i = 0; i < s.n; i++) {
        fn(user, tn_dim_symbol(d, s.symbols[i]));
    }
    tn_arena_drop(scratch);
}

void tn_dims_each_symbol(const tn_dims *d, void (*fn)(void *user, const char *name), void *user) {
    for (tn_dim a = 0; a < d->nodes.len; a++) {
        if (tn_dim_symbol(d, a) != NULL) {
            fn(user, tn_dim_symbol(d, a));
        }
    }
}

static tn_dim substitute_sum(tn_dims *d, const tn_dim_node *n) {
    tn_dim sum = tn_dim_const(d, 0);
    for (uint32_t i = 0; i < n->n; i++) {
        const tn_dim_term *t = &n->terms[i];
        tn_dim product = tn_dim_const(d, t->coef);
        for (uint32_t k = 0; k < t->n; k++) {
            product = tn_dim_mul(d, product, tn_dim_substitute(d, t->atoms[k]));
        }
        sum = tn_dim_add(d, sum, product);
    }
    return sum;
}

tn_dim tn_dim_substitute(tn_dims *d, tn_dim a) {
    const tn_dim_node *n = tn_dim_at(d, a);
    switch (n->kind) {
    case TN_DK_UNKNOWN:
    case TN_DK_CONST:
        return a;
    case TN_DK_SYM:
        return tn_dim_sym(d, n->name);
    case TN_DK_SUM:
        return substitute_sum(d, n);
    case TN_DK_FLOOR:
    case TN_DK_CEIL:
    case TN_DK_MIN:
    case TN_DK_MAX:
        break;
    }
    tn_dim x = tn_dim_substitute(d, n->a), y = tn_dim_substitute(d, n->b);
    return n->kind == TN_DK_FLOOR  ? tn_dim_floordiv(d, x, y)
           : n->kind == TN_DK_CEIL ? tn_dim_ceildiv(d, x, y)
           : n->kind == TN_DK_MIN  ? tn_dim_min(d, x, y)
                                   : tn_dim_max(d, x, y);
}
