/* Diagnostics: every message names where (file, node, op) and ends up in the context's handler.
 * Texts: lower-case start, no final period, the value and the limit; one line, whatever characters
 * names have (tn_put_line). The library never prints. */
#ifndef TENURE_IR_BASE_DIAG_H
#define TENURE_IR_BASE_DIAG_H

#include <stdbool.h>

#include "ir/base/ctx.h"

/* Where an op or a message comes from. Model locations have node >= 0, text locations line > 0.
 * Strings are interned or outlive the location; NULL means not known. */
typedef struct tn_loc {
    const char *file;
    const char *graph; /* path of nested graphs, "" or NULL for the main one */
    const char *name;  /* node name, "" when it has none */
    const char *op;    /* op type */
    const char *first; /* first result name, used when the node has no name */
    int32_t node;      /* index in the file's node list, -1 when not a node */
    uint32_t line, col;
} tn_loc;

/* A location that is only a file. */
tn_loc tn_loc_file(const char *file);

/* Reports and returns TN_ERROR, so that `return tn_error(...)` reads well. `loc` may be NULL. */
tn_status tn_error(tn_ctx *ctx, const tn_loc *loc, const char *fmt, ...) TN_PRINTF(3, 4);
/* The same for another kind of error, which is returned. */
tn_status tn_error_of(tn_ctx *ctx, tn_status kind, const tn_loc *loc, const char *fmt, ...)
    TN_PRINTF(4, 5);
/* Of what the user asks for, not of what he gives: TN_USAGE. */
#define tn_usage(ctx, loc, ...) tn_error_of((ctx), TN_USAGE, (loc), __VA_ARGS__)
void tn_warn(tn_ctx *ctx, const tn_loc *loc, const char *fmt, ...) TN_PRINTF(3, 4);
/* Notes belong to the message before them. */
void tn_note(tn_ctx *ctx, const tn_loc *loc, const char *fmt, ...) TN_PRINTF(3, 4);
void tn_remark(tn_ctx *ctx, const tn_loc *loc, const char *fmt, ...) TN_PRINTF(3, 4);
/* Reports an error and raises TN_ERROR: for giving up deep inside a reader. */
TN_NORETURN void tn_fail(tn_ctx *ctx, const tn_loc *loc, const char *fmt, ...) TN_PRINTF(3, 4);
/* The same for what the user asks for: TN_USAGE. */
TN_NORETURN void tn_fail_usage(tn_ctx *ctx, const tn_loc *loc, const char *fmt, ...)
    TN_PRINTF(3, 4);

/* Says what is begun; `doing` must stay as long as the program runs. */
void tn_progress(tn_ctx *ctx, const char *doing);

/* The candidate nearest to `word` (edit distance), or NULL when none is near enough to suggest.
 * `n` candidates. Ties go to the earlier one. */
const char *tn_nearest(const char *word, const char *const *candidates, size_t n);

#endif
