/* Conflict graphs as CSV: a header `a,b`, then a pair of ids a line, of buffers that an instance
 * (lib/instance/instance_csv.h) lists. The first empty line ends the file. */
#ifndef TENURE_LIB_INSTANCE_CONFLICT_CSV_H
#define TENURE_LIB_INSTANCE_CONFLICT_CSV_H

#include "lib/instance/instance_csv.h"

typedef struct tn_pack_conflicts {
    tn_conflict *data;
    uint32_t n;
} tn_pack_conflicts;

/* Reads `size` bytes; `file` names them in diagnostics, which tell of ids that the instance lacks
 * or has twice. */
TN_MUST_USE tn_status tn_pack_conflicts_read(tn_arena *arena, const char *file, const void *bytes,
                                             size_t size, const tn_pack_csv *csv,
                                             tn_pack_conflicts *out);

#endif
