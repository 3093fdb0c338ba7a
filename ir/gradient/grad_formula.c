/* Formulas become ops: one descent over the text, which emits as it reads. */
#include <stdlib.h>
#include <string.h>

#include "ir/gradient/gradient.h"
#include "ir/ops/attr_spec.h"
#include "ir/ops/claims.h"
#include "ir/ops/op_attrs.h"

enum { MAX_DEPTH = 32, MAX_ARGS = 64 };

/* A number, a value, or an operand that is left out (neither). */
typedef struct term {
    bool is_number;
    double number;
    tn_value *value;
} term;

typedef struct reader {
    tn_grad *g;
    const char *at, *end;
    tn_value *const *given;
    uint32_t n_given;
    tn_dtype dtype; /* of constants */
    uint32_t depth;
} reader;

TN_NORETURN static void malformed(const reader *r, const char *what) {
    tn_fail(r->g->e->ctx, &r->g->e->loc, "the gradient in the row of %s: %s at '%.*s'",
            r->g->op->type, what, (int)(r->end - r->at), r->at);
}

static bool next_is(const reader *r, const char *mark) {
    const char *at = r->at;
    tn_grad_token t = tn_grad_next_token(&at, r->end);
    return tn_grad_is(&t, mark);
}

static bool accept(reader *r, const char *mark) {
    bool is = next_is(r, mark);
    if (is) {
        (void)tn_grad_next_token(&r->at, r->end);
    }
    return is;
}

static void expect(reader *r, const char *mark) {
    if (!accept(r, mark)) {
        malformed(r, "a bracket is missing");
    }
}

/* ---- arithmetic ---- */

static tn_value *as_value(const reader *r, const term *t) {
    return t->is_number ? tn_emit_scalar(r->g->e, r->dtype, t->number) : t->value;
}

static double compute(char op, double a, double b) {
    return op == '+' ? a + b : op == '-' ? a - b : op == '*' ? a * b : a / b;
}

static bool is_number(const term *t, double x) {
    return t->is_number && t->number == x;
}

static term combine(const reader *r, char op, term a, term b) {
    static const char *const types[] = {['+'] = "Add", ['-'] = "Sub", ['*'] = "Mul", ['/'] = "Div"};
    if (a.is_number && b.is_number) {
        return (term){true, compute(op, a.number, b.number), NULL};
    }
    if (((op == '*' || op == '/') && is_number(&b, 1)) ||
        ((op == '+' || op == '-') && is_number(&b, 0))) {
        return a;
    }
    if ((op == '*' && is_number(&a, 1)) || (op == '+' && is_number(&a, 0))) {
        return b;
    }
    tn_value *left = as_value(r, &a), *right = as_value(r, &b);
    return (term){.value = tn_emit_2(r->g->e, types[(int)op], left, right)};
}

static term negated(const reader *r, term a) {
    if (a.is_number) {
        a.number = -a.number;
    } else {
        a.value = tn_emit_1(r->g->e, "Neg", a.value);
    }
    return a;
}

/* ---- names ---- */

static bool spells(const tn_grad_token *t, const char *name) {
    return strncmp(t->text, name, t->len) == 0 && name[t->len] == '\0';
}

static bool find_attr(const reader *r, const tn_grad_token *t, term *out) {
    uint32_t n;
    tn_op *op = r->g->op;
    const tn_attr *attrs = tn_op_resolve_attrs(r->g->e->m, op, r->g->e->scratch, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (spells(t, attrs[i].name)) {
            double x = attrs[i].kind == TN_ATTR_FLOAT ? attrs[i].u.f : (double)attrs[i].u.i;
            *out = (term){true, x, NULL};
            return attrs[i].kind == TN_ATTR_FLOAT || attrs[i].kind == TN_ATTR_INT;
        }
    }
    return false;
}

static term read_name(const reader *r, const tn_grad_token *t) {
    tn_grad *g = r->g;
    tn_word w = {t->text, t->len, '\0'};
    bool many;
    int32_t k = tn_sig_operand(g->op->info, g->op->version, &w, &many);
    int32_t o = tn_sig_result(g->op->info, g->op->version, &w);
    term out = {0};
    if (spells(t, "self")) {
        out.value = g->x;
    } else if (k >= 0) {
        out.value = tn_operand(g->op, (uint32_t)k);
    } else if (o >= 0) {
        out.value = tn_result(g->op, (uint32_t)o);
    } else if (spells(t, "d")) {
        out.value = g->d;
    } else if (spells(t, "ds")) { /* says that the rule takes g->ds */
        return out;
    } else if (!find_attr(r, t, &out)) {
        malformed(r, "an unknown name");
    }
    return out;
}

/* ---- calls ---- */

static term read_sum(reader *r);

