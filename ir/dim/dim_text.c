/* Text form of dimension expressions: see ir/dim/dim.h for the grammar. Products bind tighter than
 * floordiv and ceildiv, which bind tighter than sums. */
#include <ctype.h>
#include <string.h>

#include "ir/base/xmath.h"
#include "ir/dim/dim_t.h"

static bool word_start(char c) {
    return isalpha((unsigned char)c) || c == '_';
}

static bool word_char(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static bool is_word(const char *s) {
    static const char *const reserved[] = {"floordiv", "ceildiv", "min", "max"};
    if (!word_start(s[0])) {
        return false;
    }
    for (size_t i = 1; s[i] != '\0'; i++) {
        if (!word_char(s[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++) {
        if (strcmp(s, reserved[i]) == 0) {
            return false;
        }
    }
    return true;
}

static void put_number(int64_t x, tn_sink *out) {
    if (x < 0) {
        tn_put_c(out, '-');
    }
    tn_put_u64(out, x < 0 ? 0 - (uint64_t)x : (uint64_t)x);
}

void tn_dim_put_name(tn_sink *out, const char *name) {
    if (is_word(name)) {
        tn_put(out, name);
        return;
    }
    tn_put_escaped(out, name, strlen(name));
}

/* An operand of a division or product: anything but a plain word or number is put in parentheses.
 */
static void put_operand(const tn_dims *d, tn_dim a, tn_sink *out) {
    const tn_dim_node *n = tn_dim_at(d, a);
    bool bare = n->kind == TN_DK_SYM || n->kind == TN_DK_MIN || n->kind == TN_DK_MAX ||
                n->kind == TN_DK_UNKNOWN || (n->kind == TN_DK_CONST && n->value >= 0);
    if (!bare) {
        tn_put_c(out, '(');
    }
    tn_dim_print(d, a, out);
    if (!bare) {
        tn_put_c(out, ')');
    }
}

static void put_term(const tn_dims *d, const tn_dim_term *t, bool first, tn_sink *out) {
    int64_t coef = t->coef;
    uint64_t size = coef < 0 ? 0 - (uint64_t)coef : (uint64_t)coef;
    if (!first) {
        tn_put(out, coef < 0 ? " - " : " + ");
    } else if (coef < 0) {
        tn_put_c(out, '-');
    }
    if (t->n == 0) {
        tn_putf(out, "%llu", (unsigned long long)size);
        return;
    }
    for (uint32_t k = 0; k < t->n; k++) {
        if (k > 0) {
            tn_put_c(out, '*');
        }
        put_operand(d, t->atoms[k], out);
    }
    if (size != 1) {
        tn_putf(out, "*%llu", (unsigned long long)size);
    }
}

void tn_dim_print(const tn_dims *d, tn_dim a, tn_sink *out) {
    const tn_dim_node *n = tn_dim_at(d, a);
    switch (n->kind) {
    case TN_DK_UNKNOWN:
        tn_put_c(out, '?');
        break;
    case TN_DK_CONST:
        put_number(n->value, out);
        break;
    case TN_DK_SYM:
        tn_dim_put_name(out, n->name);
        break;
    case TN_DK_FLOOR:
    case TN_DK_CEIL:
        put_operand(d, n->a, out);
        tn_put(out, n->kind == TN_DK_FLOOR ? " floordiv " : " ceildiv ");
        put_operand(d, n->b, out);
        break;
    case TN_DK_MIN:
    case TN_DK_MAX:
        tn_put(out, n->kind == TN_DK_MIN ? "min(" : "max(");
        tn_dim_print(d, n->a, out);
        tn_put(out, ", ");
        tn_dim_print(d, n->b, out);
        tn_put_c(out, ')');
        break;
    case TN_DK_SUM:
        for (uint32_t i = 0; i < n->n; i++) {
            put_term(d, &n->terms[i], i == 0, out);
        }
        break;
    }
}

/* ---- parser ---- */

enum { MAX_DEPTH = 200 };

typedef struct reader {
    tn_dims *d;
    const char *at;
    uint32_t depth;
} reader;

static bool read_sum(reader *r, tn_dim *out);

static void skip(reader *r) {
    while (*r->at == ' ') {
        r->at++;
    }
}

static bool eat(reader *r, char c) {
    skip(r);
    if (*r->at != c) {
        return false;
    }
    r->at++;
    return true;
}

static bool eat_word(reader *r, const char *word) {
    skip(r);
    size_t n = strlen(word);
    if (strncmp(r->at, word, n) != 0 || word_char(r->at[n])) {
        return false;
    }
    r->at += n;
    return true;
}

static int hex(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_quoted(reader *r, tn_dim *out) {
    tn_sink name = tn_sink_make(r->d->arena);
    while (*r->at != '"') {
        char c = *r->at++;
        if ((unsigned char)c < 0x20) {
            return false;
        }
        if (c == '\\') {
            c = *r->at++;
            int hi = hex(c), lo = hi >= 0 ? hex(*r->at) : -1;
            if (lo >= 0) {
                r->at++;
                c = (char)(hi * 16 + lo);
            }
            if (c == '\0') {
                return false;
            }
        }
        tn_put_c(&name, c);
    }
    r->at++;
    *out = tn_dim_sym(r->d, name.data);
    return true;
}

static bool read_number(reader *r, tn_dim *out) {
    int64_t value = 0;
    while (isdigit((unsigned char)*r->at)) {
        if (!tn_mul_i64(value, 10, &value) || !tn_add_i64(value, *r->at - '0', &value)) {
            return false;
        }
        r->at++;
    }
    *out = tn_dim_const(r->d, value);
    return true;
}

static bool read_word(reader *r, tn_dim *out) {
    const char *start = r->at;
    while (word_char(*r->at)) {
        r->at++;
    }
    tn_ctx *ctx = tn_arena_ctx(r->d->arena);
    *out = tn_dim_sym(r->d, tn_intern_n(ctx, start, (size_t)(r->at - start)));
    return true;
}

/* "(a, b)" behind min or max. */
static bool read_pair(reader *r, tn_dim (*combine)(tn_dims *d, tn_dim a, tn_dim b), tn_dim *out) {
    tn_dim a, b;
    if (!eat(r, '(') || !read_sum(r, &a) || !eat(r, ',') || !read_sum(r, &b) || !eat(r, ')')) {
        return false;
    }
    *out = combine(r->d, a, b);
    return true;
}

static bool read_atom(reader *r, tn_dim *out) {
    if (eat(r, '?')) {
        *out = TN_DIM_UNKNOWN;
        return true;
    }
    if (eat(r, '(')) {
        return read_sum(r, out) && eat(r, ')');
    }
    if (eat(r, '"')) {
        return read_quoted(r, out);
    }
    if (isdigit((unsigned char)*r->at)) {
        return read_number(r, out);
    }
    if (eat_word(r, "min")) {
        return read_pair(r, tn_dim_min, out);
    }
    if (eat_word(r, "max")) {
        return read_pair(r, tn_dim_max, out);
    }
    return word_start(*r->at) && read_word(r, out);
}

static bool read_product(reader *r, tn_dim *out) {
    tn_dim more;
    if (!read_atom(r, out)) {
        return false;
    }
    while (eat(r, '*')) {
        if (!read_atom(r, &more)) {
            return false;
        }
        *out = tn_dim_mul(r->d, *out, more);
    }
    return true;
}

static bool read_division(reader *r, tn_dim *out) {
    tn_dim by;
    if (!read_product(r, out)) {
        return false;
    }
    for (;;) {
        bool floor = eat_word(r, "floordiv");
        if (!floor && !eat_word(r, "ceildiv")) {
            return true;
        }
        if (!read_product(r, &by)) {
            return false;
        }
        *out = floor ? tn_dim_floordiv(r->d, *out, by) : tn_dim_ceildiv(r->d, *out, by);
    }
}

/* What follows a minus. The smallest number has no positive counterpart, and models use it to mean
 * "from the end". */
static bool read_negated(reader *r, tn_dim *out) {
    static const char smallest[] = "9223372036854775808";
    skip(r);
    if (strncmp(r->at, smallest, sizeof smallest - 1) == 0 &&
        !isdigit((unsigned char)r->at[sizeof smallest - 1])) {
        r->at += sizeof smallest - 1;
        *out = tn_dim_const(r->d, INT64_MIN);
        return true;
    }
    if (!read_division(r, out)) {
        return false;
    }
    *out = tn_dim_sub(r->d, tn_dim_const(r->d, 0), *out);
    return true;
}

static bool read_sum(reader *r, tn_dim *out) {
    tn_dim more;
    if (++r->depth > MAX_DEPTH) {
        return false;
    }
    if (eat(r, '-')) {
        if (!read_negated(r, out)) {
            return false;
        }
    } else if (!read_division(r, out)) {
        return false;
    }
    for (;;) {
        bool plus = eat(r, '+');
        if (!plus && !eat(r, '-')) {
            break;
        }
        if (!(plus ? read_division(r, &more) : read_negated(r, &more))) {
            return false;
        }
        *out = tn_dim_add(r->d, *out, more);
    }
    r->depth--;
    return true;
}

bool tn_dim_parse(tn_dims *d, const char **text, tn_dim *out) {
    reader r = {.d = d, .at = *text};
    if (!read_sum(&r, out)) {
        return false;
    }
    *text = r.at;
    return true;
}
