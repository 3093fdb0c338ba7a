/* The context: allocator, interned strings, diagnostics, and the boundary errors jump to.
 *
 * Memory is by region. Everything is allocated from arenas (ir/base/arena.h) that hang on a
 * context; nothing is freed singly. So one error path is enough: running out of memory, and
 * giving up on an input deep inside a parser, is `tn_raise`, a jump to the innermost
 * `tn_guard_run`, which drops every arena made since. ir/base/guard.c holds the only setjmp of the
 * project. Code that holds something an arena does not own (a FILE, a mapping, another library's
 * tree) hands it to `tn_arena_defer` first.
 *
 * A context and all that hangs on it belong to one thread at a time. */
#ifndef TENURE_IR_BASE_CTX_H
#define TENURE_IR_BASE_CTX_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ir/base/status.h"

typedef struct tn_ctx tn_ctx;
typedef struct tn_arena tn_arena;
typedef struct tn_strtab tn_strtab;
typedef struct tn_guard tn_guard;

/* Memory as the embedder gives it: grow/shrink/free in one function, as realloc with the old size.
 * new_size 0 frees and returns NULL; a NULL result for new_size > 0 means out of memory. */
typedef struct tn_allocator {
    void *(*fn)(void *user, void *ptr, size_t old_size, size_t new_size);
    void *user;
} tn_allocator;

typedef enum tn_severity { TN_SEV_ERROR, TN_SEV_WARNING, TN_SEV_REMARK, TN_SEV_NOTE } tn_severity;

struct tn_loc;

/* One diagnostic. */
typedef struct tn_message {
    tn_severity severity;
    tn_status status;         /* of an error: what it most likely ends in; TN_OK for the others */
    const struct tn_loc *loc; /* NULL: nowhere */
    const char *text;         /* without place and severity */
    const char *rendered;     /* with both, without a final newline */
} tn_message;

/* Receives each diagnostic once; it is valid during the call. */
typedef void (*tn_diag_handler)(void *user, const tn_message *message);

/* Is told what is begun, in a word or two: a text that stays. */
typedef void (*tn_progress_handler)(void *user, const char *doing);

/* Takes what passes print when asked to (modules, times, logs), and files that are written beside
 * what a call is about. `file` is NULL for the former. */
typedef void (*tn_text_handler)(void *user, const char *file, const char *text, size_t len);

/* What plug-ins have added to a context, by kind; the layer that a kind belongs to knows the type.
 */
typedef enum tn_extra {
    TN_EXTRA_PLUGIN,
    TN_EXTRA_PASS,     /* tn_pass_info */
    TN_EXTRA_ANALYSIS, /* tn_analysis_info */
    TN_EXTRA_ROW,      /* tn_op_info */
    TN_EXTRA_BACKEND,  /* tn_backend */
    TN_EXTRA_FRONTEND, /* tn_frontend */
    TN_EXTRA_COUNT
} tn_extra;

struct tn_ctx {
    tn_allocator alloc;
    tn_arena *arenas; /* every living arena, newest first */
    tn_arena *arena;  /* lives as long as the context: interned strings, registries */
    tn_strtab *strs;
    tn_guard *guard; /* innermost boundary, NULL outside any */
    tn_diag_handler on_diag;
    void *on_diag_user;
    tn_progress_handler on_progress; /* NULL: nobody wants to know */
    void *on_progress_user;
    tn_text_handler on_text; /* NULL: dropped */
    void *on_text_user;
    uint32_t n_errors, n_warnings;
    struct tn_extras {
        const void **items;
        uint32_t len, cap;
        const void **all; /* behind those that are ours */
        uint32_t n_all;
    } extras[TN_EXTRA_COUNT];
    tn_status last;       /* how the outermost boundary that ended last did */
    atomic_int cancelled; /* how often somebody wanted an end */
    atomic_int *cancel;   /* the number that counts: of a worker, that of whom it works for */
    int patience;         /* so many of them end searches alone; 0 outside any boundary */
};

/* Default allocator when `alloc` is NULL. Returns NULL when out of memory. */
tn_ctx *tn_ctx_new(const tn_allocator *alloc);
/* Drops every arena of the context. NULL is fine. */
void tn_ctx_free(tn_ctx *ctx);

/* Runs fn(ctx, arg) behind a boundary: a tn_raise inside ends here and becomes the result, after
 * the arenas made inside have been dropped. A normal return keeps them. Boundaries nest. */
tn_status tn_guard_run(tn_ctx *ctx, tn_status (*fn)(tn_ctx *ctx, void *arg), void *arg);
/* Ends the innermost tn_guard_run with `status`. The diagnostic has been given already, except for
 * TN_NOMEM and TN_INTERRUPTED, which report themselves. */
TN_NORETURN void tn_raise(tn_ctx *ctx, tn_status status);
/* The same for a status that a tn_guard_run inside handed back: it has been reported. */
TN_NORETURN void tn_reraise(tn_ctx *ctx, tn_status status);
/* Raises TN_INTERRUPTED once an end is wanted (from another thread or a signal handler). Arenas ask
 * when they grow, so this is for loops that run long within the memory they have. The outermost
 * boundary that ends so takes the wish back. */
static inline void tn_poll(tn_ctx *ctx) {
    if (atomic_load_explicit(ctx->cancel, memory_order_relaxed) > ctx->patience) {
        tn_raise(ctx, TN_INTERRUPTED);
    }
}
/* The same for searches, which can end with the best they have: whether they should. */
static inline bool tn_cut_short(tn_ctx *ctx) {
    tn_poll(ctx);
    return atomic_load_explicit(ctx->cancel, memory_order_relaxed) != 0;
}
/* Our own mistake: a diagnostic "internal error: ..." and tn_raise(TN_INTERNAL). */
TN_NORETURN void tn_bug(tn_ctx *ctx, const char *fmt, ...) TN_PRINTF(2, 3);

/* Keeps the item, which must live as long as the context. */
void tn_ctx_add(tn_ctx *ctx, tn_extra kind, const void *item);
/* Item i of a kind, in order; NULL behind the last, and for no context. */
static inline const void *tn_ctx_extra(const tn_ctx *ctx, tn_extra kind, uint32_t i) {
    return ctx != NULL && i < ctx->extras[kind].len ? ctx->extras[kind].items[i] : NULL;
}

/* The n items of ours and those of plug-ins behind them, *total of them, as long as the context
 * lives and nothing is added. `ctx` may be NULL. */
const void *tn_ctx_all(tn_ctx *ctx, tn_extra kind, const void *ours, uint32_t n, uint32_t *total);

/* Interning: equal text gives the same pointer, alive as long as the context. `s` of tn_intern may
 * be NULL, which is "". Interned strings compare by pointer; never order by pointer. */
const char *tn_intern(tn_ctx *ctx, const char *s);
const char *tn_intern_n(tn_ctx *ctx, const char *s, size_t len);
const char *tn_internf(tn_ctx *ctx, const char *fmt, ...) TN_PRINTF(2, 3);
/* Dense id (from 0, in order of first interning) and length of an *interned* string. */
uint32_t tn_str_id(const char *interned);
uint32_t tn_str_len(const char *interned);
/* How many there are: all ids are below. */
uint32_t tn_str_count(const tn_ctx *ctx);

#endif