static tn_attr_kind kind_of(const reader *r, const char *type, const char *attr) {
    const tn_op_info *info = tn_op_info_get(tn_op_find("", type));
    const char *at = info->attrs;
    int64_t version = tn_module_opset(r->g->e->m, "");
    for (tn_attr_spec s; tn_attr_spec_next(&at, version, &s);) {
        if (strncmp(s.name, attr, s.len) == 0 && attr[s.len] == '\0') {
            return s.kind;
        }
    }
    return TN_ATTR_INT;
}

static tn_attr read_attr(reader *r, const char *type, const char *name) {
    const tn_attr *own;
    tn_grad_token t = tn_grad_next_token(&r->at, r->end);
    if (t.kind == TN_GRAD_NAME) {
        own = tn_op_attr(r->g->op, tn_arena_strndup(r->g->e->scratch, t.text, t.len));
        term value = {0};
        if (own == NULL && find_attr(r, &t, &value)) {
            return kind_of(r, type, name) == TN_ATTR_FLOAT
                       ? tn_attr_of_float(name, value.number)
                       : tn_attr_of_int(name, (int64_t)value.number);
        }
        if (own == NULL) {
            malformed(r, "an attribute that the op does not have");
        }
        tn_attr a = *own;
        a.name = name;
        a.as_read = false;
        return a;
    }
    bool minus = tn_grad_is(&t, "-");
    t = minus ? tn_grad_next_token(&r->at, r->end) : t;
    double x = strtod(t.text, NULL) * (minus ? -1 : 1);
    return kind_of(r, type, name) == TN_ATTR_FLOAT ? tn_attr_of_float(name, x)
                                                   : tn_attr_of_int(name, (int64_t)x);
}

/* "name=", which is in front of an attribute; NULL and nothing read where it does not stand. */
static const char *accept_attr_name(reader *r) {
    const char *at = r->at;
    tn_grad_token t = tn_grad_next_token(&at, r->end), equals = tn_grad_next_token(&at, r->end);
    if (t.kind != TN_GRAD_NAME || !tn_grad_is(&equals, "=")) {
        return NULL;
    }
    r->at = at;
    return tn_arena_strndup(r->g->e->scratch, t.text, t.len);
}

typedef struct call {
    tn_value *values[MAX_ARGS];
    tn_attr attrs[8];
    uint32_t n, n_attrs;
} call;

/* All of an operand name that stands for several. */
static bool read_many(reader *r, call *c) {
    const char *at = r->at;
    tn_grad_token t = tn_grad_next_token(&at, r->end), behind = tn_grad_next_token(&at, r->end);
    tn_word w = {t.text, t.len, '\0'};
    bool many = false, alone = tn_grad_is(&behind, ",") || tn_grad_is(&behind, ")");
    const tn_op *op = r->g->op;
    int32_t k =
        t.kind == TN_GRAD_NAME && alone ? tn_sig_operand(op->info, op->version, &w, &many) : -1;
    if (!many) {
        return false;
    }
    (void)tn_grad_next_token(&r->at, r->end);
    for (uint32_t i = (uint32_t)k; i < op->n_operands && c->n < MAX_ARGS; i++) {
        c->values[c->n++] = op->operands[i].value;
    }
    return true;
}

static void read_args(reader *r, const char *type, call *c) {
    while (!accept(r, ")")) {
        const char *name = type != NULL ? accept_attr_name(r) : NULL;
        if (c->n == MAX_ARGS || c->n_attrs == sizeof c->attrs / sizeof c->attrs[0]) {
            malformed(r, "too many arguments");
        }
        if (name != NULL) {
            c->attrs[c->n_attrs++] = read_attr(r, type, name);
        } else if (!read_many(r, c)) {
            term t = read_sum(r);
            c->values[c->n++] = as_value(r, &t);
        }
        if (!accept(r, ",") && !next_is(r, ")")) {
            malformed(r, "a bracket is missing");
        }
    }
}

static term read_op(reader *r, const tn_grad_token *t) {
    const char *type = tn_arena_strndup(r->g->e->scratch, t->text, t->len);
    call c = {0};
    expect(r, "(");
    read_args(r, type, &c);
    tn_value *older = tn_emit_older(r->g->e, type, c.values);
    return (term){
        .value = older != NULL ? older : tn_emit(r->g->e, type, c.values, c.n, c.attrs, c.n_attrs)};
}

static term read_rule(reader *r, const tn_grad_token *t) {
    tn_grad_rule rule = tn_grad_rule_find(t->text, t->len);
    call c = {0};
    if (rule == NULL) {
        malformed(r, "no such rule");
    }
    expect(r, "(");
    read_args(r, NULL, &c);
    return (term){.value = rule(r->g, c.values, c.n)};
}

/* ---- the grammar ---- */

