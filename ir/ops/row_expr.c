/* A recursive descent parser, and a walk over what it makes. */
#include "ir/ops/row_expr.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ir/infer/common.h"
#include "ir/ops/attr_spec.h"
#include "ir/ops/claims.h"
#include "ir/ops/op_attrs.h"
#include "ir/ops/op_rules.h"
#include "ir/ops/sig.h"

enum { MAX_DEPTH = 64 };

typedef enum expr_kind {
    E_INT,
    E_HAS,    /* whether the operand is there */
    E_CONST,  /* whether it is data of the model */
    E_EXTENT, /* along axis i */
    E_RANK,
    E_ELEMENTS,
    E_BYTES,
    E_WIDTH,   /* bytes of an element */
    E_ELEMENT, /* element i, where known */
    E_ATTR,
    E_ATTR_AT, /* item i of a list */
    E_ADD,
    E_SUB,
    E_MUL,
    E_DIV,
    E_MOD,
    E_CEIL,
    E_MIN,
    E_MAX,
    E_UP, /* a rounded up to a multiple of b */
    E_LESS,
    E_EQUAL,
    E_NOT,
    E_AND,
    E_OR,
    E_IF,
} expr_kind;

struct tn_row_expr {
    expr_kind kind;
    bool of_result;
    tn_word port; /* of E_HAS to E_ELEMENT */
    const char *attr;
    int64_t i;
    const tn_row_expr *a, *b, *c;
};

/* ---- reading ---- */

typedef struct parser {
    tn_arena *arena;
    const char *text, *at;
    const tn_row_names *names;
    const char *want; /* not NULL: what is wrong at `at` */
    uint32_t depth;
} parser;

static const tn_row_expr *parse_choice(parser *p);

static const tn_row_expr *wrong(parser *p, const char *at, const char *want) {
    if (p->want == NULL) {
        p->at = at;
        p->want = want;
    }
    return NULL;
}

static const tn_row_expr *make(parser *p, tn_row_expr e) {
    tn_row_expr *out = TN_NEW(p->arena, tn_row_expr);
    *out = e;
    return p->want == NULL ? out : NULL;
}

static const tn_row_expr *pair(parser *p, expr_kind kind, const tn_row_expr *a,
                               const tn_row_expr *b) {
    return make(p, (tn_row_expr){.kind = kind, .a = a, .b = b});
}

static const tn_row_expr *number(parser *p, int64_t i) {
    return make(p, (tn_row_expr){.kind = E_INT, .i = i});
}

static bool accept(parser *p, const char *sign) {
    p->at += strspn(p->at, " ");
    size_t len = strlen(sign);
    bool is = p->want == NULL && strncmp(p->at, sign, len) == 0;
    p->at += is ? len : 0;
    return is;
}

static void expect(parser *p, const char *sign) {
    if (p->want == NULL && !accept(p, sign)) {
        (void)wrong(p, p->at, tn_arena_printf(p->arena, "expected '%s'", sign));
    }
}

static size_t word_len(const char *at) {
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_') {
        n++;
    }
    return n;
}

static int64_t read_int(parser *p) {
    char *end;
    p->at += strspn(p->at, " ");
    if (!isdigit((unsigned char)*p->at) || strspn(p->at, "0123456789") > 18) {
        (void)wrong(p, p->at, "expected a number of at most 18 digits");
        return 0;
    }
    int64_t i = strtoll(p->at, &end, 10);
    p->at = end;
    return i;
}

static int64_t read_index(parser *p) {
    bool minus = accept(p, "-");
    int64_t i = read_int(p);
    expect(p, "]");
    return minus ? -i : i;
}

/* "pads", and "Conv.pads" of fused ops. */
static const tn_row_expr *parse_attr(parser *p) {
    size_t len = word_len(p->at);
    len += p->at[len] == '.' ? 1 + word_len(p->at + len + 1) : 0;
    const char *at = p->names->info->attrs, *start = p->at;
    for (tn_attr_spec s; tn_attr_spec_next(&at, 0, &s);) {
        if (s.len != len || memcmp(s.name, start, len) != 0) {
            continue;
        }
        p->at += len;
        tn_row_expr e = {.kind = E_ATTR, .attr = tn_arena_strndup(p->arena, s.name, s.len)};
        if (s.kind == TN_ATTR_INTS) {
            e.kind = E_ATTR_AT;
            expect(p, "[");
            e.i = read_index(p);
        } else if (s.kind != TN_ATTR_INT) {
            return wrong(p, start,
                         "only attributes that are whole numbers, or lists of them, count");
        }
        return make(p, e);
    }
    return wrong(p, start, "the op has no attribute of this name");
}

