/* The protobuf wire format, read field by field where the bytes lie. Nothing is copied and no
 * content is looked at, so walking a message costs as much as it has fields, not bytes. Whatever
 * breaks the format raises after an error with the byte offset in the file. */
#ifndef TENURE_IR_ONNX_WIRE_H
#define TENURE_IR_ONNX_WIRE_H

#include "ir/base/diag.h"
#include "ir/base/file.h"

/* The file that messages lie in: for offsets in errors. */
typedef struct tn_wire_src {
    tn_ctx *ctx;
    const char *file;
    tn_bytes all;
    bool mapped; /* `all` is a mapped file */
} tn_wire_src;

/* The wire types ONNX uses. Groups (3, 4) are refused. */
typedef enum tn_wire_type {
    TN_WIRE_VARINT = 0,
    TN_WIRE_I64 = 1,
    TN_WIRE_LEN = 2,
    TN_WIRE_I32 = 5
} tn_wire_type;

typedef struct tn_wire {
    const tn_wire_src *src;
    const uint8_t *at, *end;
} tn_wire;

typedef struct tn_wire_field {
    uint32_t number;
    tn_wire_type type;
    uint64_t value;     /* all but TN_WIRE_LEN */
    tn_bytes bytes;     /* TN_WIRE_LEN: the content */
    const uint8_t *tag; /* first byte of the field */
    const uint8_t *end; /* one past its last byte */
} tn_wire_field;

/* A cursor at the start of `message`, which lies in src->all. */
tn_wire tn_wire_open(const tn_wire_src *src, tn_bytes message);
/* The next field; false at the end of the message. */
bool tn_wire_next(tn_wire *w, tn_wire_field *f);
/* The next plain varint: for the content of packed fields. False at the end. */
bool tn_wire_next_varint(tn_wire *w, uint64_t *value);
/* The content of a field that must be TN_WIRE_LEN; `what` names it in the error. */
tn_bytes tn_wire_content(const tn_wire_src *src, const tn_wire_field *f, const char *what);
/* An error "byte N: ..." at `at`, which lies in src->all. */
TN_NORETURN void tn_wire_fail(const tn_wire_src *src, const uint8_t *at, const char *fmt, ...)
    TN_PRINTF(3, 4);

#endif
