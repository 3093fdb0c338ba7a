/* Formulas of element-wise ops, and rules that come down to them. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ir/compute/formula.h"
#include "ir/compute/nest_rules.h"
#include "ir/ops/attr_spec.h"
#include "ir/ops/sig.h"

/* ---- parsing ---- */

enum { MOST_NESTED = 64, MOST_EXPANDED = 256 }; /* of brackets; of nodes behind a function */

typedef struct reader {
    const tn_compute *c;
    const tn_nest *n;
    const char *at;
    uint32_t depth;
    tn_formula_error error; /* the first one */
    /* of another op: its row, its operand, numbers for its attributes */
    const tn_op_info *other;
    const tn_calc *x;
    const double *parameters;
} reader;

static bool next_is(reader *r, char mark) {
    r->at += strspn(r->at, " ");
    bool is = *r->at == mark;
    r->at += is;
    return is;
}

static tn_calc *bad(reader *r, const char *at, const char *what) {
    if (r->error.what == NULL) {
        r->error = (tn_formula_error){at, what};
    }
    return tn_calc_number(r->c->arena, 0);
}

static void expect(reader *r, char mark, const char *what) {
    if (!next_is(r, mark)) {
        (void)bad(r, r->at, what);
    }
}

static tn_calc *read_formula(reader *r);
static tn_calc *read_factor(reader *r);

static uint32_t size_of(const tn_calc *x) {
    uint32_t n = 1;
    for (uint32_t i = 0; i < 3; i++) {
        n += x->arg[i] != NULL ? size_of(x->arg[i]) : 0;
    }
    return n;
}

/* An op of the standard of one operand, with the defaults of its attributes. What it makes of its
 * operand names that more than once, so that a few of them in each other would be without end. */
static tn_calc *read_op(reader *r, const tn_word *name) {
    static const double defaults[TN_COMPUTE_PARAMETERS] = {NAN, NAN};
    tn_arena *arena = r->c->arena;
    const char *op = tn_arena_strndup(arena, name->text, name->len);
    if (tn_compute_formula_of(r->c, op, tn_calc_number(arena, 0), defaults) == NULL) {
        return bad(r, name->text, tn_formula_no_function(arena, op));
    }
    tn_calc *y = tn_compute_formula_of(r->c, op, read_formula(r), defaults);
    expect(r, ')', "expected an operator or ')'");
    return size_of(y) <= MOST_EXPANDED ? y : bad(r, name->text, "the formula becomes too large");
}

static tn_calc *read_function(reader *r, const tn_word *name) {
    for (uint32_t op = 0; op < TN_CALC_OPS; op++) {
        if (!tn_formula_has((tn_calc_op)op) || !tn_word_is(name, tn_calc_name((tn_calc_op)op))) {
            continue;
        }
        tn_calc *arg[3] = {NULL, NULL, NULL};
        uint32_t n = tn_calc_args((tn_calc_op)op);
        for (uint32_t i = 0; i < n; i++) {
            if (i > 0) {
                expect(r, ',',
                       n == 2 ? "expected ',': the function takes 2 arguments"
                              : "expected ',': the function takes 3 arguments");
            }
            arg[i] = read_formula(r);
        }
        expect(r, ')', "expected an operator, or ')' behind the last argument");
        return tn_calc_make(r->c->arena, (tn_calc_op)op, arg[0], arg[1], arg[2]);
    }
    return read_op(r, name);
}

/* Up to operator set 6 an operand of lower rank has its axes from `axis` on where that is stated,
 * else the last ones; a slope of one axis, which no attribute speaks of, has that of channels. */
static bool broadcast_of(const tn_compute *c, const tn_nest *n, const tn_compute_value *v,
                         tn_affine *at) {
    bool old = c->version != 0 && c->version < 7 && (c->info->traits & TN_T_BROADCAST) != 0 &&
               tn_op_find(c->info->domain, c->info->name) != TN_OP_EXTERN;
    const tn_attr *asked = tn_compute_attr(c, "broadcast");
    uint32_t rank = n->n_outer;
    int64_t axis = tn_compute_int(c, "axis", asked == NULL ? 1 : (int64_t)rank - v->rank);
    if (!old || v->rank == rank || (v->rank == 1 && v->dims[0] == 1)) {
        return tn_compute_broadcast(v, n, rank, at);
    }
    return axis >= 0 && axis + v->rank <= rank &&
           tn_compute_broadcast(v, n, (uint32_t)axis + v->rank, at);
}

/* The number of another op's attribute: the parameter in its place, or else its default. */
static tn_calc *read_parameter(reader *r, const tn_word *name) {
    uint32_t i = 0;
    tn_attr_spec spec;
    for (const char *at = r->other->attrs; at != NULL && tn_attr_spec_next(&at, 0, &spec);) {
        bool is = spec.len == name->len && memcmp(spec.name, name->text, spec.len) == 0;
        if (is && i < TN_COMPUTE_PARAMETERS && !isnan(r->parameters[i])) {
            return tn_calc_number(r->c->arena, r->parameters[i]);
        }
        if (is && spec.text != NULL) {
            return tn_calc_number(r->c->arena, strtod(spec.text, NULL));
        }
        i += spec.kind == TN_ATTR_FLOAT;
    }
    return bad(r, name->text, "no attribute of the op with a default");
}

