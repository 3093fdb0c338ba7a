/* Files, mapped for reading. The library writes none. */
#ifndef TENURE_IR_BASE_FILE_H
#define TENURE_IR_BASE_FILE_H

#include <stdbool.h>

#include "ir/base/arena.h"

typedef struct tn_bytes {
    const uint8_t *data;
    size_t size;
} tn_bytes;

/* Maps `path` read-only for as long as `arena` lives ("-" and pipes are read into the arena).
 * A missing or unreadable file is a diagnostic that names it. */
TN_MUST_USE tn_status tn_file_map(tn_arena *arena, const char *path, tn_bytes *out);
/* Lets go of the memory that holds these bytes of a mapped file; they are read again when they are
 * looked at again. For whoever goes through a file that is larger than what memory is meant for. */
void tn_file_unload(const void *data, size_t size);
/* The folder part of a path, "." when it has none. */
const char *tn_file_folder(tn_arena *arena, const char *path);
/* "dir/net.onnx" is "net"; "-" is "model". */
const char *tn_file_stem(tn_arena *arena, const char *path);
/* `name` in the folder that the file at `path` lies in, written as that is. */
const char *tn_file_beside(tn_arena *arena, const char *path, const char *name);
/* The path without links and dots; NULL when there is nothing. */
const char *tn_file_real(tn_arena *arena, const char *path);
bool tn_file_is_regular(const char *path);
/* Whether both are there and are one file, or one folder. */
bool tn_file_same(const char *a, const char *b);

#endif
