/* tenure.h: version, contexts, buffers. */
#include "ir/base/diag.h"
#include "lib/api/api_t.h"
#include "lib/version.h"

_Static_assert((int)TENURE_OK == (int)TN_OK && (int)TENURE_ERROR == (int)TN_ERROR &&
                   (int)TENURE_USAGE == (int)TN_USAGE && (int)TENURE_NOMEM == (int)TN_NOMEM &&
                   (int)TENURE_NOFIT == (int)TN_NOFIT && (int)TENURE_INTERNAL == (int)TN_INTERNAL &&
                   (int)TENURE_INTERRUPTED == (int)TN_INTERRUPTED,
               "statuses are passed through");
_Static_assert((int)TENURE_SEV_ERROR == (int)TN_SEV_ERROR &&
                   (int)TENURE_SEV_WARNING == (int)TN_SEV_WARNING &&
                   (int)TENURE_SEV_REMARK == (int)TN_SEV_REMARK &&
                   (int)TENURE_SEV_NOTE == (int)TN_SEV_NOTE,
               "severities are passed through");

int tenure_version(void) {
    return TENURE_VERSION;
}

const char *tenure_version_text(void) {
    return tn_version_text();
}

tenure_context *tenure_context_new(const tenure_allocator *allocator) {
    if (allocator == NULL) {
        return (tenure_context *)tn_ctx_new(NULL);
    }
    tn_allocator a = {allocator->fn, allocator->user};
    return (tenure_context *)tn_ctx_new(&a);
}

void tenure_context_free(tenure_context *ctx) {
    tn_ctx_free(api_ctx(ctx));
}

tenure_status tenure_last_status(const tenure_context *ctx) {
    return ctx != NULL ? (tenure_status)((const tn_ctx *)ctx)->last : TENURE_USAGE;
}

typedef struct null_args {
    const char *where, *what;
} null_args;

static tn_status report_null(tn_ctx *ctx, void *arg) {
    const null_args *a = arg;
    return tn_usage(ctx, NULL, "%s: %s is NULL", a->where, a->what);
}

tenure_status tn_api_null(tn_ctx *ctx, const char *where, const char *what) {
    null_args a = {where, what};
    return ctx != NULL ? (tenure_status)tn_guard_run(ctx, report_null, &a) : TENURE_USAGE;
}

/* The callback of the embedder, whose message type is its own. */
typedef struct forward {
    tenure_diagnostic_fn fn;
    void *user;
} forward;

static const char *known(const char *text) {
    return text != NULL && text[0] != '\0' ? text : NULL;
}

static void on_diag(void *user, const tn_message *m) {
    const forward *f = user;
    tenure_diagnostic d = {.struct_size = sizeof d,
                           .severity = (tenure_severity)m->severity,
                           .status = (tenure_status)m->status,
                           .text = m->text,
                           .rendered = m->rendered,
                           .index = -1};
    if (m->loc != NULL) {
        d.file = known(m->loc->file);
        d.line = m->loc->line;
        d.column = m->loc->col;
        d.graph = known(m->loc->graph);
        d.node = known(m->loc->name);
        d.op = known(m->loc->op);
        d.value = known(m->loc->first);
        d.index = m->loc->node;
    }
    f->fn(f->user, &d);
}

typedef struct on_args {
    tenure_diagnostic_fn fn;
    void *user;
} on_args;

static tn_status set_handler(tn_ctx *ctx, void *arg) {
    const on_args *a = arg;
    forward *f = TN_NEW(ctx->arena, forward);
    *f = (forward){a->fn, a->user};
    ctx->on_diag = on_diag;
    ctx->on_diag_user = f;
    return TN_OK;
}

void tenure_on_diagnostic(tenure_context *ctx, tenure_diagnostic_fn fn, void *user) {
    on_args a = {fn, user};
    tn_ctx *c = api_ctx(ctx);
    if (c == NULL) {
        return;
    }
    c->on_diag = NULL;
    c->on_diag_user = NULL;
    if (fn != NULL) {
        (void)tn_guard_run(c, set_handler, &a);
    }
}

void tenure_on_progress(tenure_context *ctx, tenure_progress_fn fn, void *user) {
    tn_ctx *c = api_ctx(ctx);
    if (c != NULL) {
        c->on_progress = fn;
        c->on_progress_user = user;
    }
}

void tenure_cancel(tenure_context *ctx) {
    if (ctx != NULL) {
        atomic_fetch_add_explicit(&api_ctx(ctx)->cancelled, 1, memory_order_relaxed);
    }
}

void tenure_on_log(tenure_context *ctx, tenure_log_fn fn, void *user) {
    tn_ctx *c = api_ctx(ctx);
    if (c != NULL) {
        c->on_text = fn;
        c->on_text_user = user;
    }
}

tenure_buffer *tn_api_buffer_new(tn_ctx *ctx) {
    tn_arena *arena = tn_arena_new(ctx);
    tenure_buffer *b = TN_NEW(arena, tenure_buffer);
    b->arena = arena;
    b->text = tn_sink_make(arena);
    return b;
}

tenure_status tn_api_put(tn_ctx *ctx, tn_status (*fn)(tn_ctx *ctx, void *arg), void *arg,
                         tenure_buffer **made, tenure_buffer **out) {
    tn_status status = tn_guard_run(ctx, fn, arg);
    if (status == TN_OK) {
        *out = *made;
    }
    return (tenure_status)status;
}

const char *tenure_buffer_data(const tenure_buffer *buffer) {
    return buffer != NULL ? buffer->text.data : NULL;
}

size_t tenure_buffer_size(const tenure_buffer *buffer) {
    return buffer != NULL ? buffer->text.len : 0;
}

void tenure_buffer_free(tenure_buffer *buffer) {
    if (buffer != NULL) {
        tn_arena_drop(buffer->arena);
    }
}
