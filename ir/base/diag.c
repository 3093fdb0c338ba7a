#include "ir/base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ir/base/arena.h"
#include "ir/base/sink.h"

tn_loc tn_loc_file(const char *file) {
    tn_loc loc = {.file = file, .node = -1};
    return loc;
}

static void put_loc(tn_sink *s, const tn_loc *loc) {
    if (loc->file != NULL && loc->file[0] != '\0') {
        tn_put(s, loc->file);
        if (loc->line > 0) {
            tn_putf(s, ":%u:%u", loc->line, loc->col);
        }
        tn_put(s, ": ");
    }
    if (loc->graph != NULL && loc->graph[0] != '\0') {
        tn_putf(s, "graph '%s': ", loc->graph);
    }
    if (loc->node < 0) {
        return;
    }
    const char *op = loc->op != NULL ? loc->op : "?";
    if (loc->name != NULL && loc->name[0] != '\0') {
        tn_putf(s, "node '%s' (%s, #%d): ", loc->name, op, (int)loc->node);
    } else if (loc->first != NULL && loc->first[0] != '\0') {
        tn_putf(s, "node of '%s' (%s, #%d): ", loc->first, op, (int)loc->node);
    } else {
        tn_putf(s, "node #%d (%s): ", (int)loc->node, op);
    }
}

/* Renders outside any caller's arena, so that a message does not grow the module. */
static void report(tn_ctx *ctx, tn_severity sev, tn_status status, const tn_loc *loc,
                   const char *fmt, va_list args) {
    static const char *const words[] = {"error: ", "warning: ", "remark: ", "note: "};
    tn_message m = {.severity = sev, .status = status, .loc = loc};
    ctx->n_errors += sev == TN_SEV_ERROR;
    ctx->n_warnings += sev == TN_SEV_WARNING;
    if (ctx->on_diag == NULL) {
        return;
    }
    tn_arena *scratch = tn_arena_new(ctx);
    tn_sink s = tn_sink_make(scratch);
    tn_sink text = tn_sink_make(scratch), where = tn_sink_make(scratch);
    if (loc != NULL) {
        tn_put(&where, "");
        put_loc(&where, loc);
        tn_put_line(&s, where.data);
    }
    tn_put_line(&text, tn_arena_vprintf(scratch, fmt, args));
    m.text = text.data;
    tn_put(&s, words[sev]);
    tn_put(&s, m.text);
    m.rendered = s.data;
    ctx->on_diag(ctx->on_diag_user, &m);
    tn_arena_drop(scratch);
}

tn_status tn_error(tn_ctx *ctx, const tn_loc *loc, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    report(ctx, TN_SEV_ERROR, TN_ERROR, loc, fmt, args);
    va_end(args);
    return TN_ERROR;
}

tn_status tn_error_of(tn_ctx *ctx, tn_status kind, const tn_loc *loc, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    report(ctx, TN_SEV_ERROR, kind, loc, fmt, args);
    va_end(args);
    return kind;
}

void tn_warn(tn_ctx *ctx, const tn_loc *loc, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    report(ctx, TN_SEV_WARNING, TN_OK, loc, fmt, args);
    va_end(args);
}

void tn_note(tn_ctx *ctx, const tn_loc *loc, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    report(ctx, TN_SEV_NOTE, TN_OK, loc, fmt, args);
    va_end(args);
}

void tn_remark(tn_ctx *ctx, const tn_loc *loc, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    report(ctx, TN_SEV_REMARK, TN_OK, loc, fmt, args);
    va_end(args);
}

void tn_fail(tn_ctx *ctx, const tn_loc *loc, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    report(ctx, TN_SEV_ERROR, TN_ERROR, loc, fmt, args);
    va_end(args);
    tn_raise(ctx, TN_ERROR);
}

void tn_fail_usage(tn_ctx *ctx, const tn_loc *loc, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    report(ctx, TN_SEV_ERROR, TN_USAGE, loc, fmt, args);
    va_end(args);
    tn_raise(ctx, TN_USAGE);
}

enum { MAX_WORD = 64 };

/* Levenshtein distance of words of at most MAX_WORD bytes. */
static size_t distance(const char *a, size_t na, const char *b, size_t nb) {
    size_t row[MAX_WORD + 1];
    for (size_t j = 0; j <= nb; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= na; i++) {
        size_t diag = row[0];
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t best = diag + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best) {
                best = row[j] + 1;
            }
            if (row[j - 1] + 1 < best) {
                best = row[j - 1] + 1;
            }
            diag = row[j];
            row[j] = best;
        }
    }
    return row[nb];
}

const char *tn_nearest(const char *word, const char *const *candidates, size_t n) {
    size_t len = strlen(word);
    if (len == 0 || len > MAX_WORD) {
        return NULL;
    }
    size_t limit = len < 3 ? 1 : len / 3 + 1;
    const char *best = NULL;
    for (size_t i = 0; i < n; i++) {
        size_t other = strlen(candidates[i]);
        if (other > MAX_WORD) {
            continue;
        }
        size_t d = distance(word, len, candidates[i], other);
        if (d < limit || (d == limit && best == NULL)) {
            best = candidates[i];
            limit = d;
        }
    }
    return best;
}

void tn_progress(tn_ctx *ctx, const char *doing) {
    tn_poll(ctx);
    if (ctx->on_progress != NULL) {
        ctx->on_progress(ctx->on_progress_user, doing);
    }
}
