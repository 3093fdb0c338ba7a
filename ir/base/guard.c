/* Making and freeing contexts, and the boundary that errors jump to: the only setjmp of the
 * project. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/base/arena.h"
#include "ir/base/strtab_t.h"
#include "ir/os/os.h"

struct tn_guard {
    jmp_buf jump;
    tn_guard *outer;
    tn_arena *arenas; /* newest arena when the boundary was set */
    tn_status status;
};

static void *default_alloc(void *user, void *ptr, size_t old_size, size_t new_size) {
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return ptr == NULL && new_size >= TN_OS_LARGE ? tn_os_alloc_large(new_size)
                                                  : realloc(ptr, new_size);
}

static tn_status make_inside(tn_ctx *ctx, void *arg) {
    (void)arg;
    ctx->arena = tn_arena_new(ctx);
    ctx->strs = tn_strtab_new(ctx->arena);
    return TN_OK;
}

tn_ctx *tn_ctx_new(const tn_allocator *alloc) {
    tn_allocator a = {default_alloc, NULL};
    if (alloc != NULL) {
        a = *alloc;
    }
    tn_ctx *ctx = a.fn(a.user, NULL, 0, sizeof *ctx);
    if (ctx == NULL) {
        return NULL;
    }
    memset(ctx, 0, sizeof *ctx);
    ctx->alloc = a;
    ctx->cancel = &ctx->cancelled;
    if (tn_guard_run(ctx, make_inside, NULL) != TN_OK) {
        tn_ctx_free(ctx);
        return NULL;
    }
    return ctx;
}

void tn_ctx_free(tn_ctx *ctx) {
    if (ctx == NULL) {
        return;
    }
    while (ctx->arenas != NULL) {
        tn_arena_drop(ctx->arenas);
    }
    ctx->alloc.fn(ctx->alloc.user, ctx, sizeof *ctx, 0);
}

/* What holds from one call into the library to its end. */
static void leave(tn_ctx *ctx, tn_guard *outer, tn_status status) {
    ctx->guard = outer;
    if (outer == NULL) {
        ctx->last = status;
        ctx->patience = 0;
    }
}

tn_status tn_guard_run(tn_ctx *ctx, tn_status (*fn)(tn_ctx *ctx, void *arg), void *arg) {
    tn_guard guard;
    guard.outer = ctx->guard;
    guard.arenas = ctx->arenas;
    guard.status = TN_OK;
    ctx->guard = &guard;
    if (setjmp(guard.jump) == 0) {
        tn_status status = fn(ctx, arg);
        leave(ctx, guard.outer, status);
        return status;
    }
    leave(ctx, guard.outer, guard.status);
    if (guard.outer == NULL && guard.status == TN_INTERRUPTED) {
        atomic_store(&ctx->cancelled, 0);
    }
    while (ctx->arenas != guard.arenas) {
        tn_arena_drop(ctx->arenas);
    }
    return guard.status;
}

void tn_reraise(tn_ctx *ctx, tn_status status) {
    if (ctx->guard == NULL) {
        fputs("tenure: error raised outside any boundary\n", stderr);
        abort();
    }
    ctx->guard->status = status;
    longjmp(ctx->guard->jump, 1);
}

/* Takes no memory. `rendered` begins with `prefix`. */
static void report_plainly(tn_ctx *ctx, tn_status status, const char *rendered,
                           const char *prefix) {
    tn_message m = {TN_SEV_ERROR, status, NULL, rendered + strlen(prefix), rendered};
    ctx->n_errors++;
    if (ctx->on_diag != NULL) {
        ctx->on_diag(ctx->on_diag_user, &m);
    }
}

void tn_raise(tn_ctx *ctx, tn_status status) {
    if (status == TN_NOMEM && ctx->on_diag != NULL) {
        report_plainly(ctx, status, "error: out of memory", "error: ");
    }
    if (status == TN_INTERRUPTED && ctx->on_diag != NULL) {
        report_plainly(ctx, status, "error: interrupted", "error: ");
    }
    tn_reraise(ctx, status);
}

void tn_bug(tn_ctx *ctx, const char *fmt, ...) {
    char text[1024];
    static const char prefix[] = "internal error: ";
    int n = snprintf(text, sizeof text, "%s", prefix);
    va_list args;
    va_start(args, fmt);
    vsnprintf(text + n, sizeof text - (size_t)n, fmt, args);
    va_end(args);
    report_plainly(ctx, TN_INTERNAL, text, prefix);
    tn_raise(ctx, TN_INTERNAL);
}

void tn_ctx_add(tn_ctx *ctx, tn_extra kind, const void *item) {
    struct tn_extras *e = &ctx->extras[kind];
    tn_push(ctx->arena, e->items, e->len, e->cap, item);
}

/* Pointers to structs of any kind look alike. */
const void *tn_ctx_all(tn_ctx *ctx, tn_extra kind, const void *ours, uint32_t n, uint32_t *total) {
    struct tn_extras *e = ctx != NULL ? &ctx->extras[kind] : NULL;
    *total = n + (e != NULL ? e->len : 0);
    if (*total == n) {
        return ours;
    }
    if (e->n_all != *total) {
        const void **all = TN_ARRAY(ctx->arena, const void *, *total);
        memcpy(all, ours, n * sizeof *all);
        memcpy(all + n, e->items, e->len * sizeof *all);
        e->all = all;
        e->n_all = *total;
    }
    return e->all;
}