static const tn_row_expr *parse_const(parser *p) {
    size_t len = word_len(p->at);
    for (uint32_t i = 0; i < p->names->n_consts; i++) {
        const tn_row_const *c = &p->names->consts[i];
        if (strlen(c->name) == len && memcmp(c->name, p->at, len) == 0) {
            p->at += len;
            return number(p, c->value);
        }
    }
    return wrong(p, p->at, "the target has no constant of this name");
}

static const tn_row_expr *parse_property(parser *p, tn_row_expr e) {
    static const struct {
        const char *word;
        expr_kind kind;
    } plain[] = {{"rank", E_RANK},
                 {"n", E_ELEMENTS},
                 {"bytes", E_BYTES},
                 {"e", E_WIDTH},
                 {"const", E_CONST}};
    const char *start = p->at;
    size_t len = word_len(start);
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        if (strlen(plain[i].word) == len && memcmp(plain[i].word, start, len) == 0) {
            p->at += len;
            e.kind = plain[i].kind;
            return make(p, e);
        }
    }
    if (*start == 'd' && len <= 3) {
        e.kind = E_EXTENT;
        p->at++;
        e.i = len == 1 && accept(p, "[") ? read_index(p) : read_int(p);
        return make(p, e);
    }
    return wrong(p, start, "expected d0, d[-1], rank, n, bytes, e or const");
}

static const tn_row_expr *parse_port(parser *p, size_t len) {
    const tn_op_info *info = p->names->info;
    tn_row_expr e = {.kind = E_HAS, .port = {p->at, len, '\0'}};
    bool many = false;
    bool found = tn_sig_operand(info, 0, &e.port, &many) >= 0;
    for (int64_t v = 1; v < 64 && !found && !e.of_result; v++) {
        found = tn_sig_operand(info, v, &e.port, &many) >= 0;
    }
    e.of_result = !found && tn_sig_result(info, 0, &e.port) >= 0;
    if (!found && !(e.of_result && p->names->results)) {
        return wrong(p, p->at,
                     e.of_result ? "results are not known here"
                                 : "the op has no operand of this name");
    }
    e.port.text = tn_arena_strndup(p->arena, p->at, len);
    p->at += len;
    if (accept(p, ".")) {
        return parse_property(p, e);
    }
    if (accept(p, "[")) {
        e.kind = E_ELEMENT;
        e.i = read_index(p);
    }
    return make(p, e);
}

/* conv(n, k, s, before, after): extents of a result of windows. */
static const tn_row_expr *window(parser *p, const tn_row_expr *const x[5]) {
    const tn_row_expr *padded = pair(p, E_ADD, x[0], pair(p, E_ADD, x[3], x[4]));
    const tn_row_expr *steps = pair(p, E_DIV, pair(p, E_SUB, padded, x[1]), x[2]);
    return pair(p, E_ADD, steps, number(p, 1));
}

static const tn_row_expr *parse_call(parser *p, size_t len) {
    static const struct {
        const char *word;
        expr_kind kind;
        uint32_t n;
    } calls[] = {{"min", E_MIN, 2},
                 {"max", E_MAX, 2},
                 {"ceil", E_CEIL, 2},
                 {"up", E_UP, 2},
                 {"conv", E_IF, 5}};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (strlen(calls[i].word) != len || memcmp(calls[i].word, p->at, len) != 0) {
            continue;
        }
        const tn_row_expr *x[5] = {NULL};
        p->at += len;
        expect(p, "(");
        for (uint32_t k = 0; k < calls[i].n; k++) {
            x[k] = parse_choice(p);
            expect(p, k + 1 < calls[i].n ? "," : ")");
        }
        return calls[i].n == 5 ? window(p, x) : pair(p, calls[i].kind, x[0], x[1]);
    }
    return wrong(p, p->at, "expected min, max, ceil, up or conv before '('");
}

