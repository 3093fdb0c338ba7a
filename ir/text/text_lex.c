#include "ir/text/text_lex.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "ir/base/decimal.h"
#include "ir/base/limits.h"
#include "ir/base/xmath.h"
#include "ir/text/text_t.h"

tn_lex tn_lex_make(tn_ctx *ctx, const char *file, const char *text, size_t size) {
    tn_lex l = {
        .ctx = ctx, .file = file, .at = text, .end = text + size, .line_start = text, .line = 1};
    return l;
}

static void skip(tn_lex *l) {
    for (;; l->at++) {
        if (*l->at == '\n') {
            l->line++;
            l->line_start = l->at + 1;
        } else if (l->at[0] == '/' && l->at[1] == '/') {
            while (*l->at != '\n' && l->at != l->end) {
                l->at++;
            }
            l->at--; /* the next round sees the end of the line */
        } else if (*l->at != ' ' && *l->at != '\t' && *l->at != '\r') {
            return;
        }
    }
}

tn_loc tn_lex_loc(tn_lex *l) {
    skip(l);
    tn_loc loc = tn_loc_file(l->file);
    loc.line = l->line;
    loc.col = (uint32_t)(l->at - l->line_start) + 1;
    return loc;
}

void tn_lex_fail(tn_lex *l, const char *fmt, ...) {
    tn_arena *scratch = tn_arena_new(l->ctx);
    tn_loc loc = tn_lex_loc(l);
    va_list args;
    va_start(args, fmt);
    const char *text = tn_arena_vprintf(scratch, fmt, args);
    va_end(args);
    tn_fail(l->ctx, &loc, "%s", text);
}

bool tn_lex_at_end(tn_lex *l) {
    skip(l);
    return l->at == l->end;
}

char tn_lex_peek(tn_lex *l) {
    skip(l);
    return *l->at;
}

bool tn_lex_accept(tn_lex *l, const char *punct) {
    skip(l);
    size_t n = strlen(punct);
    if (strncmp(l->at, punct, n) != 0) {
        return false;
    }
    l->at += n;
    return true;
}

/* What stands at the next token, for a message that ends the parse. */
static const char *seen(tn_lex *l) {
    if (tn_lex_at_end(l)) {
        return "the end of the file";
    }
    tn_sink s = tn_sink_make(tn_arena_new(l->ctx));
    size_t n = 1;
    while (n < 32 && (tn_word_char(l->at[n - 1]) || (l->at[n] & 0xc0) == 0x80) &&
           (tn_word_char(l->at[n]) || (l->at[n] & 0xc0) == 0x80)) {
        n++;
    }
    tn_put_escaped(&s, l->at, n);
    return s.data;
}

void tn_lex_expect(tn_lex *l, const char *punct) {
    if (!tn_lex_accept(l, punct)) {
        tn_lex_fail(l, "expected '%s', found %s", punct, seen(l));
    }
}

const char *tn_lex_peek_word(tn_lex *l, size_t *n) {
    skip(l);
    *n = 0;
    if (tn_word_start(*l->at)) {
        while (tn_word_char(l->at[*n])) {
            (*n)++;
        }
    }
    return l->at;
}

bool tn_lex_accept_word(tn_lex *l, const char *word) {
    size_t n;
    const char *found = tn_lex_peek_word(l, &n);
    if (n != strlen(word) || memcmp(found, word, n) != 0) {
        return false;
    }
    l->at += n;
    return true;
}

void tn_lex_expect_word(tn_lex *l, const char *word) {
    if (!tn_lex_accept_word(l, word)) {
        tn_lex_fail(l, "expected '%s', found %s", word, seen(l));
    }
}

static int hex_digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* After a backslash: the escaped character; moves past it. */
static char unescape(tn_lex *l) {
    char c = *l->at;
    if (c == '"' || c == '\\') {
        l->at++;
        return c;
    }
    int high = hex_digit(c), low = high >= 0 ? hex_digit(l->at[1]) : -1;
    if (low < 0) {
        tn_lex_fail(l, "bad escape: expected \\\", \\\\ or two lower-case hex digits");
    }
    l->at += 2;
    return (char)(high * 16 + low);
}

