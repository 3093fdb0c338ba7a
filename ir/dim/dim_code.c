#include "ir/dim/dim_code.h"

#include "ir/dim/dim_t.h"

tn_dim_code tn_dim_code_make(tn_arena *arena) {
    return (tn_dim_code){.arena = arena,
                         .exprs = tn_map_make(arena),
                         .consts = tn_map_make(arena),
                         .made = tn_map_make(arena)};
}

static uint32_t push(tn_dim_code *c, tn_map *map, uint64_t key, tn_dim_op op) {
    uint64_t at = tn_map_or(map, key, c->ops.len);
    if (at == c->ops.len) {
        tn_map_put(map, key, at);
        tn_vec_push(c->arena, &c->ops, op);
    }
    return (uint32_t)at;
}

static uint32_t number(tn_dim_code *c, int64_t value) {
    tn_dim_op op = {.act = TN_DIM_ACT_CONST, .value = value};
    return push(c, &c->consts, (uint64_t)value, op);
}

/* An expression has far fewer than 2^28 nodes, and so have all of a plan. */
static uint32_t operate(tn_dim_code *c, tn_dim_act act, uint32_t a, uint32_t b) {
    uint64_t key = (uint64_t)act << 56 | (uint64_t)a << 28 | b;
    return push(c, &c->made, key, (tn_dim_op){.act = act, .a = a, .b = b});
}

static uint32_t add_term(tn_dim_code *c, const tn_dims *d, const tn_dim_term *t) {
    if (t->n == 0) {
        return number(c, t->coef);
    }
    uint32_t product = tn_dim_code_add(c, d, t->atoms[0]);
    for (uint32_t i = 1; i < t->n; i++) {
        product = operate(c, TN_DIM_ACT_MUL, product, tn_dim_code_add(c, d, t->atoms[i]));
    }
    return t->coef == 1 ? product : operate(c, TN_DIM_ACT_MUL, product, number(c, t->coef));
}

static uint32_t add_sum(tn_dim_code *c, const tn_dims *d, const tn_dim_node *n) {
    uint32_t sum = add_term(c, d, &n->terms[0]);
    for (uint32_t i = 1; i < n->n; i++) {
        sum = operate(c, TN_DIM_ACT_ADD, sum, add_term(c, d, &n->terms[i]));
    }
    return sum;
}

static uint32_t add_node(tn_dim_code *c, const tn_dims *d, const tn_dim_node *n) {
    static const tn_dim_act acts[] = {
        [TN_DK_FLOOR] = TN_DIM_ACT_FLOOR,
        [TN_DK_CEIL] = TN_DIM_ACT_CEIL,
        [TN_DK_MIN] = TN_DIM_ACT_MIN,
        [TN_DK_MAX] = TN_DIM_ACT_MAX,
    };
    uint32_t a = tn_dim_code_add(c, d, n->a);
    return operate(c, acts[n->kind], a, tn_dim_code_add(c, d, n->b));
}

uint32_t tn_dim_code_add(tn_dim_code *c, const tn_dims *d, tn_dim a) {
    const tn_dim_node *n = tn_dim_at(d, a);
    tn_dim_op symbol = {.act = TN_DIM_ACT_SYMBOL, .name = n->name};
    uint64_t known;
    if (tn_map_get(&c->exprs, a, &known)) {
        return (uint32_t)known;
    }
    uint32_t at = n->kind == TN_DK_CONST ? number(c, n->value)
                  : n->kind == TN_DK_SYM ? push(c, &c->exprs, a, symbol)
                  : n->kind == TN_DK_SUM ? add_sum(c, d, n)
                                         : add_node(c, d, n);
    tn_map_put(&c->exprs, a, at);
    return at;
}