static const tn_row_expr *parse_word(parser *p) {
    size_t len = word_len(p->at);
    const char *behind = p->at + len;
    if (len == 0) {
        return wrong(p, p->at, "expected a number, a name or '('");
    }
    if (*behind == '(') {
        return parse_call(p, len);
    }
    if (strncmp(p->at, "attr.", 5) == 0) {
        p->at += 5;
        return parse_attr(p);
    }
    if (strncmp(p->at, "target.", 7) == 0) {
        p->at += 7;
        return parse_const(p);
    }
    return parse_port(p, len);
}

static const tn_row_expr *parse_primary(parser *p) {
    const tn_row_expr *e;
    p->at += strspn(p->at, " ");
    if (p->depth >= MAX_DEPTH) {
        return wrong(p, p->at, "nested too deeply");
    }
    p->depth++;
    if (accept(p, "(")) {
        e = parse_choice(p);
        expect(p, ")");
    } else if (accept(p, "-")) {
        e = pair(p, E_SUB, number(p, 0), parse_primary(p));
    } else if (accept(p, "!")) {
        e = pair(p, E_NOT, parse_primary(p), NULL);
    } else {
        p->at += strspn(p->at, " ");
        e = isdigit((unsigned char)*p->at) ? number(p, read_int(p)) : parse_word(p);
    }
    p->depth--;
    return e;
}

static const tn_row_expr *parse_product(parser *p) {
    const tn_row_expr *e = parse_primary(p);
    for (;;) {
        if (accept(p, "//")) {
            e = pair(p, E_DIV, e, parse_primary(p));
        } else if (accept(p, "*")) {
            e = pair(p, E_MUL, e, parse_primary(p));
        } else if (accept(p, "%")) {
            e = pair(p, E_MOD, e, parse_primary(p));
        } else {
            return e;
        }
    }
}

static const tn_row_expr *parse_sum(parser *p) {
    const tn_row_expr *e = parse_product(p);
    for (;;) {
        if (accept(p, "+")) {
            e = pair(p, E_ADD, e, parse_product(p));
        } else if (accept(p, "-")) {
            e = pair(p, E_SUB, e, parse_product(p));
        } else {
            return e;
        }
    }
}

static const tn_row_expr *parse_comparison(parser *p) {
    const tn_row_expr *e = parse_sum(p);
    if (accept(p, "==")) {
        return pair(p, E_EQUAL, e, parse_sum(p));
    }
    if (accept(p, "!=")) {
        return pair(p, E_NOT, pair(p, E_EQUAL, e, parse_sum(p)), NULL);
    }
    if (accept(p, "<=")) {
        return pair(p, E_NOT, pair(p, E_LESS, parse_sum(p), e), NULL);
    }
    if (accept(p, ">=")) {
        return pair(p, E_NOT, pair(p, E_LESS, e, parse_sum(p)), NULL);
    }
    if (accept(p, "<")) {
        return pair(p, E_LESS, e, parse_sum(p));
    }
    return accept(p, ">") ? pair(p, E_LESS, parse_sum(p), e) : e;
}

static const tn_row_expr *parse_both(parser *p) {
    const tn_row_expr *e = parse_comparison(p);
    while (accept(p, "&&")) {
        e = pair(p, E_AND, e, parse_comparison(p));
    }
    return e;
}

static const tn_row_expr *parse_choice(parser *p) {
    if (p->depth >= MAX_DEPTH) {
        return wrong(p, p->at, "nested too deeply");
    }
    p->depth++;
    tn_row_expr e = {.kind = E_IF, .a = parse_both(p)};
    while (accept(p, "||")) {
        e.a = pair(p, E_OR, e.a, parse_both(p));
    }
    const tn_row_expr *out = e.a;
    if (accept(p, "?")) {
        e.b = parse_choice(p);
        expect(p, ":");
        e.c = parse_choice(p);
        out = make(p, e);
    }
    p->depth--;
    return out;
}

const tn_row_expr *tn_row_expr_parse(tn_arena *arena, const char *text, const tn_row_names *names,
                                     size_t *at, const char **want) {
    parser p = {.arena = arena, .text = text, .at = text, .names = names};
    const tn_row_expr *e = parse_choice(&p);
    p.at += p.want == NULL ? strspn(p.at, " ") : 0;
    if (p.want == NULL && *p.at != '\0') {
        (void)wrong(&p, p.at, "expected an operator or the end");
    }
    *at = (size_t)(p.at - text);
    *want = p.want;
    return p.want == NULL ? e : NULL;
}

/* ---- evaluating ---- */

