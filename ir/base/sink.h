/* A text, or any bytes, that grow in an arena or go on to somebody who takes them piece by piece.
 * Printers and emitters write to a sink, and only the command writes files. What `data` holds
 * always ends with a NUL. */
#ifndef TENURE_IR_BASE_SINK_H
#define TENURE_IR_BASE_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/base/arena.h"

/* Takes the text of a sink that is not kept whole. It raises (ir/base/ctx.h) when it cannot. */
typedef struct tn_drain {
    void (*fn)(void *user, const char *data, size_t len);
    void *user;
} tn_drain;

typedef struct tn_sink {
    tn_arena *arena;
    char *data;
    size_t len, cap;
    tn_drain drain;   /* fn NULL: the text is kept */
    uint64_t drained; /* bytes that `drain` has taken */
} tn_sink;

tn_sink tn_sink_make(tn_arena *arena);
/* One that hands its text on piece by piece, so that `data` is only what has not been taken yet.
 * tn_sink_flush hands on the rest. */
tn_sink tn_sink_streamed(tn_arena *arena, tn_drain drain);
void tn_sink_flush(tn_sink *s);
/* Bytes that were put, taken ones included. */
static inline uint64_t tn_sink_total(const tn_sink *s) {
    return s->drained + s->len;
}
void tn_put(tn_sink *s, const char *text);
void tn_put_n(tn_sink *s, const char *text, size_t len);
void tn_put_c(tn_sink *s, char c);
void tn_put_u64(tn_sink *s, uint64_t x);
void tn_putf(tn_sink *s, const char *fmt, ...) TN_PRINTF(2, 3);
/* `len` bytes in double quotes: \" and \\, and \xx (two lower-case hex digits) for control
 * characters and for what is not UTF-8. Everything else stands as it is. */
void tn_put_escaped(tn_sink *s, const char *text, size_t len);
/* `text` without quotes, on one line: \xx for control characters and for what is not UTF-8, as
 * above, and everything else as it is. For sentences, in which names stand as people read them. */
void tn_put_line(tn_sink *s, const char *text);
/* Length of the well-formed UTF-8 sequence that starts at `text`, of which `left` bytes (>= 1) may
 * be read; 0 when there is none. */
size_t tn_utf8_len(const char *text, size_t left);
/* Whether that sequence is a control character: C0, DEL or C1. */
bool tn_utf8_is_control(const char *text, size_t len);
/* A number that is not negative, with two decimals and a point, whatever the program's locale is.
 */
void tn_put_decimal(tn_sink *s, double x);
/* `n` spaces. */
void tn_put_indent(tn_sink *s, size_t n);

#endif
