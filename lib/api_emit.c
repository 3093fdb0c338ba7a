/* tenure.h: what comes out. */
#include <string.h>

#include "ir/base/diag.h"
#include "ir/plan/forms.h"
#include "lib/api_t.h"

typedef struct emit_args {
    const tn_plan *plan;
    const char *backend, *options;
    tenure_buffer *out;
    const tn_module *model;
    const tenure_sink *sink;
} emit_args;

/* The backend and its options; and whether the plan may leave. */
static tn_status prepare(tn_arena *arena, const emit_args *a, const tn_backend **backend,
                         tn_backend_args *args) {
    *backend = tn_planner_backend(arena, a->backend);
    if (*backend == NULL) {
        return TN_USAGE;
    }
    *args = tn_backend_defaults(arena, *backend);
    bool has_options = a->options != NULL && a->options[0] != '\0';
    tn_status status =
        has_options ? tn_backend_set(arena, *backend, "options", a->options, args) : TN_OK;
    return status == TN_OK ? tn_plan_may_leave(a->plan, a->plan->model) : status;
}

static tn_status emit_text(tn_ctx *ctx, void *arg) {
    emit_args *a = arg;
    a->out = tn_api_buffer_new(ctx);
    const tn_backend *backend;
    tn_backend_args args;
    tn_status status = prepare(a->out->arena, a, &backend, &args);
    if (status == TN_OK) {
        status = tn_backend_print(backend, a->plan, a->model, &args, &a->out->text);
    }
    if (status != TN_OK) {
        tn_arena_drop(a->out->arena);
    }
    return status;
}

/* ---- files through the caller's function ---- */

typedef struct caller_file {
    const tenure_sink *to;
    const char *name;
    tn_sink sink;
} caller_file;

typedef struct caller_files {
    tn_arena *arena;
    const tenure_sink *to;
    TN_VEC(caller_file *) list;
} caller_files;

static void hand_on(void *user, const char *data, size_t len) {
    const caller_file *f = user;
    tn_ctx *ctx = tn_arena_ctx(f->sink.arena);
    if (f->to->write(f->to->user, f->name, data, len) != 0) {
        tn_fail(ctx, NULL, "'%s' is not taken by the caller", f->name);
    }
}

static tn_sink *open_for_caller(void *user, const char *name) {
    caller_files *files = user;
    caller_file *f = TN_NEW(files->arena, caller_file);
    *f = (caller_file){.to = files->to, .name = tn_arena_strndup(files->arena, name, strlen(name))};
    f->sink = tn_sink_streamed(files->arena, (tn_drain){hand_on, f});
    tn_vec_push(files->arena, &files->list, f);
    hand_on(f, "", 0);
    return &f->sink;
}

static tn_status emit_files(tn_ctx *ctx, void *arg) {
    emit_args *a = arg;
    if (a->sink->struct_size < sizeof *a->sink) {
        tn_error(ctx, NULL, "tenure_emit: sink->struct_size is %zu, this library needs %zu",
                 a->sink->struct_size, sizeof *a->sink);
        return TN_USAGE;
    }
    tn_arena *arena = tn_arena_new(ctx);
    caller_files files = {.arena = arena, .to = a->sink};
    const char *name = a->sink->name != NULL ? a->sink->name : "";
    const tn_backend *backend;
    tn_backend_args args;
    tn_status status = prepare(arena, a, &backend, &args);
    if (status == TN_OK) {
        tn_outlet outlet = {.name = name, .open = open_for_caller, .user = &files};
        status = tn_backend_emit(backend, a->plan, a->model, &args, &outlet);
    }
    for (uint32_t i = 0; i < files.list.len && status == TN_OK; i++) {
        tn_sink_flush(&files.list.data[i]->sink);
    }
    tn_arena_drop(arena);
    return status;
}

/* A caller built with another header may know fewer members; all of them are needed so far. */
tenure_status tenure_emit(const tenure_plan *plan, const tenure_model *model, const char *backend,
                          const char *options, const tenure_sink *sink) {
    static const char where[] = "tenure_emit";
    emit_args a = {.plan = api_plan(plan), .backend = backend, .options = options};
    a.model = api_module(model);
    a.sink = sink;
    tn_ctx *ctx = plan != NULL ? a.plan->ctx : NULL;
    if (plan == NULL || backend == NULL || sink == NULL) {
        return tn_api_null(ctx, where,
                           plan == NULL      ? "plan"
                           : backend == NULL ? "backend"
                                             : "sink");
    }
    if (sink->struct_size >= sizeof *sink && sink->write == NULL) {
        return tn_api_null(ctx, where, "sink->write");
    }
    return (tenure_status)tn_guard_run(ctx, emit_files, &a);
}

static tn_status report(tn_ctx *ctx, void *arg) {
    emit_args *a = arg;
    a->out = tn_api_buffer_new(ctx);
    tn_plan_report_print(a->plan, &a->out->text);
    return TN_OK;
}

static tenure_status put_out(emit_args *a, tn_status (*fn)(tn_ctx *ctx, void *arg),
                             const char *where, tenure_buffer **out) {
    if (out != NULL) {
        *out = NULL;
    }
    if (a->plan == NULL || out == NULL) {
        return tn_api_null(a->plan != NULL ? a->plan->ctx : NULL, where, "out");
    }
    tn_status status = tn_guard_run(a->plan->ctx, fn, a);
    *out = status == TN_OK ? a->out : NULL;
    return (tenure_status)status;
}

tenure_status tenure_plan_emit(const tenure_plan *plan, const char *backend, const char *options,
                               tenure_buffer **out) {
    emit_args a = {.plan = api_plan(plan), .backend = backend, .options = options};
    if (plan != NULL && backend == NULL) {
        if (out != NULL) {
            *out = NULL;
        }
        return tn_api_null(a.plan->ctx, "tenure_plan_emit", "backend");
    }
    return put_out(&a, emit_text, "tenure_plan_emit", out);
}

tenure_status tenure_plan_report(const tenure_plan *plan, tenure_buffer **out) {
    emit_args a = {.plan = api_plan(plan)};
    return put_out(&a, report, "tenure_plan_report", out);
}