static tn_calc *read_other(reader *r, const tn_word *name) {
    bool many;
    int32_t k = tn_sig_operand(r->other, 0, name, &many);
    return k == 0  ? tn_calc_copy(r->c->arena, r->x)
           : k < 0 ? read_parameter(r, name)
                   : bad(r, name->text, "an operand behind the first one");
}

/* An operand, or an attribute that is a number. */
static tn_calc *read_name(reader *r, const tn_word *name) {
    if (r->other != NULL) {
        return read_other(r, name);
    }
    bool many;
    int32_t k = tn_sig_operand(r->c->info, r->c->version, name, &many);
    if (k >= 0) {
        const tn_compute_value *v = tn_compute_operand(r->c, (uint32_t)k);
        tn_affine at;
        bool there = v != NULL && broadcast_of(r->c, r->n, v, &at);
        return there ? tn_calc_load(r->c->arena, (uint32_t)k, &at)
                     : bad(r, name->text,
                           "the operand is not always there: it may be left out, stands for any "
                           "number, or is read for its shape alone");
    }
    const char *text = tn_arena_strndup(r->c->arena, name->text, name->len);
    const tn_attr *a = tn_compute_attr(r->c, text);
    if (a == NULL) {
        return bad(r, name->text, tn_formula_no_name(r->c->arena, r->c->info, text));
    }
    if ((a->kind != TN_ATTR_FLOAT || isnan(a->u.f)) && a->kind != TN_ATTR_INT) {
        return bad(r, name->text,
                   "the attribute is not always a number: names are those of type int or float "
                   "that are required or have a default");
    }
    return tn_calc_number(r->c->arena, a->kind == TN_ATTR_FLOAT ? a->u.f : (double)a->u.i);
}

static tn_calc *read_number(reader *r) {
    const char *from = r->at;
    char *end;
    double x = strtod(from, &end);
    r->at = end;
    return isfinite(x) ? tn_calc_number(r->c->arena, x) : bad(r, from, "the number is too large");
}

static tn_calc *read_any(reader *r) {
    if (next_is(r, '-')) {
        return tn_calc_make(r->c->arena, TN_CALC_NEG, read_factor(r), NULL, NULL);
    }
    if (next_is(r, '(')) {
        tn_calc *inner = read_formula(r);
        expect(r, ')', "expected an operator or ')'");
        return inner;
    }
    if (isdigit((unsigned char)*r->at)) {
        return read_number(r);
    }
    tn_word name = {.text = r->at};
    while (isalnum((unsigned char)r->at[0]) || r->at[0] == '_' || (name.len > 0 && *r->at == '.')) {
        r->at++;
        name.len++;
    }
    if (name.len == 0) {
        return bad(r, r->at, "expected a number, a name, '-' or '('");
    }
    return next_is(r, '(') ? read_function(r, &name) : read_name(r, &name);
}

/* Formulas of kernels' facts may be anything. */
static tn_calc *read_factor(reader *r) {
    if (r->depth >= MOST_NESTED) {
        r->at += strlen(r->at);
        return bad(r, r->at, "nested too deeply");
    }
    r->depth++;
    tn_calc *x = read_any(r);
    r->depth--;
    return x;
}

static tn_calc *read_term(reader *r) {
    tn_calc *x = read_factor(r);
    for (;;) {
        if (next_is(r, '*')) {
            x = tn_calc_make(r->c->arena, TN_CALC_MUL, x, read_factor(r), NULL);
        } else if (next_is(r, '/')) {
            x = tn_calc_make(r->c->arena, TN_CALC_DIV, x, read_factor(r), NULL);
        } else {
            return x;
        }
    }
}

static tn_calc *read_formula(reader *r) {
    tn_calc *x = read_term(r);
    for (;;) {
        if (next_is(r, '+')) {
            x = tn_calc_make(r->c->arena, TN_CALC_ADD, x, read_term(r), NULL);
        } else if (next_is(r, '-')) {
            x = tn_calc_make(r->c->arena, TN_CALC_SUB, x, read_term(r), NULL);
        } else {
            return x;
        }
    }
}

tn_calc *tn_formula_read(const tn_compute *c, const tn_nest *n, const char *text,
                         tn_formula_error *error) {
    reader r = {.c = c, .n = n, .at = text};
    tn_calc *x = read_formula(&r);
    expect(&r, '\0', "expected an operator or the end");
    *error = r.error;
    return r.error.what == NULL ? x : NULL;
}

tn_calc *tn_compute_formula(const tn_compute *c, const tn_nest *n, const char *text) {
    tn_formula_error error;
    return tn_formula_read(c, n, text, &error);
}

