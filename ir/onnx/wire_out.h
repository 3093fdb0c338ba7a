/* A protobuf message being put together from pieces that stay where they are (a mapped file) and
 * pieces that are made. Lengths stand before contents, so all pieces are known before the first is
 * written; nothing is copied for that. */
#ifndef TENURE_IR_ONNX_WIRE_OUT_H
#define TENURE_IR_ONNX_WIRE_OUT_H

#include "ir/attr.h"
#include "ir/onnx/wire.h"

typedef struct tn_wire_piece {
    const uint8_t *data;
    uint64_t size;
    const tn_tensor *tensor; /* its bytes in place of `data` */
} tn_wire_piece;

typedef struct tn_wire_out {
    tn_arena *arena;
    TN_VEC(tn_wire_piece) pieces;
    uint64_t total;
    uint8_t *room; /* for bytes that are made */
    size_t left;
} tn_wire_out;

/* A nested message that has been begun. */
typedef struct tn_wire_mark {
    uint32_t piece;
    uint32_t number;
    uint64_t before;
} tn_wire_mark;

tn_wire_out tn_wire_out_make(tn_arena *arena);
void tn_wire_copy_field(tn_wire_out *out, const tn_wire_field *f);
/* Fields. Texts are copied. */
void tn_wire_put_int(tn_wire_out *out, uint32_t number, int64_t value);
void tn_wire_put_float(tn_wire_out *out, uint32_t number, double value);
void tn_wire_put_text(tn_wire_out *out, uint32_t number, const char *text, size_t len);
/* raw_data: the bytes of a tensor that has them (ir/tensor_bytes.h). */
void tn_wire_put_tensor(tn_wire_out *out, uint32_t number, const tn_tensor *t);
/* A field that is a message: what is put between the two. Where it turns out to be just what field
 * `from` holds, it is that field, tag and length as they were; `from` may be NULL. */
tn_wire_mark tn_wire_begin(tn_wire_out *out, uint32_t number);
void tn_wire_end(tn_wire_out *out, const tn_wire_mark *mark, const tn_wire_field *from);
/* Takes back all since tn_wire_begin. */
void tn_wire_cancel(tn_wire_out *out, const tn_wire_mark *mark);
/* Writes everything. What lies in `file` is let go of as it has been written (tn_file_unload). */
void tn_wire_send(const tn_wire_out *out, const tn_wire_src *file, tn_sink *to);

#endif
