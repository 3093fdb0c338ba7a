#include "backends/core/emit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ir/base/decimal.h"

enum { MAX_IDENTIFIER = 120, HASH_LEN = 9 }; /* "_" and eight hex digits */

/* Of C up to C23 and C++ up to C++20, with `main`, which is none but may not be used either. */
bool tn_is_keyword(const char *word) {
    static const char keywords[] =
        " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t"
        " char32_t char8_t class co_await co_return co_yield compl concept const const_cast"
        " consteval constexpr constinit continue decltype default delete do double dynamic_cast"
        " else enum explicit export extern false float for friend goto if inline int long main"
        " mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected"
        " public register reinterpret_cast requires restrict return short signed sizeof static"
        " static_assert static_cast struct switch template this thread_local throw true try"
        " typedef typeid typename typeof typeof_unqual union unsigned using virtual void volatile"
        " wchar_t while xor xor_eq ";
    size_t n = strlen(word);
    for (const char *at = keywords; (at = strstr(at, word)) != NULL; at++) {
        if (at[-1] == ' ' && at[n] == ' ') {
            return true;
        }
    }
    return false;
}

static bool is_alnum(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* FNV-1a (Fowler, Noll, Vo) in 32 bits: what a long name is told from others by. */
static uint32_t hash_of(const char *name) {
    uint32_t h = 2166136261u;
    for (; *name != '\0'; name++) {
        h = (h ^ (unsigned char)*name) * 16777619u;
    }
    return h;
}

static void strip(tn_sink *s) {
    while (s->len > 0 && s->data[s->len - 1] == '_') {
        s->data[--s->len] = '\0';
    }
}

static void cut(tn_sink *s, size_t len) {
    if (s->len > len) {
        s->data[s->len = len] = '\0';
        strip(s);
    }
}

/* Runs of other characters become one underscore, none at the end: two in a row are reserved in
 * C++, and what is pasted behind starts with one. */
static tn_sink clean(tn_arena *arena, const char *prefix, const char *name) {
    tn_sink s = tn_sink_make(arena);
    if (!is_alnum(name[0]) || (name[0] >= '0' && name[0] <= '9')) {
        tn_put(&s, prefix);
    }
    for (; *name != '\0'; name++) {
        if (is_alnum(*name)) {
            tn_put_c(&s, *name);
        } else if (s.len > 0 && s.data[s.len - 1] != '_') {
            tn_put_c(&s, '_');
        }
    }
    strip(&s);
    return s;
}

/* What a name alone decides of its identifier. */
static const char *identify(tn_arena *arena, const char *prefix, const char *name, bool fold,
                            size_t limit) {
    tn_sink s = clean(arena, prefix, name);
    if (!fold && tn_is_keyword(s.data)) {
        char *word = s.data;
        s = tn_sink_make(arena);
        tn_putf(&s, "%s_%s", prefix, word);
    }
    if (s.len > limit) {
        cut(&s, limit - HASH_LEN);
        tn_putf(&s, "_%08x", (unsigned)hash_of(name));
    }
    for (char *c = s.data; fold && *c != '\0'; c++) {
        *c = *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c;
    }
    return s.data;
}

/* word_n, with less of the word where that would be too long. */
static const char *numbered(tn_arena *arena, const char *word, uint64_t n, size_t limit) {
    char number[24];
    size_t len = (size_t)snprintf(number, sizeof number, "_%llu", (unsigned long long)n);
    tn_sink s = tn_sink_make(arena);
    tn_put(&s, word);
    cut(&s, limit - len);
    tn_put(&s, number);
    return s.data;
}

/* The first of word, word_2, word_3, ... that nobody has. `used` maps taken words to the last
 * number tried behind them, so that many equal names cost no more than many different ones. */
static const char *make_unique(tn_arena *scratch, tn_map *used, const char *word, size_t limit) {
    tn_ctx *ctx = tn_arena_ctx(scratch);
    const char *base = tn_intern(ctx, word), *id = base;
    uint64_t n = tn_map_or(used, tn_str_id(base), 0);
    while (tn_map_or(used, tn_str_id(id), 0) != 0) {
        id = tn_intern(ctx, numbered(scratch, base, ++n, limit));
    }
    tn_map_put(used, tn_str_id(id), 1);
    if (n != 0) {
        tn_map_put(used, tn_str_id(base), n);
    }
    return id;
}

const char **tn_identifiers_within(tn_arena *arena, const char *prefix, const char *const *names,
                                   uint32_t n, bool fold, size_t limit) {
    const char **ids = TN_ARRAY(arena, const char *, n);
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    tn_map used = tn_map_make(scratch);
    for (uint32_t i = 0; i < n; i++) {
        tn_arena *one = tn_arena_new(tn_arena_ctx(arena));
        ids[i] = make_unique(one, &used, identify(one, prefix, names[i], fold, limit), limit);
        tn_arena_drop(one);
    }
    tn_arena_drop(scratch);
    return ids;
}

const char **tn_identifiers(tn_arena *arena, const char *prefix, const char *const *names,
                            uint32_t n, bool fold) {
    return tn_identifiers_within(arena, prefix, names, n, fold, MAX_IDENTIFIER);
}

/* Characters that turn the direction of text around a reader's back; compilers warn of them. */
static bool is_bidi(const char *s, size_t n) {
    static const char *const marks[] = {"\xd8\x9c",     "\xe2\x80\x8e", "\xe2\x80\x8f",
                                        "\xe2\x80\xaa", "\xe2\x80\xab", "\xe2\x80\xac",
                                        "\xe2\x80\xad", "\xe2\x80\xae", "\xe2\x81\xa6",
                                        "\xe2\x81\xa7", "\xe2\x81\xa8", "\xe2\x81\xa9"};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (strlen(marks[i]) == n && memcmp(s, marks[i], n) == 0) {
            return true;
        }
    }
    return false;
}