/* Whether the op keeps its operand between two others. */
static bool is_clamp(const tn_op_info *info) {
    const tn_word low = {"min", 3, 0}, high = {"max", 3, 0};
    bool many;
    return tn_sig_operand(info, 0, &low, &many) == 1 && tn_sig_operand(info, 0, &high, &many) == 2;
}

tn_calc *tn_compute_formula_of(const tn_compute *c, const char *op, tn_calc *x,
                               const double *parameters) {
    tn_opcode code = tn_op_find("", op);
    const tn_op_info *info = code != TN_OP_EXTERN ? tn_op_info_get(code) : NULL;
    if (info == NULL) {
        return NULL;
    }
    if (is_clamp(info) && !isnan(parameters[0]) && !isnan(parameters[1])) {
        tn_calc *low = tn_calc_number(c->arena, parameters[0]);
        tn_calc *high = tn_calc_number(c->arena, parameters[1]);
        x = tn_calc_make(c->arena, TN_CALC_MAX, x, low, NULL);
        return tn_calc_make(c->arena, TN_CALC_MIN, x, high, NULL);
    }
    reader r = {.c = c, .at = info->formula, .other = info, .x = x, .parameters = parameters};
    tn_calc *y = info->formula != NULL ? read_formula(&r) : NULL;
    return r.error.what != NULL ? NULL : y;
}

/* ---- rules ---- */

bool tn_compute_of(tn_compute *c, const char *text) {
    tn_nest *n = tn_compute_over(c, 0);
    if (n == NULL) {
        return false;
    }
    n->value = tn_compute_formula(c, n, text);
    return n->value != NULL;
}

bool tn_compute_by_formula(tn_compute *c) {
    return c->info->formula != NULL && tn_compute_of(c, c->info->formula);
}

/* Any number of operands, from the first to the last; `mean`: divided by their number. */
static bool of_many(tn_compute *c, tn_calc_op op, bool mean) {
    tn_nest *n = tn_compute_over(c, 0);
    tn_calc *x = NULL;
    for (uint32_t i = 0; n != NULL && i < c->n_operands; i++) {
        tn_affine at;
        if (!tn_compute_broadcast(&c->operands[i], n, n->n_outer, &at)) {
            return false;
        }
        tn_calc *y = tn_calc_load(c->arena, i, &at);
        x = x == NULL ? y : tn_calc_make(c->arena, op, x, y, NULL);
    }
    if (x == NULL) {
        return false;
    }
    tn_calc *count = tn_calc_number(c->arena, (double)c->n_operands);
    n->value = mean ? tn_calc_make(c->arena, TN_CALC_DIV, x, count, NULL) : x;
    return true;
}

bool tn_compute_max(tn_compute *c) {
    return of_many(c, TN_CALC_MAX, false);
}

bool tn_compute_min(tn_compute *c) {
    return of_many(c, TN_CALC_MIN, false);
}

bool tn_compute_sum(tn_compute *c) {
    return of_many(c, TN_CALC_ADD, false);
}

bool tn_compute_mean(tn_compute *c) {
    return of_many(c, TN_CALC_ADD, true);
}

/* Bounds are attributes, or operands that may be left out. */
bool tn_compute_clip(tn_compute *c) {
    bool low = tn_compute_attr(c, "min") != NULL || tn_compute_operand(c, 1) != NULL;
    bool high = tn_compute_attr(c, "max") != NULL || tn_compute_operand(c, 2) != NULL;
    return tn_compute_of(c, low && high
                                ? "select(greater(select(less(input, min), min, input), max), max, "
                                  "select(less(input, min), min, input))"
                            : low  ? "select(less(input, min), min, input)"
                            : high ? "select(greater(input, max), max, input)"
                                   : "input");
}

bool tn_compute_gelu(tn_compute *c) {
    return tn_compute_of(
        c, strcmp(tn_compute_text(c, "approximate"), "tanh") == 0
               ? "0.5 * X * (1 + tanh(0.7978845608028654 * (X + 0.044715 * X * X * X)))"
               : "0.5 * X * (1 + erf(X * 0.7071067811865476))");
}

bool tn_compute_mod(tn_compute *c) {
    return tn_compute_of(c, tn_compute_int(c, "fmod", 0) != 0 ? "fmod(A, B)" : "mod(A, B)");
}

bool tn_compute_bit_shift(tn_compute *c) {
    bool left = strcmp(tn_compute_text(c, "direction"), "LEFT") == 0;
    return tn_compute_of(c, left ? "shift_left(X, Y)" : "shift_right(X, Y)");
}

/* Floats that become numbers below a byte saturate, by a rule of their own. */
bool tn_compute_cast(tn_compute *c) {
    const tn_dtype_info *to = tn_dtype_get(c->results[0].dtype);
    bool same = c->operands[0].dtype == c->results[0].dtype;
    bool small = to->bits < 8 && tn_calc_is_float(tn_calc_type_of(c->operands[0].dtype));
    return !small && tn_compute_of(c, same ? "input" : "convert(input)");
}
