/* tenure.h: version, contexts, options, buffers. */
#include "ir/base/diag.h"
#include "lib/api_t.h"
#include "lib/project.h"
#include "lib/version.h"

_Static_assert((int)TENURE_OK == (int)TN_OK && (int)TENURE_ERROR == (int)TN_ERROR &&
                   (int)TENURE_USAGE == (int)TN_USAGE && (int)TENURE_NOMEM == (int)TN_NOMEM &&
                   (int)TENURE_NOFIT == (int)TN_NOFIT && (int)TENURE_INTERNAL == (int)TN_INTERNAL,
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

static tn_status new_options(tn_ctx *ctx, void *arg) {
    tn_arena *arena = tn_arena_new(ctx);
    tenure_options *o = TN_NEW(arena, tenure_options);
    o->arena = arena;
    o->request = tn_request_new(arena);
    *(tenure_options **)arg = o;
    return TN_OK;
}

tenure_options *tenure_options_new(tenure_context *ctx) {
    tenure_options *o = NULL;
    return ctx != NULL && tn_guard_run(api_ctx(ctx), new_options, &o) == TN_OK ? o : NULL;
}

void tenure_options_free(tenure_options *options) {
    if (options != NULL) {
        tn_arena_drop(options->arena);
    }
}

typedef struct set_args {
    tenure_options *options;
    const char *name, *value;
} set_args;

static tn_status set_option(tn_ctx *ctx, void *arg) {
    const set_args *a = arg;
    (void)ctx;
    return tn_request_set(a->options->request, a->name, a->value, NULL);
}

tenure_status tenure_options_set(tenure_options *options, const char *name, const char *value) {
    set_args a = {options, name, value};
    if (options == NULL || name == NULL) {
        return tn_api_null(options != NULL ? tn_arena_ctx(options->arena) : NULL,
                           "tenure_options_set", options == NULL ? "options" : "name");
    }
    return (tenure_status)tn_guard_run(tn_arena_ctx(options->arena), set_option, &a);
}

typedef struct read_args {
    tenure_options *options;
    const char *name;
    tn_bytes bytes;
} read_args;

static tn_status read_options(tn_ctx *ctx, void *arg) {
    const read_args *a = arg;
    tn_arena *arena = a->options->arena;
    tn_setting_group groups[TN_REQUEST_GROUPS];
    tn_request_groups(a->options->request, groups);
    tn_project_scope scope = {.options = groups, .n_options = TN_REQUEST_GROUPS};
    tn_project p;
    (void)ctx;
    tn_status status = tn_project_read(arena, a->name, a->bytes, &scope, &p);
    return status == TN_OK ? tn_project_apply(arena, &p) : status;
}

tenure_status tenure_options_read(tenure_options *options, const char *name, const void *data,
                                  size_t size) {
    read_args a = {options, name, {data, size}};
    if (options == NULL || name == NULL || data == NULL) {
        return tn_api_null(options != NULL ? tn_arena_ctx(options->arena) : NULL,
                           "tenure_options_read",
                           options == NULL ? "options"
                           : name == NULL  ? "name"
                                           : "data");
    }
    return (tenure_status)tn_guard_run(tn_arena_ctx(options->arena), read_options, &a);
}

tn_request *tn_api_request(tn_arena *arena, const tenure_options *options) {
    return options != NULL ? options->request : tn_request_new(arena);
}

tenure_buffer *tn_api_buffer_new(tn_ctx *ctx) {
    tn_arena *arena = tn_arena_new(ctx);
    tenure_buffer *b = TN_NEW(arena, tenure_buffer);
    b->arena = arena;
    b->text = tn_sink_make(arena);
    return b;
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