tn_string tn_lex_string(tn_lex *l, tn_arena *arena) {
    tn_lex_expect(l, "\"");
    const char *close = l->at;
    while (*close != '"' && (unsigned char)*close >= 0x20) {
        close += close[0] == '\\' && (unsigned char)close[1] >= 0x20 ? 2 : 1;
    }
    if (*close != '"') {
        tn_lex_fail(l, "text in quotes does not end on its line");
    }
    if (close - l->at > INT32_MAX) {
        tn_lex_fail(l, "text of more than %d bytes", INT32_MAX);
    }
    char *out = tn_arena_alloc(arena, (size_t)(close - l->at) + 1);
    uint32_t n = 0;
    while (l->at < close) {
        char c = *l->at++;
        out[n++] = c == '\\' ? unescape(l) : c;
    }
    l->at = close + 1;
    return (tn_string){.data = out, .len = n};
}

/* Most names hold no escape and can be interned from where they stand. */
static const char *intern_plain(tn_lex *l) {
    size_t n = 1;
    if (tn_lex_peek(l) != '"') {
        return NULL;
    }
    while (l->at[n] != '"') {
        if ((unsigned char)l->at[n] < 0x20 || l->at[n] == '\\' || n > TN_MAX_NAME) {
            return NULL;
        }
        n++;
    }
    const char *name = tn_intern_n(l->ctx, l->at + 1, n - 1);
    l->at += n + 1;
    return name;
}

const char *tn_lex_interned(tn_lex *l) {
    const char *plain = intern_plain(l);
    if (plain != NULL) {
        return plain;
    }
    tn_arena *scratch = tn_arena_new(l->ctx);
    tn_lex before = *l;
    tn_string s = tn_lex_string(l, scratch);
    if (s.len > TN_MAX_NAME || memchr(s.data, '\0', s.len) != NULL) {
        *l = before;
        tn_lex_fail(l,
                    s.len > TN_MAX_NAME ? "a name of %u bytes; the limit is %u"
                                        : "a name of %u bytes holds a NUL byte (limit %u)",
                    s.len, TN_MAX_NAME);
    }
    plain = tn_intern_n(l->ctx, s.data, s.len);
    tn_arena_drop(scratch);
    return plain;
}

const char *tn_lex_word(tn_lex *l) {
    size_t n;
    const char *word = tn_lex_peek_word(l, &n);
    if (n == 0) {
        if (tn_lex_peek(l) != '"') {
            tn_lex_fail(l, "expected a word or text in quotes, found %s", seen(l));
        }
        return tn_lex_interned(l);
    }
    if (n > TN_MAX_NAME) {
        tn_lex_fail(l, "a word of %zu bytes; the limit is %u", n, TN_MAX_NAME);
    }
    l->at += n;
    return tn_intern_n(l->ctx, word, n);
}

const char *tn_lex_name(tn_lex *l) {
    size_t n = 0;
    if (*l->at == '"') {
        const char *name = tn_lex_interned(l);
        if (name[0] == '\0') {
            tn_lex_fail(l, "a value needs a name");
        }
        return name;
    }
    while (tn_name_char(l->at[n])) {
        n++;
    }
    if (n == 0 || n > TN_MAX_NAME) {
        tn_lex_fail(l, "expected the name of a value of 1 to %u bytes, found %s", TN_MAX_NAME,
                    seen(l));
    }
    const char *name = tn_intern_n(l->ctx, l->at, n);
    l->at += n;
    return name;
}

/* ---- numbers ---- */

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static double from_bits(tn_lex *l) {
    uint64_t bits = 0;
    double x;
    for (int i = 0; i < 16; i++, l->at++) {
        int digit = hex_digit(*l->at);
        if (digit < 0) {
            tn_lex_fail(l, "expected nan(0x, 16 hex digits, )");
        }
        bits = bits << 4 | (uint64_t)digit;
    }
    memcpy(&x, &bits, sizeof x);
    if (x == x) {
        tn_lex_fail(l, "the bits are not those of a NaN");
    }
    tn_lex_expect(l, ")");
    return x;
}

