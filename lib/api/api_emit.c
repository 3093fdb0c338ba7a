/* tenure.h: what comes out. */
#include <string.h>

#include "ir/base/diag.h"
#include "ir/base/file.h"
#include "ir/build.h"
#include "ir/os/os.h"
#include "ir/plan/forms.h"
#include "lib/api/api_t.h"

typedef struct emit_args {
    const tn_plan *plan;
    const char *backend, *options;
    const tenure_options *asked;
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

/* Files as the artefacts open them, over all artefacts. */
typedef struct caller_files {
    tn_arena *arena;
    const tenure_sink *to;
    const char *main;  /* path of the artefact that is being written; NULL: names are left alone */
    const char *model; /* that no file may replace */
    TN_VEC(caller_file *) list;
} caller_files;

static void hand_on(void *user, const char *data, size_t len) {
    const caller_file *f = user;
    tn_ctx *ctx = tn_arena_ctx(f->sink.arena);
    tn_poll(ctx);
    int refused = f->to->write(f->to->user, f->name, data, len);
    if (refused > 0) {
        tn_fail(ctx, NULL, "'%s' is not taken by the caller", f->name);
    } else if (refused < 0) {
        tn_reraise(ctx, TN_ERROR); /* he has said why */
    }
}

/* `name` beside the main file. */
static const char *path_of(const caller_files *files, const char *name) {
    if (files->main == NULL) {
        return tn_arena_strndup(files->arena, name, strlen(name));
    }
    return name[0] == '\0' ? files->main : tn_file_beside(files->arena, files->main, name);
}

static void refuse_twice(const caller_files *files, const char *path) {
    tn_ctx *ctx = tn_arena_ctx(files->arena);
    for (uint32_t i = 0; i < files->list.len; i++) {
        if (strcmp(files->list.data[i]->name, path) == 0) {
            tn_fail(ctx, NULL, "two outputs go to '%s'", path);
        }
    }
    if (tn_artefact_replaces(path, files->model)) {
        tn_fail(ctx, NULL, "the output '%s' would replace the model", path);
    }
}

static tn_sink *open_for_caller(void *user, const char *name) {
    caller_files *files = user;
    caller_file *f = TN_NEW(files->arena, caller_file);
    *f = (caller_file){.to = files->to, .name = path_of(files, name)};
    if (files->main != NULL) {
        refuse_twice(files, f->name);
    }
    f->sink = tn_sink_streamed(files->arena, (tn_drain){hand_on, f});
    tn_vec_push(files->arena, &files->list, f);
    hand_on(f, "", 0);
    return &f->sink;
}

static tn_status emit_one(caller_files *files, const emit_args *a, const tn_backend *backend,
                          const tn_backend_args *args, const char *name) {
    uint32_t first = files->list.len;
    bool to_file = files->main != NULL && strcmp(files->main, "-") != 0;
    tn_outlet outlet = {name, open_for_caller, files,
                        to_file ? tn_file_folder(files->arena, files->main) : NULL};
    tn_module *formed = NULL;
    bool made = a->model != NULL && backend->groups != NULL;
    tn_status status = made ? tn_planner_form(a->plan, a->model, &formed) : TN_OK;
    if (status == TN_OK) {
        status =
            tn_backend_emit(backend, a->plan, formed != NULL ? formed : a->model, args, &outlet);
    }
    tn_module_drop(formed);
    for (uint32_t i = first; i < files->list.len && status == TN_OK; i++) {
        tn_sink_flush(&files->list.data[i]->sink);
    }
    return status;
}

static tn_status emit_files(tn_ctx *ctx, void *arg) {
    emit_args *a = arg;
    tn_arena *arena = tn_arena_new(ctx);
    caller_files files = {.arena = arena, .to = a->sink};
    const tn_backend *backend;
    tn_backend_args args;
    tn_status status = prepare(arena, a, &backend, &args);
    if (status == TN_OK) {
        const char *name = a->sink->name != NULL ? a->sink->name : "";
        status = emit_one(&files, a, backend, &args, name);
    }
    tn_arena_drop(arena);
    return status;
}

/* The part of a path behind its folder; "" for standard output. */
static const char *own_name(const char *file) {
    return strcmp(file, "-") == 0 ? "" : tn_os_base_name(file);
}

static tn_status emit_each(caller_files *files, const emit_args *a, const tn_artefacts *artefacts) {
    tn_status status = TN_OK;
    tn_progress(tn_arena_ctx(files->arena), "write");
    for (uint32_t i = 0; i < artefacts->list.len && status == TN_OK; i++) {
        const tn_artefact *at = &artefacts->list.data[i];
        files->main = at->file;
        status = emit_one(files, a, at->backend, &at->args, own_name(at->file));
    }
    return status;
}

/* The report says what is left out; without both somebody has to. */
static tn_status emit_all(tn_ctx *ctx, void *arg) {
    const emit_args *a = arg;
    const char *file = a->model->file;
    tn_artefacts artefacts = {0}; /* a copy: the caller's options stay as they are */
    tn_arena *arena = tn_arena_new(ctx);
    for (uint32_t i = 0; i < a->asked->artefacts.list.len; i++) {
        tn_vec_push(arena, &artefacts.list, a->asked->artefacts.list.data[i]);
    }
    caller_files files = {.arena = arena, .to = a->sink, .model = file};
    tn_status status = tn_artefacts_resolve(&artefacts, arena, file);
    if (status == TN_OK && artefacts.list.len > 0) {
        status = tn_plan_may_leave(a->plan, file);
    } else if (status == TN_OK && a->asked->output.quiet) {
        tn_plan_warn(a->plan, file);
    }
    if (status == TN_OK) {
        status = emit_each(&files, a, &artefacts);
    }
    tn_arena_drop(arena);
    return status;
}

/* A caller built with another header may know fewer members; all of them are needed so far. */
static tn_status bad_sink(tn_ctx *ctx, void *arg) {
    const emit_args *a = arg;
    return tn_usage(ctx, NULL, "%s: sink->struct_size is %zu, this library needs %zu", a->backend,
                    a->sink->struct_size, sizeof *a->sink);
}

static tenure_status run_emit(emit_args *a, tn_status (*fn)(tn_ctx *ctx, void *arg),
                              const char *where, const char *missing) {
    tn_ctx *ctx = a->plan != NULL ? a->plan->ctx : NULL;
    missing = a->plan == NULL ? "plan" : missing;
    if (missing == NULL && a->sink->struct_size < sizeof *a->sink) {
        a->backend = where;
        return (tenure_status)tn_guard_run(ctx, bad_sink, a);
    }
    if (missing == NULL && a->sink->write == NULL) {
        missing = "sink->write";
    }
    return missing != NULL ? tn_api_null(ctx, where, missing)
                           : (tenure_status)tn_guard_run(ctx, fn, a);
}

tenure_status tenure_emit(const tenure_plan *plan, const tenure_model *model, const char *backend,
                          const char *options, const tenure_sink *sink) {
    emit_args a = {.plan = api_plan(plan),
                   .model = api_module(model),
                   .backend = backend,
                   .options = options,
                   .sink = sink};
    return run_emit(&a, emit_files, "tenure_emit",
                    backend == NULL ? "backend"
                    : sink == NULL  ? "sink"
                                    : NULL);
}

tenure_status tenure_emit_all(const tenure_plan *plan, const tenure_model *model,
                              const tenure_options *options, const tenure_sink *sink) {
    emit_args a = {
        .plan = api_plan(plan), .model = api_module(model), .asked = options, .sink = sink};
    return run_emit(&a, emit_all, "tenure_emit_all",
                    model == NULL     ? "model"
                    : options == NULL ? "options"
                    : sink == NULL    ? "sink"
                                      : NULL);
}

static tn_status print(tn_ctx *ctx, void *arg) {
    emit_args *a = arg;
    a->out = tn_api_buffer_new(ctx);
    tn_plan_print(a->plan, &a->out->text);
    return TN_OK;
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
    return tn_api_put(a->plan->ctx, fn, a, &a->out, out);
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

tenure_status tenure_plan_print(const tenure_plan *plan, tenure_buffer **out) {
    emit_args a = {.plan = api_plan(plan)};
    return put_out(&a, print, "tenure_plan_print", out);
}
