/* Files: mapped for reading, replaced whole when written. */
#ifndef TENURE_IR_BASE_FILE_H
#define TENURE_IR_BASE_FILE_H

#include "ir/base/arena.h"

typedef struct tn_bytes {
    const uint8_t *data;
    size_t size;
} tn_bytes;

/* Maps `path` read-only for as long as `arena` lives ("-" reads standard input into the arena).
 * A missing or unreadable file is a diagnostic that names it. */
TN_MUST_USE tn_status tn_file_map(tn_arena *arena, const char *path, tn_bytes *out);
/* Writes to a temporary name beside `path` and renames, so readers never see half a file; on any
 * failure the temporary goes and a diagnostic names file and reason. "-" is standard output. */
TN_MUST_USE tn_status tn_file_write(tn_ctx *ctx, const char *path, const void *data, size_t size);
/* SHA-256 as 64 lower-case hex digits and a NUL. */
void tn_sha256_hex(const void *data, size_t size, char hex[65]);
/* The same of a file's content, read in pieces: a mapping of the file would stay resident. */
TN_MUST_USE tn_status tn_sha256_file(tn_ctx *ctx, const char *path, char hex[65]);

#endif
