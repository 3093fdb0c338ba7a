#include "ir/base/sink.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

tn_sink tn_sink_make(tn_arena *arena) {
    tn_sink s = {.arena = arena, .cap = 256};
    s.data = TN_ARRAY(arena, char, s.cap);
    return s;
}

/* How much of a text waits before it is handed on. */
enum { PIECE = 1 << 16 };

tn_sink tn_sink_streamed(tn_arena *arena, tn_drain drain) {
    tn_sink s = tn_sink_make(arena);
    s.drain = drain;
    return s;
}

void tn_sink_flush(tn_sink *s) {
    if (s->drain.fn != NULL && s->len > 0) {
        s->drain.fn(s->drain.user, s->data, s->len);
        s->drained += s->len;
        s->len = 0;
        s->data[0] = '\0';
    }
}

static void reserve(tn_sink *s, size_t more) {
    if (s->len >= PIECE) {
        tn_sink_flush(s);
    }
    if (s->cap - s->len > more) {
        return;
    }
    if (more > SIZE_MAX / 4 || s->len > SIZE_MAX / 4) {
        tn_raise(tn_arena_ctx(s->arena), TN_NOMEM);
    }
    size_t cap = s->cap * 2;
    while (cap - s->len <= more) {
        cap *= 2;
    }
    s->data = tn_arena_regrow(s->arena, s->data, s->len, cap, 1);
    s->cap = cap;
}

void tn_put_n(tn_sink *s, const char *text, size_t len) {
    if (s->drain.fn != NULL && len >= PIECE) {
        tn_sink_flush(s);
        s->drain.fn(s->drain.user, text, len);
        s->drained += len;
        return;
    }
    reserve(s, len);
    memcpy(s->data + s->len, text, len);
    s->len += len;
    s->data[s->len] = '\0';
}

void tn_put(tn_sink *s, const char *text) {
    tn_put_n(s, text, strlen(text));
}

void tn_put_c(tn_sink *s, char c) {
    tn_put_n(s, &c, 1);
}

void tn_put_u64(tn_sink *s, uint64_t x) {
    char digits[20];
    size_t n = sizeof digits;
    do {
        digits[--n] = (char)('0' + x % 10);
        x /= 10;
    } while (x > 0);
    tn_put_n(s, digits + n, sizeof digits - n);
}

void tn_putf(tn_sink *s, const char *fmt, ...) {
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int n = vsnprintf(s->data + s->len, s->cap - s->len, fmt, args);
    va_end(args);
    if (n < 0) {
        va_end(again);
        tn_bug(tn_arena_ctx(s->arena), "bad format '%s'", fmt);
    }
    if ((size_t)n >= s->cap - s->len) {
        s->data[s->len] = '\0';
        reserve(s, (size_t)n);
        vsnprintf(s->data + s->len, s->cap - s->len, fmt, again);
    }
    va_end(again);
    s->len += (size_t)n;
}

/* The ranges of Unicode's table 3-7, which leave out overlong forms and surrogates. */
size_t tn_utf8_len(const char *text, size_t left) {
    static const struct {
        unsigned char first, last, low, high, len;
    } rows[] = {
        {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    const unsigned char *s = (const unsigned char *)text;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (s[0] < rows[i].first || s[0] > rows[i].last) {
            continue;
        }
        bool good = rows[i].len <= left &&
                    (rows[i].len == 1 || (s[1] >= rows[i].low && s[1] <= rows[i].high));
        for (size_t k = 2; good && k < rows[i].len; k++) {
            good = s[k] >= 0x80 && s[k] <= 0xbf;
        }
        return good ? rows[i].len : 0;
    }
    return 0;
}

bool tn_utf8_is_control(const char *text, size_t len) {
    const unsigned char *s = (const unsigned char *)text;
    return s[0] < 0x20 || s[0] == 0x7f || (len == 2 && s[0] == 0xc2 && s[1] < 0xa0);
}

/* Those of `also` get a backslash. */
static void put_visible(tn_sink *s, const char *text, size_t len, const char *also) {
    for (size_t i = 0, n; i < len; i += n) {
        n = tn_utf8_len(text + i, len - i);
        if (n == 0 || tn_utf8_is_control(text + i, n)) {
            n = n == 0 ? 1 : n;
            for (size_t k = 0; k < n; k++) {
                tn_putf(s, "\\%02x", (unsigned)(unsigned char)text[i + k]);
            }
            continue;
        }
        if (strchr(also, text[i]) != NULL) {
            tn_put_c(s, '\\');
        }
        tn_put_n(s, text + i, n);
    }
}

void tn_put_escaped(tn_sink *s, const char *text, size_t len) {
    tn_put_c(s, '"');
    put_visible(s, text, len, "\"\\");
    tn_put_c(s, '"');
}

void tn_put_line(tn_sink *s, const char *text) {
    tn_put(s, ""); /* a text also where there is nothing in it */
    put_visible(s, text, strlen(text), "");
}

void tn_put_decimal(tn_sink *s, double x) {
    uint64_t hundredths = x < 1e16 ? (uint64_t)(x * 100 + 0.5) : UINT64_C(1000000000000000000);
    tn_putf(s, "%llu.%02llu", (unsigned long long)(hundredths / 100),
            (unsigned long long)(hundredths % 100));
}

void tn_put_indent(tn_sink *s, size_t n) {
    while (n-- > 0) {
        tn_put_c(s, ' ');
    }
}
