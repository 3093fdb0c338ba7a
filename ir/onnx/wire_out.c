#include "ir/onnx/wire_out.h"

#include <string.h>

#include "ir/tensor_bytes.h"

enum { ROOM = 1 << 12, MAX_HEAD = 20, STEP = 1 << 20 };

tn_wire_out tn_wire_out_make(tn_arena *arena) {
    return (tn_wire_out){.arena = arena};
}

static void append(tn_wire_out *out, tn_wire_piece piece) {
    tn_wire_piece *last = out->pieces.len > 0 ? &out->pieces.data[out->pieces.len - 1] : NULL;
    out->total += piece.size;
    if (last != NULL && last->size > 0 && last->tensor == NULL && piece.tensor == NULL &&
        last->data + last->size == piece.data) {
        last->size += piece.size;
    } else {
        tn_vec_push(out->arena, &out->pieces, piece);
    }
}

/* Bytes that stay where they are until all is written. */
static void copy_bytes(tn_wire_out *out, const void *data, size_t size) {
    if (size > 0) {
        append(out, (tn_wire_piece){.data = data, .size = size});
    }
}

void tn_wire_copy_field(tn_wire_out *out, const tn_wire_field *f) {
    copy_bytes(out, f->tag, (size_t)(f->end - f->tag));
}

/* Room for `size` bytes that are made; they lie behind the last ones where they fit. */
static uint8_t *take(tn_wire_out *out, size_t size) {
    if (size > out->left) {
        out->left = size > ROOM ? size : ROOM;
        out->room = TN_ARRAY(out->arena, uint8_t, out->left);
    }
    uint8_t *at = out->room;
    out->room += size;
    out->left -= size;
    return at;
}

static void own(tn_wire_out *out, const void *data, size_t size) {
    if (size > 0) {
        uint8_t *at = take(out, size);
        memcpy(at, data, size);
        copy_bytes(out, at, size);
    }
}

static size_t put_varint(uint8_t *at, uint64_t x) {
    size_t n = 0;
    for (; x >= 0x80; x >>= 7) {
        at[n++] = (uint8_t)(x | 0x80);
    }
    at[n++] = (uint8_t)x;
    return n;
}

static size_t put_head(uint8_t *at, uint32_t number, tn_wire_type type, uint64_t value) {
    size_t n = put_varint(at, (uint64_t)number << 3 | type);
    return n + put_varint(at + n, value);
}

void tn_wire_put_int(tn_wire_out *out, uint32_t number, int64_t value) {
    uint8_t head[MAX_HEAD];
    own(out, head, put_head(head, number, TN_WIRE_VARINT, (uint64_t)value));
}

void tn_wire_put_float(tn_wire_out *out, uint32_t number, double value) {
    uint8_t bytes[MAX_HEAD];
    float f = (float)value;
    uint32_t pattern;
    memcpy(&pattern, &f, sizeof pattern);
    size_t n = put_varint(bytes, (uint64_t)number << 3 | TN_WIRE_I32);
    for (unsigned i = 0; i < 4; i++) {
        bytes[n++] = (uint8_t)(pattern >> (8 * i));
    }
    own(out, bytes, n);
}

void tn_wire_put_text(tn_wire_out *out, uint32_t number, const char *text, size_t len) {
    uint8_t head[MAX_HEAD];
    own(out, head, put_head(head, number, TN_WIRE_LEN, len));
    own(out, text, len);
}

void tn_wire_put_tensor(tn_wire_out *out, uint32_t number, const tn_tensor *t) {
    uint8_t head[MAX_HEAD];
    own(out, head, put_head(head, number, TN_WIRE_LEN, t->bytes));
    append(out, (tn_wire_piece){.size = t->bytes, .tensor = t});
}

/* The head is an empty piece until the size is known. */
tn_wire_mark tn_wire_begin(tn_wire_out *out, uint32_t number) {
    tn_wire_mark mark = {out->pieces.len, number, out->total};
    tn_vec_push(out->arena, &out->pieces, (tn_wire_piece){0});
    return mark;
}

static bool is_just(const tn_wire_out *out, const tn_wire_mark *mark, const tn_wire_field *from) {
    uint32_t n = out->pieces.len - mark->piece - 1;
    const tn_wire_piece *p = &out->pieces.data[out->pieces.len - 1];
    return n == 0 ? from->bytes.size == 0
                  : n == 1 && p->data == from->bytes.data && p->size == from->bytes.size;
}

void tn_wire_end(tn_wire_out *out, const tn_wire_mark *mark, const tn_wire_field *from) {
    if (from != NULL && from->tag != NULL && is_just(out, mark, from)) {
        tn_wire_cancel(out, mark);
        tn_wire_copy_field(out, from);
        return;
    }
    uint8_t head[MAX_HEAD];
    size_t n = put_head(head, mark->number, TN_WIRE_LEN, out->total - mark->before);
    uint8_t *at = take(out, n);
    memcpy(at, head, n);
    out->pieces.data[mark->piece] = (tn_wire_piece){.data = at, .size = n};
    out->total += n;
}

void tn_wire_cancel(tn_wire_out *out, const tn_wire_mark *mark) {
    out->pieces.len = mark->piece;
    out->total = mark->before;
}

static bool lies_in(const tn_wire_src *file, const uint8_t *data) {
    return file != NULL && file->mapped && data >= file->all.data &&
           data < file->all.data + file->all.size;
}

static void send_bytes(const tn_wire_piece *p, bool mapped, tn_sink *to) {
    for (uint64_t at = 0; at < p->size; at += STEP) {
        size_t n = p->size - at < STEP ? (size_t)(p->size - at) : STEP;
        tn_put_n(to, (const char *)p->data + at, n);
        if (mapped) {
            tn_file_unload(p->data + at, n);
        }
    }
}

void tn_wire_send(const tn_wire_out *out, const tn_wire_src *file, tn_sink *to) {
    for (uint32_t i = 0; i < out->pieces.len; i++) {
        const tn_wire_piece *p = &out->pieces.data[i];
        if (p->tensor != NULL) {
            tn_tensor_put_bytes(p->tensor, to);
        } else {
            send_bytes(p, lies_in(file, p->data), to);
        }
    }
}
