/* Writing MiniMalloc's CSV dialect: a line of column names, then a line a buffer, with its live
 * range (half-open) and size. The packing library writes instances with it and the backend `csv`
 * writes plans, so that each can be read as the other and by other solvers. The reader, which knows
 * more forms than are written here, is lib/instance/instance_csv.h. */
#ifndef TENURE_IR_BASE_BUFFER_CSV_H
#define TENURE_IR_BASE_BUFFER_CSV_H

#include "ir/base/sink.h"

/* Columns beside id, lower, upper and size; to be or-ed. They stand in this order. */
enum {
    TN_CSV_ALIGNMENT = 1,
    TN_CSV_HINT = 2, /* an offset to start from, -1: none */
    TN_CSV_GAPS = 4,
    TN_CSV_OFFSET = 8, /* whoever reads it must leave the buffer there */
};

typedef struct tn_buffer_row {
    const char *id;
    int64_t lower, upper; /* half-open */
    uint64_t size;
    uint64_t alignment;
    int64_t hint;
    const char *gaps; /* `a-b` or `a-b@lo:hi`, with spaces between them */
    uint64_t offset;
} tn_buffer_row;

void tn_buffer_csv_header(tn_sink *sink, unsigned columns);
/* Fields of columns not asked for are not looked at. There is no quoting in the dialect: commas and
 * control characters of an id are written as '_'. */
void tn_buffer_csv_row(tn_sink *sink, unsigned columns, const tn_buffer_row *row);

#endif