static const tn_value *port_of(const tn_row_expr *e, const tn_op *op) {
    bool many;
    int32_t k = e->of_result ? tn_sig_result(op->info, op->version, &e->port)
                             : tn_sig_operand(op->info, op->version, &e->port, &many);
    return k < 0 ? NULL : e->of_result ? tn_result(op, (uint32_t)k) : tn_operand(op, (uint32_t)k);
}

static tn_dim extent_of(const tn_type *t, int64_t axis) {
    if (t->kind != TN_TYPE_TENSOR || !t->has_rank) {
        return TN_DIM_UNKNOWN;
    }
    axis += axis < 0 ? t->rank : 0;
    return axis >= 0 && axis < t->rank ? t->dims[axis] : TN_DIM_UNKNOWN;
}

static tn_dim width_of(tn_dims *d, const tn_type *t) {
    uint32_t bits = tn_dtype_get(t->dtype)->bits;
    return bits > 0 ? tn_dim_const(d, (bits + 7) / 8) : TN_DIM_UNKNOWN;
}

static tn_dim property(const tn_row_expr *e, const tn_op *op) {
    tn_dims *d = op->graph->module->dims;
    const tn_value *v = port_of(e, op);
    if (v == NULL || e->kind == E_HAS) {
        return tn_dim_const(d, v != NULL);
    }
    if (e->kind == E_CONST) {
        return tn_dim_const(d, tn_is_const(v));
    }
    const tn_type *t = v->type;
    if (e->kind == E_EXTENT) {
        return extent_of(t, e->i);
    }
    if (e->kind == E_RANK) {
        return t->has_rank ? tn_dim_const(d, t->rank) : TN_DIM_UNKNOWN;
    }
    if (e->kind == E_ELEMENTS || e->kind == E_BYTES) {
        return e->kind == E_BYTES ? tn_type_bytes(d, t) : tn_type_elements(d, t);
    }
    if (e->kind == E_WIDTH) {
        return width_of(d, t);
    }
    bool known = v->content != NULL && e->i >= 0 && e->i < (int64_t)v->n_content;
    return known ? v->content[e->i] : TN_DIM_UNKNOWN;
}

/* What ops leave out has the value its row, or its window, makes of it. */
static tn_dim attribute(const tn_row_expr *e, const tn_op *op) {
    const tn_module *m = op->graph->module;
    tn_arena *scratch = tn_arena_new(m->ctx);
    uint32_t n;
    const tn_attr *all = tn_op_resolve_attrs(m, op, scratch, &n);
    tn_dim out = TN_DIM_UNKNOWN;
    for (uint32_t k = 0; k < n; k++) {
        const tn_attr *a = &all[k];
        if (strcmp(a->name, e->attr) != 0) {
            continue;
        }
        int64_t i = e->i + (e->i < 0 ? a->n : 0);
        if (a->kind == TN_ATTR_INT && e->kind == E_ATTR) {
            out = tn_dim_const(m->dims, a->u.i);
        } else if (a->kind == TN_ATTR_INTS && e->kind == E_ATTR_AT && i >= 0 && i < a->n) {
            out = tn_dim_const(m->dims, a->u.ints[i]);
        }
    }
    tn_arena_drop(scratch);
    return out;
}

/* Truths are numbers that are known. */
static tn_dim logic(expr_kind kind, tn_dims *d, tn_dim a, tn_dim b) {
    int64_t x = 0, y = 0;
    if (!tn_dim_is_const(d, a, &x) || (kind != E_NOT && !tn_dim_is_const(d, b, &y))) {
        return TN_DIM_UNKNOWN;
    }
    return tn_dim_const(d, kind == E_LESS    ? x < y
                           : kind == E_EQUAL ? x == y
                           : kind == E_AND   ? x != 0 && y != 0
                           : kind == E_OR    ? x != 0 || y != 0
                                             : x == 0);
}

static tn_dim round_up(tn_dims *d, tn_dim a, tn_dim b) {
    return tn_dim_mul(d, tn_dim_ceildiv(d, a, b), b);
}