static bool read_special(tn_lex *l, double *x) {
    if (tn_lex_accept_word(l, "inf")) {
        *x = INFINITY;
    } else if (tn_lex_accept(l, "-inf")) {
        *x = -INFINITY;
    } else if (tn_lex_accept(l, "nan(0x")) {
        *x = from_bits(l);
    } else {
        return false;
    }
    return true;
}

/* Length of the number at the cursor, 0 when there is none. */
static size_t scan_number(const char *s, bool *is_float) {
    size_t n = s[0] == '-' || s[0] == '+' ? 1 : 0;
    size_t digits = n;
    while (is_digit(s[n])) {
        n++;
    }
    if (n == digits) {
        return 0;
    }
    *is_float = false;
    if (s[n] == '.') {
        *is_float = true;
        for (n++; is_digit(s[n]); n++) {
        }
    }
    if (s[n] == 'e' || s[n] == 'E') {
        size_t e = n + (s[n + 1] == '-' || s[n + 1] == '+' ? 2 : 1);
        if (is_digit(s[e])) {
            *is_float = true;
            for (n = e; is_digit(s[n]); n++) {
            }
        }
    }
    return n;
}

static double to_double(tn_lex *l, size_t n) {
    double x;
    if (!tn_decimal(l->at, n, &x)) {
        tn_lex_fail(l, "a number of more than %d characters", TN_MAX_DECIMAL);
    }
    return x;
}

static int64_t to_int(tn_lex *l, size_t n) {
    int64_t value = 0;
    bool negative = l->at[0] == '-', fits = true;
    for (size_t i = is_digit(l->at[0]) ? 0 : 1; i < n && fits; i++) {
        int digit = l->at[i] - '0';
        fits =
            tn_mul_i64(value, 10, &value) && tn_add_i64(value, negative ? -digit : digit, &value);
    }
    if (!fits) {
        tn_lex_fail(l, "the number %.*s does not fit 64 bits", n > 40 ? 40 : (int)n, l->at);
    }
    return value;
}

tn_lex_number tn_lex_any_number(tn_lex *l) {
    tn_lex_number x = {0};
    if (tn_lex_peek(l) == 'n' || *l->at == 'i' || (*l->at == '-' && l->at[1] == 'i')) {
        x.is_float = read_special(l, &x.f);
        if (x.is_float) {
            return x;
        }
    }
    size_t n = scan_number(l->at, &x.is_float);
    if (n == 0) {
        tn_lex_fail(l, "expected a number, found %s", seen(l));
    }
    if (x.is_float) {
        x.f = to_double(l, n);
    } else {
        x.i = to_int(l, n);
        x.f = (double)x.i;
    }
    l->at += n;
    return x;
}

int64_t tn_lex_int(tn_lex *l) {
    tn_lex before = *l;
    tn_lex_number x = tn_lex_any_number(l);
    if (x.is_float) {
        *l = before;
        tn_lex_fail(l, "expected an integer");
    }
    return x.i;
}

uint64_t tn_lex_uint(tn_lex *l) {
    uint64_t value = 0;
    if (!is_digit(tn_lex_peek(l))) {
        tn_lex_fail(l, "expected a number, found %s", seen(l));
    }
    for (; is_digit(*l->at); l->at++) {
        if (!tn_mul_u64(value, 10, &value) ||
            !tn_add_u64(value, (uint64_t)(*l->at - '0'), &value)) {
            tn_lex_fail(l, "the number does not fit 64 bits");
        }
    }
    return value;
}

uint32_t tn_lex_u32(tn_lex *l) {
    tn_lex before = *l;
    uint64_t value = tn_lex_uint(l);
    if (value > INT32_MAX) {
        *l = before;
        tn_lex_fail(l, "the number is above %d", INT32_MAX);
    }
    return (uint32_t)value;
}

double tn_lex_double(tn_lex *l) {
    return tn_lex_any_number(l).f;
}
