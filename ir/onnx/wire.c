#include "ir/onnx/wire.h"

#include <stdarg.h>
#include <stdio.h>

enum { MAX_VARINT = 10, MAX_NUMBER = (1 << 29) - 1 };

void tn_wire_fail(const tn_wire_src *src, const uint8_t *at, const char *fmt, ...) {
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    tn_loc loc = tn_loc_file(src->file);
    tn_fail(src->ctx, &loc, "not a valid ONNX model: byte %zu: %s", (size_t)(at - src->all.data),
            text);
}

tn_wire tn_wire_open(const tn_wire_src *src, tn_bytes message) {
    static const uint8_t nothing[1]; /* nothing may be added to NULL, not even 0 */
    const uint8_t *data = message.data != NULL ? message.data : nothing;
    return (tn_wire){src, data, data + message.size};
}

static uint64_t long_varint(tn_wire *w) {
    const uint8_t *start = w->at;
    uint64_t v = 0;
    for (unsigned i = 0; i < MAX_VARINT; i++) {
        if (w->at == w->end) {
            tn_wire_fail(w->src, start, "the message ends inside a number");
        }
        uint8_t b = *w->at++;
        if (i == MAX_VARINT - 1 && b > 1) {
            break;
        }
        v |= (uint64_t)(b & 0x7f) << (7 * i);
        if ((b & 0x80) == 0) {
            return v;
        }
    }
    tn_wire_fail(w->src, start, "a number exceeds 64 bits");
}

/* Most numbers are one byte. */
static inline uint64_t varint(tn_wire *w) {
    return w->at != w->end && *w->at < 0x80 ? *w->at++ : long_varint(w);
}

/* Moves over `size` bytes of the field that starts at `tag`. */
static const uint8_t *take(tn_wire *w, const tn_wire_field *f, uint64_t size) {
    size_t left = (size_t)(w->end - w->at);
    if (size > left) {
        tn_wire_fail(w->src, f->tag, "field %u claims %llu bytes, but %zu are left in its message",
                     (unsigned)f->number, (unsigned long long)size, left);
    }
    const uint8_t *p = w->at;
    w->at += size;
    return p;
}

static uint64_t little_endian(const uint8_t *p, unsigned n) {
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++) {
        v |= (uint64_t)p[i] << (8 * i);
    }
    return v;
}

bool tn_wire_next(tn_wire *w, tn_wire_field *f) {
    if (w->at == w->end) {
        return false;
    }
    *f = (tn_wire_field){.tag = w->at};
    uint64_t key = varint(w);
    if (key >> 3 == 0 || key >> 3 > MAX_NUMBER) {
        tn_wire_fail(w->src, f->tag, "%llu is not a field number (1 to %d)",
                     (unsigned long long)(key >> 3), MAX_NUMBER);
    }
    f->number = (uint32_t)(key >> 3);
    switch (key & 7) {
    case TN_WIRE_VARINT:
        f->type = TN_WIRE_VARINT;
        f->value = varint(w);
        break;
    case TN_WIRE_I64:
        f->type = TN_WIRE_I64;
        f->value = little_endian(take(w, f, 8), 8);
        break;
    case TN_WIRE_LEN: {
        uint64_t size = varint(w);
        f->type = TN_WIRE_LEN;
        f->bytes.data = take(w, f, size);
        f->bytes.size = (size_t)size;
        break;
    }
    case TN_WIRE_I32:
        f->type = TN_WIRE_I32;
        f->value = little_endian(take(w, f, 4), 4);
        break;
    default:
        tn_wire_fail(w->src, f->tag, "field %u has wire type %u, which ONNX does not use",
                     (unsigned)f->number, (unsigned)(key & 7));
    }
    f->end = w->at;
    return true;
}

bool tn_wire_next_varint(tn_wire *w, uint64_t *value) {
    if (w->at == w->end) {
        return false;
    }
    *value = varint(w);
    return true;
}

tn_bytes tn_wire_content(const tn_wire_src *src, const tn_wire_field *f, const char *what) {
    if (f->type != TN_WIRE_LEN) {
        tn_wire_fail(src, f->tag, "%s (field %u) has wire type %d instead of %d", what,
                     (unsigned)f->number, (int)f->type, (int)TN_WIRE_LEN);
    }
    return f->bytes;
}