/* U+FFFE and U+FFFF, which XML forbids. */
static bool is_noncharacter(const char *s, size_t n) {
    return n == 3 && memcmp(s, "\xef\xbf", 2) == 0 && (s[2] == '\xbe' || s[2] == '\xbf');
}

static bool may_stand(const char *text, size_t n) {
    return n != 0 && !tn_utf8_is_control(text, n) && !is_bidi(text, n) && !is_noncharacter(text, n);
}

/* Gives each character to `put` that may stand in a text; spells the bytes of others. */
static void put_spelled(tn_sink *out, const char *text,
                        void (*put)(tn_sink *out, const char *text, size_t n)) {
    for (size_t left = strlen(text), n; left > 0; left -= n, text += n) {
        n = tn_utf8_len(text, left);
        if (may_stand(text, n)) {
            put(out, text, n);
            continue;
        }
        n = n == 0 ? 1 : n;
        for (size_t i = 0; i < n; i++) {
            tn_putf(out, "\\x%02x", (unsigned)(unsigned char)text[i]);
        }
    }
}

/* A comment must not end early, start another one, or end in a backslash or a trigraph for one. */
static bool breaks_comment(const char *s) {
    return s[0] == '\\' || (s[0] == '*' && s[1] == '/') || (s[0] == '/' && s[1] == '*') ||
           (s[0] == '?' && s[1] == '?');
}

static void put_in_comment(tn_sink *out, const char *text, size_t n) {
    tn_put_n(out, text, n);
    if (breaks_comment(text)) {
        tn_put(out, text[0] == '\\' ? "\\" : " ");
    }
}

void tn_put_comment(tn_sink *out, const char *text) {
    put_spelled(out, text, put_in_comment);
}

/* Octal escapes have a fixed length, so that what follows is never taken for a part of them. */
void tn_put_c_string(tn_sink *out, const char *text) {
    tn_put_c(out, '"');
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\' || *c == '?') {
            tn_put_c(out, '\\');
            tn_put_c(out, *c);
        } else if (*c < 0x20 || *c > 0x7e) {
            tn_putf(out, "\\%03o", (unsigned)(unsigned char)*c);
        } else {
            tn_put_c(out, *c);
        }
    }
    tn_put_c(out, '"');
}

/* C99 wants 4095 bytes of a string to be taken; names are cut well below. */
void tn_put_c_name(tn_sink *out, const char *text) {
    enum { MAX_NAME = 1000 };
    if (strlen(text) <= MAX_NAME) {
        tn_put_c_string(out, text);
        return;
    }
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(out->arena));
    char *cut = tn_arena_strndup(scratch, text, MAX_NAME);
    tn_put_c_string(out, tn_arena_printf(scratch, "%s...", cut));
    tn_arena_drop(scratch);
}

static void put_in_markup(tn_sink *out, const char *text, size_t n) {
    switch (text[0]) {
    case '&':
        tn_put(out, "&amp;");
        break;
    case '<':
        tn_put(out, "&lt;");
        break;
    case '>':
        tn_put(out, "&gt;");
        break;
    case '"':
        tn_put(out, "&quot;");
        break;
    case '\'':
        tn_put(out, "&#39;");
        break;
    default:
        tn_put_n(out, text, n);
    }
}

void tn_put_markup(tn_sink *out, const char *text) {
    put_spelled(out, text, put_in_markup);
}

uint64_t tn_largest_size(const char *bits) {
    return strcmp(bits, "16") == 0 ? UINT16_MAX : strcmp(bits, "32") == 0 ? UINT32_MAX : UINT64_MAX;
}

const char *tn_artefact_prefix(tn_arena *arena, const tn_emission *e, const char *asked,
                               const char *ending) {
    const char *file = e->outlet->name, *dot = strrchr(file, '.');
    size_t len = dot != NULL && dot != file ? (size_t)(dot - file) : strlen(file);
    size_t end = strlen(ending);
    if (len > end && memcmp(file + len - end, ending, end) == 0) {
        len -= end;
    }
    const char *name = asked[0] != '\0' ? asked : tn_arena_strndup(arena, file, len);
    if (name[0] == '\0') {
        name = e->plan->model[0] != '\0' ? e->plan->model : "plan";
    }
    return tn_identifiers(arena, "m", &name, 1, false)[0];
}

static const char *in_case(tn_arena *arena, const char *text, char first, char last, char to) {
    char *copy = tn_arena_strndup(arena, text, strlen(text));
    for (char *c = copy; *c != '\0'; c++) {
        *c = *c >= first && *c <= last ? (char)(*c - first + to) : *c;
    }
    return copy;
}

const char *tn_upper(tn_arena *arena, const char *text) {
    return in_case(arena, text, 'a', 'z', 'A');
}

const char *tn_lower(tn_arena *arena, const char *text) {
    return in_case(arena, text, 'A', 'Z', 'a');
}

/* The smallest integer has no literal in C. */
void tn_put_c_int(tn_sink *out, int64_t x) {
    if (x == INT64_MIN) {
        tn_put(out, "INT64_MIN");
    } else {
        tn_putf(out, "INT64_C(%" PRId64 ")", x);
    }
}

void tn_put_c_float(tn_sink *out, double x, const char *suffix) {
    if (isnan(x)) {
        tn_put(out, "NAN");
    } else if (isinf(x)) {
        tn_put(out, x < 0 ? "-INFINITY" : "INFINITY");
    } else {
        tn_put_double(out, x);
        tn_put(out, suffix);
    }
}
