/* FlatBuffers, read where the bytes lie. Every offset is checked against the file before anything
 * behind it is read; whatever leads outside raises after an error with the byte offset. Nothing is
 * copied, so what overlaps in the file overlaps here too. */
#ifndef TENURE_IR_TFLITE_FLATBUFFER_H
#define TENURE_IR_TFLITE_FLATBUFFER_H

#include "ir/base/diag.h"
#include "ir/base/file.h"

typedef struct tn_flat_src {
    tn_ctx *ctx;
    const char *file;
    tn_bytes all;
} tn_flat_src;

/* A table: fields by number, each of which may be absent. */
typedef struct tn_flat_table {
    const tn_flat_src *src;
    size_t at, size;      /* the table itself */
    size_t vtable, slots; /* where its fields are said to lie, and of how many that is said */
} tn_flat_table;

/* n items of so many bytes, all inside the file. */
typedef struct tn_flat_vector {
    const tn_flat_src *src;
    size_t at; /* of item 0 */
    uint32_t n;
} tn_flat_vector;

enum { TN_FLAT_ROOT = 0, TN_FLAT_IDENTIFIER = 4, TN_FLAT_HEAD = 8 };

tn_flat_table tn_flat_root(const tn_flat_src *src);
/* Where the offset at byte `at` leads to; `least` bytes are there. */
size_t tn_flat_follow(const tn_flat_src *src, size_t at, size_t least);
/* The table that field `number` refers to; an error when it is absent. */
tn_flat_table tn_flat_table_of(const tn_flat_table *t, unsigned number);
/* Byte of field `number`, which has `size` bytes; 0 when it is absent. */
size_t tn_flat_field(const tn_flat_table *t, unsigned number, size_t size);
/* A number of 1, 4 or 8 bytes, unsigned; `fallback` when it is absent. */
uint64_t tn_flat_number(const tn_flat_table *t, unsigned number, size_t size, uint64_t fallback);
/* No items when it is absent. */
tn_flat_vector tn_flat_vector_of(const tn_flat_table *t, unsigned number, size_t item);
tn_flat_table tn_flat_item(const tn_flat_vector *v, uint32_t i); /* of offsets to tables */
int32_t tn_flat_int(const tn_flat_vector *v, uint32_t i);        /* of numbers of 4 bytes */
/* Text up to its first NUL, interned; "" when it is absent. */
const char *tn_flat_text(const tn_flat_table *t, unsigned number);
/* "byte N: ..." */
TN_NORETURN void tn_flat_fail(const tn_flat_src *src, size_t at, const char *fmt, ...)
    TN_PRINTF(3, 4);

#endif
