/* MiniMalloc's CSV dialect, so that instances can be exchanged with other solvers.
 *
 * A header names the columns, in any order: `id` (or buffer, buffer_id), `lower` (begin, start),
 * `upper` (or `end`, which is inclusive: upper - 1, and makes the ends of gaps inclusive too) and
 * `size` have to be there; `alignment`, `hint` (-1: none), `gaps` and `offset` (fixes the buffer)
 * may be. Gaps are `a-b` or `a-b@lo:hi`, separated by spaces; in the gap only bytes [lo, hi) are in
 * use, or none. The first empty line ends the file. There is no quoting. */
#ifndef TENURE_LIB_INSTANCE_INSTANCE_CSV_H
#define TENURE_LIB_INSTANCE_INSTANCE_CSV_H

#include "ir/base/diag.h"
#include "ir/base/sink.h"
#include "passes/pack/pack.h"

typedef struct tn_pack_csv {
    tn_pack_buffer *buffers;
    const char **ids; /* in the arena */
    int64_t *hints;   /* an offset to start from, -1: none */
    uint32_t n;
    bool has_alignment, has_hints, has_gaps; /* columns to write */
} tn_pack_csv;

/* Reads `size` bytes; `file` names them in diagnostics. Strings and arrays are in `arena`. */
TN_MUST_USE tn_status tn_pack_csv_read(tn_arena *arena, const char *file, const void *bytes,
                                       size_t size, tn_pack_csv *out);
/* Writes the half-open form; `offsets` (may be NULL) become the column `offset`. An id that holds a
 * comma or a line break is written with '_' in its place. */
void tn_pack_csv_write(tn_sink *sink, const tn_pack_csv *csv, const uint64_t *offsets);

#endif
