/* Expressions of rows, read by recursive descent. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ir/ops/attr_spec.h"
#include "ir/ops/row_expr_t.h"

enum { MAX_DEPTH = 64 };

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

static const tn_row_expr *pair(parser *p, tn_expr_kind kind, const tn_row_expr *a,
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
        tn_expr_kind kind;
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
        tn_expr_kind kind;
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
