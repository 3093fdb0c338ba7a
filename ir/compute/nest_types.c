/* Types of expressions. */
#include <math.h>

#include "ir/compute/nest_rules.h"

enum { SAME, BOOL, OWN };

static const struct {
    uint32_t out;
    bool floats, whole;
} ops[] = {
#define CALC(id, name, args, out, c, w) {out, (const char *)(c) != NULL, (const char *)(w) != NULL},
#include "ir/compute/calc_ops.def"
#undef CALC
};

tn_dtype tn_calc_type_of(tn_dtype dtype) {
    const tn_dtype_info *info = tn_dtype_get(dtype);
    if (dtype == TN_DT_FLOAT4E2M1 || dtype == TN_DT_FLOAT8E8M0) {
        return TN_DT_UNKNOWN;
    }
    bool is_int = info->kind == 'I' || info->kind == 'U';
    bool half = (info->kind == 'F' && dtype != TN_DT_DOUBLE);
    return half                                               ? TN_DT_FLOAT
           : is_int && info->bits < 32                        ? TN_DT_INT32
           : is_int || info->kind == 'F' || info->kind == 'B' ? dtype
                                                              : TN_DT_UNKNOWN;
}

bool tn_calc_is_float(tn_dtype type) {
    return type == TN_DT_FLOAT || type == TN_DT_DOUBLE;
}

bool tn_calc_is_truth(tn_calc_op op) {
    return ops[op].out == BOOL;
}

/* ---- what an expression says of its type by itself ---- */

/* The first of the arguments that has to be of the type of the others, and the last. */
static uint32_t first_arg(const tn_calc *x) {
    return x->op == TN_CALC_SELECT ? 1 : 0;
}

static tn_dtype own_type(const tn_compute *c, const tn_nest *n, const tn_calc *x) {
    if (x->kind != TN_CALC_OP) {
        return x->kind == TN_CALC_LOAD     ? tn_calc_type_of(c->operands[x->which].dtype)
               : x->kind == TN_CALC_LOCAL  ? n->stage[x->which].type
               : x->kind == TN_CALC_FACTOR ? TN_DT_FLOAT
               : x->kind == TN_CALC_MADE   ? tn_calc_type_of(c->results[n->result].dtype)
                                           : TN_DT_UNKNOWN; /* as what it is used with */
    }
    tn_dtype type = TN_DT_UNKNOWN;
    for (uint32_t i = first_arg(x); type == TN_DT_UNKNOWN && i < tn_calc_args(x->op); i++) {
        type = own_type(c, n, x->arg[i]);
    }
    return ops[x->op].out == BOOL ? TN_DT_BOOL : ops[x->op].out == OWN ? x->type : type;
}

/* ---- what it is ---- */

/* A number of a formula in a type of whole numbers; doubles hold all of these. */
static bool fits(double number, tn_dtype type) {
    const tn_dtype_info *info = tn_dtype_get(type);
    if (tn_calc_is_float(type)) {
        return true;
    }
    double most = info->kind == 'B'
                      ? 1
                      : ldexp(1, info->bits == 64 ? 53 : info->bits - (info->kind == 'I')) - 1;
    double least = info->kind == 'I' ? -most - 1 : 0;
    return number == floor(number) && number >= least && number <= most;
}

static bool find(const tn_compute *c, tn_nest *n, tn_calc *x, tn_dtype type);

static bool has_place(const tn_calc *x) {
    return (x->arg[0] != NULL && x->arg[0]->kind == TN_CALC_PLACE) ||
           (x->arg[1] != NULL && x->arg[1]->kind == TN_CALC_PLACE);
}

static bool find_args(const tn_compute *c, tn_nest *n, tn_calc *x, tn_dtype type) {
    uint32_t first = first_arg(x);
    tn_dtype of = ops[x->op].out == SAME ? type : TN_DT_UNKNOWN;
    for (uint32_t i = first; of == TN_DT_UNKNOWN && i < tn_calc_args(x->op); i++) {
        of = own_type(c, n, x->arg[i]);
    }
    of = of != TN_DT_UNKNOWN ? of : has_place(x) ? TN_DT_INT64 : TN_DT_FLOAT;
    bool known =
        ops[x->op].out == OWN || (tn_calc_is_float(of) ? ops[x->op].floats : ops[x->op].whole);
    bool all = known && (first == 0 || find(c, n, x->arg[0], TN_DT_BOOL));
    for (uint32_t i = first; all && i < tn_calc_args(x->op); i++) {
        all = find(c, n, x->arg[i], of);
    }
    return all;
}

/* Whether `x` is of that type, as all of its parts are of theirs. */
static bool find(const tn_compute *c, tn_nest *n, tn_calc *x, tn_dtype type) {
    tn_dtype own = own_type(c, n, x);
    if (type == TN_DT_UNKNOWN || (own != TN_DT_UNKNOWN && own != type)) {
        return false;
    }
    x->type = type;
    if (x->kind == TN_CALC_NUMBER || x->kind == TN_CALC_PLACE) {
        return x->kind == TN_CALC_PLACE ? type != TN_DT_BOOL : fits(x->number, type);
    }
    if (x->kind == TN_CALC_LOAD && x->arg[0] != NULL) {
        return find(c, n, x->arg[0], TN_DT_INT64);
    }
    return x->kind != TN_CALC_OP || find_args(c, n, x, type);
}

static bool is_move(const tn_compute *c, const tn_nest *n) {
    return n->value->kind == TN_CALC_LOAD && n->value_too == NULL &&
           c->operands[n->value->which].dtype == c->results[n->result].dtype;
}

bool tn_nest_find_types(const tn_compute *c, tn_nest *n) {
    const tn_dtype_info *to = tn_dtype_get(c->results[n->result].dtype);
    n->moves = is_move(c, n);
    for (uint32_t i = 0; i < n->n_stages; i++) {
        tn_nest_stage *s = &n->stage[i];
        s->type = own_type(c, n, s->body);
        s->type = s->type == TN_DT_UNKNOWN ? tn_calc_type_of(c->results[n->result].dtype) : s->type;
        if (!find(c, n, s->body, s->type) || (s->start != NULL && !find(c, n, s->start, s->type))) {
            return false;
        }
    }
    if (n->store_by != NULL && !find(c, n, n->store_by, TN_DT_INT64)) {
        return false;
    }
    if (n->moves) {
        n->value->type = c->results[n->result].dtype;
        return n->value->arg[0] == NULL || find(c, n, n->value->arg[0], TN_DT_INT64);
    }
    bool rounds = to->kind != 'F' || to->bits >= 16; /* nobody rounds to smaller ones here */
    tn_dtype type = tn_calc_type_of(c->results[n->result].dtype);
    return rounds && find(c, n, n->value, type) &&
           (n->value_too == NULL || find(c, n, n->value_too, type));
}
