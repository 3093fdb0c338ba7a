#include "ir/base/sink.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

tn_sink tn_sink_make(tn_arena *arena) {
    tn_sink s = {.arena = arena, .cap = 256};
    s.data = TN_ARRAY(arena, char, s.cap);
    return s;
}

static void reserve(tn_sink *s, size_t more) {
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

void tn_put_indent(tn_sink *s, size_t n) {
    while (n-- > 0) {
        tn_put_c(s, ' ');
    }
}
