/* Files: mapped for reading, replaced whole when written. */
#ifndef TENURE_IR_BASE_FILE_H
#define TENURE_IR_BASE_FILE_H

#include <stdbool.h>

#include "ir/base/arena.h"

typedef struct tn_bytes {
    const uint8_t *data;
    size_t size;
} tn_bytes;

/* Maps `path` read-only for as long as `arena` lives ("-" reads standard input into the arena).
 * A missing or unreadable file is a diagnostic that names it. */
TN_MUST_USE tn_status tn_file_map(tn_arena *arena, const char *path, tn_bytes *out);
/* Lets go of the memory that holds these bytes of a mapped file; they are read again when they are
 * looked at again. For whoever goes through a file that is larger than what memory is meant for. */
void tn_file_unload(const void *data, size_t size);
/* The folder part of a path, "." when it has none. */
const char *tn_file_folder(tn_arena *arena, const char *path);
/* Whether both are there and are one file, or one folder. */
bool tn_file_same(const char *a, const char *b);
/* Writes to a temporary name beside `path` and renames, so readers never see half a file; on any
 * failure the temporary goes and a diagnostic names file and reason. "-" is standard output. */
TN_MUST_USE tn_status tn_file_write(tn_ctx *ctx, const char *path, const void *data, size_t size);
/* The same piece by piece. The file appears under its name with tn_file_commit; if that does not
 * come before the arena is dropped, the temporary goes. NULL after a diagnostic. */
typedef struct tn_file_out tn_file_out;
tn_file_out *tn_file_create(tn_arena *arena, const char *path);
TN_MUST_USE tn_status tn_file_put(tn_file_out *f, const void *data, size_t size);
TN_MUST_USE tn_status tn_file_commit(tn_file_out *f);

#endif