static term read_factor(reader *r) {
    if (accept(r, "-")) {
        return negated(r, read_factor(r));
    }
    if (accept(r, "(")) {
        term t = read_sum(r);
        expect(r, ")");
        return t;
    }
    tn_grad_token t = tn_grad_next_token(&r->at, r->end);
    uint32_t given;
    switch ((int)t.kind) {
    case TN_GRAD_NUMBER:
        return (term){true, strtod(t.text, NULL), NULL};
    case TN_GRAD_NAME:
        return next_is(r, "(") ? read_op(r, &t) : read_name(r, &t);
    case TN_GRAD_RULE:
        return read_rule(r, &t);
    case TN_GRAD_ARG:
        given = (uint32_t)strtoul(t.text, NULL, 10);
        if (given < r->n_given) {
            return (term){.value = r->given[given]};
        }
        break;
    default:
        break;
    }
    malformed(r, "something else than a value");
}

static term read_product(reader *r) {
    term a = read_factor(r);
    while (next_is(r, "*") || next_is(r, "/")) {
        tn_grad_token op = tn_grad_next_token(&r->at, r->end);
        term b = read_factor(r);
        a = combine(r, *op.text, a, b);
    }
    return a;
}

static term read_sum(reader *r) {
    if (++r->depth > MAX_DEPTH) {
        malformed(r, "nested too deeply");
    }
    term a = read_product(r);
    while (next_is(r, "+") || next_is(r, "-")) {
        tn_grad_token op = tn_grad_next_token(&r->at, r->end);
        term b = read_product(r);
        a = combine(r, *op.text, a, b);
    }
    r->depth--;
    return a;
}

static tn_value *evaluate(reader *r) {
    term t = read_sum(r);
    if (tn_grad_next_token(&r->at, r->end).kind != TN_GRAD_END) {
        malformed(r, "more than a formula");
    }
    return as_value(r, &t);
}

/* Constants are of the type that flows back: that of the results. */
static tn_dtype dtype_of(const tn_grad *g) {
    for (uint32_t r = 0; r < g->op->n_results; r++) {
        if (g->ds[r] != NULL) {
            return g->ds[r]->type->dtype;
        }
    }
    return g->x->type->dtype;
}

tn_value *tn_grad_eval(tn_grad *g, const char *formula, ...) {
    tn_value *given[10] = {0};
    uint32_t n = 0;
    for (const char *p = formula; *p != '\0'; p++) {
        uint32_t k = *p == '$' ? (uint32_t)(p[1] - '0') + 1u : 0;
        n = k > n ? k : n;
    }
    va_list args;
    va_start(args, formula);
    for (uint32_t i = 0; i < n && i < 10; i++) {
        given[i] = va_arg(args, tn_value *);
    }
    va_end(args);
    reader r = {g, formula, formula + strlen(formula), given, n, dtype_of(g), 0};
    return evaluate(&r);
}

/* ---- holding a rule to what its row says ---- */

/* Constants are shared, so that one may be an operand of what was made before. */
static bool is_made(const tn_emitter *e, const tn_value *v) {
    for (uint32_t i = 0; i < e->consts.len; i++) {
        if (e->consts.data[i] == v) {
            return true;
        }
    }
    return false;
}

/* The values of the forward op that the formula does not name may only be asked for their shape. */
static void check_reads(const tn_grad *g, uint32_t from) {
    uint32_t operands = 0, results = 0;
    tn_grad_needs(g->op->info, g->op->version, g->row, &operands, &results);
    const tn_module *m = g->e->m;
    for (uint32_t i = from; i < m->n_ops; i++) {
        const tn_op *made = m->ops[i];
        for (uint32_t k = 0; k < made->n_operands; k++) {
            const tn_value *v = made->operands[k].value;
            bool named = v == NULL || v == g->d || !tn_reads_data(made, k), own = false;
            for (uint32_t j = 0; j < g->op->n_operands && !named; j++) {
                bool same = g->op->operands[j].value == v;
                own |= same;
                named = same && (j >= 32 || (operands >> j & 1) != 0);
            }
            for (uint32_t j = 0; j < g->op->n_results && !named; j++) {
                bool same = g->op->results[j] == v;
                own |= same;
                named = (same && (results >> j & 1) != 0) || g->ds[j] == v;
            }
            if (own && !named && !is_made(g->e, v)) {
                tn_bug(m->ctx, "the gradient of %s reads '%s', which its row does not say",
                       g->op->type, v->name);
            }
        }
    }
}

tn_value *tn_grad_make(tn_grad *g) {
    uint32_t from = g->e->m->n_ops;
    reader r = {.g = g, .at = g->row->formula, .end = g->row->end, .dtype = dtype_of(g)};
    tn_value *made = evaluate(&r);
    made = made != NULL ? tn_emit_sum_to(g->e, made, g->x)
                        : tn_emit_full_like(g->e, g->x, g->x->type->dtype, 0);
    check_reads(g, from);
    return made;
}