static tn_dim combine(expr_kind kind, tn_dims *d, tn_dim a, tn_dim b) {
    static tn_dim (*const of[])(tn_dims *, tn_dim, tn_dim) = {
        [E_ADD] = tn_dim_add,      [E_SUB] = tn_dim_sub, [E_MUL] = tn_dim_mul,
        [E_DIV] = tn_dim_floordiv, [E_MOD] = tn_dim_mod, [E_CEIL] = tn_dim_ceildiv,
        [E_MIN] = tn_dim_min,      [E_MAX] = tn_dim_max, [E_UP] = round_up};
    bool divides = kind == E_DIV || kind == E_MOD || kind == E_CEIL || kind == E_UP;
    int64_t by;
    if (divides && tn_dim_is_const(d, b, &by) && by == 0) {
        return TN_DIM_UNKNOWN;
    }
    return kind <= E_UP ? of[kind](d, a, b) : logic(kind, d, a, b);
}

tn_dim tn_row_expr_eval(const tn_row_expr *e, const tn_op *op) {
    tn_dims *d = op->graph->module->dims;
    int64_t truth;
    if (e->kind == E_INT) {
        return tn_dim_const(d, e->i);
    }
    if (e->kind < E_ATTR) {
        return property(e, op);
    }
    if (e->kind < E_ADD) {
        return attribute(e, op);
    }
    tn_dim a = tn_row_expr_eval(e->a, op);
    if (e->kind == E_IF) {
        bool known = tn_dim_is_const(d, a, &truth);
        return known ? tn_row_expr_eval(truth != 0 ? e->b : e->c, op) : TN_DIM_UNKNOWN;
    }
    return combine(e->kind, d, a, e->b != NULL ? tn_row_expr_eval(e->b, op) : TN_DIM_UNKNOWN);
}

/* ---- columns ---- */

static tn_dtype elem_of(tn_infer *in, const struct tn_row_type *t, const tn_value *like) {
    if (t->elem_attr != NULL) {
        return tn_attr_dtype(in, t->elem_attr, TN_DT_UNKNOWN);
    }
    return t->elem != TN_DT_UNKNOWN ? t->elem : like != NULL ? like->type->dtype : TN_DT_UNKNOWN;
}

static void state_type(tn_infer *in, const struct tn_row_type *t) {
    const tn_op *op = in->op;
    tn_word result = {t->result, strlen(t->result), '\0'};
    tn_word word = {t->like, t->like != NULL ? strlen(t->like) : 0, '\0'};
    bool many;
    int32_t r = tn_sig_result(op->info, op->version, &result);
    int32_t k = t->like != NULL ? tn_sig_operand(op->info, op->version, &word, &many) : -1;
    const tn_value *like = k >= 0 ? tn_operand(op, (uint32_t)k) : NULL;
    tn_dtype elem = elem_of(in, t, like);
    if (r < 0 || (t->dims == NULL && like == NULL)) {
        return;
    }
    if (t->dims == NULL) {
        tn_out_like(in, (uint32_t)r, elem, (uint32_t)k);
        return;
    }
    tn_dim *dims = tn_dims_unknown(in, t->rank);
    for (uint32_t i = 0; i < t->rank; i++) {
        int64_t extent;
        dims[i] = tn_row_expr_eval(t->dims[i], op);
        if (tn_dim_is_const(in->dims, dims[i], &extent) && extent < 0) {
            tn_infer_conflict(in, "the kernels' facts make dimension %u of '%s' %lld", i, t->result,
                              (long long)extent);
            return;
        }
    }
    tn_out(in, (uint32_t)r, elem, t->rank, dims);
}

void tn_shape_stated(tn_infer *in) {
    const struct tn_row_types *types = in->op->info->types;
    for (uint32_t i = 0; i < types->n && !in->failed; i++) {
        state_type(in, &types->of[i]);
    }
}

bool tn_row_way(const struct tn_row_memory *memory, uint32_t i, const tn_op *op, int64_t *bytes,
                bool *known) {
    const struct tn_row_bytes *way = &memory->ways[i];
    tn_dims *d = op->graph->module->dims;
    int64_t when = 1;
    *known = way->when == NULL || tn_dim_is_const(d, tn_row_expr_eval(way->when, op), &when);
    if (!*known || when == 0) {
        return false;
    }
    *known = tn_dim_is_const(d, tn_row_expr_eval(way->bytes, op), bytes);
    return *known;
}

bool tn_row_has_way(const struct tn_row_memory *memory, const tn_op *op, const char *name,
                    uint64_t bytes) {
    for (uint32_t i = 0; memory != NULL && i < memory->n; i++) {
        int64_t needed;
        bool known;
        if (tn_row_way(memory, i, op, &needed, &known) && (uint64_t)needed == bytes &&
            strcmp(memory->ways[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}
