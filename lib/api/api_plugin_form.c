/* plugin.h: backends and frontends. */
#include <string.h>

#include "backends/core/backend.h"
#include "frontends/core/frontend.h"
#include "ir/base/diag.h"
#include "ir/ops/op_set.h"
#include "ir/os/os.h"
#include "lib/api/api_plugin_t.h"

/* ---- backends ---- */

typedef struct beside {
    const char *name;
    tn_sink *out;
} beside;

struct tenure_emission {
    const tn_emission *e;
    tn_arena *arena;
    TN_VEC(beside) files;
};

static tn_status emit(const tn_emission *e) {
    const tenure_backend_def *def = e->backend->user;
    tn_ctx *ctx = e->plan->ctx;
    tn_arena *arena = tn_arena_new(ctx);
    tenure_emission emission = {.e = e, .arena = arena};
    uint32_t before = ctx->n_errors;
    tenure_status status = def->emit(&emission, (const tenure_plan *)e->plan,
                                     (const tenure_model *)e->model, def->user);
    tn_arena_drop(arena);
    return tn_api_plugin_status(ctx, "backend", def->name, status, before);
}

static tn_status register_backend(tn_ctx *ctx, void *arg) {
    const tn_register_args *args = arg;
    tenure_backend_def *def = TN_NEW(ctx->arena, tenure_backend_def);
    memcpy(def, args->full, sizeof *def);
    tn_status status = tn_api_register_name(ctx, args, def->name, def->summary);
    if (status != TN_OK) {
        return status;
    }
    if (tn_backend_find(ctx, def->name) != NULL) {
        return tn_api_register_refuse(ctx, args, "there is a backend '%s' already", def->name);
    }
    if (def->emit == NULL || def->suffix == NULL || def->suffix[0] == '\0') {
        return tn_api_register_refuse(ctx, args, "backend '%s' emits nothing, or has no suffix",
                                      def->name);
    }
    tn_backend *b = TN_NEW(ctx->arena, tn_backend);
    *b = (tn_backend){.name = def->name,
                      .summary = def->summary,
                      .suffix = def->suffix,
                      .emit = emit,
                      .needs_model = def->needs_model != 0,
                      .user = def};
    status = tn_api_register_options(ctx, args, def->options, &b->options);
    if (status == TN_OK) {
        tn_ctx_add(ctx, TN_EXTRA_BACKEND, b);
    }
    return status;
}

tenure_status tenure_register_backend(tenure_context *ctx, const tenure_backend_def *backend) {
    tenure_backend_def full;
    tn_register_args args = {"tenure_register_backend", backend, sizeof full, &full};
    return tn_api_register(ctx, &args, register_backend);
}

const char *tenure_emission_value(const tenure_emission *emission, const char *option) {
    int64_t i = emission != NULL ? tn_api_option_at(emission->e->backend->options, option) : -1;
    return i >= 0 ? emission->e->args->values[i] : NULL;
}

const char *tenure_emission_name(const tenure_emission *emission) {
    return emission != NULL ? emission->e->outlet->name : NULL;
}

typedef struct write_args {
    tenure_emission *emission;
    const char *file;
    const void *data;
    size_t size;
} write_args;

static tn_sink *sink_of(tenure_emission *emission, const char *name) {
    for (uint32_t i = 0; i < emission->files.len; i++) {
        if (strcmp(emission->files.data[i].name, name) == 0) {
            return emission->files.data[i].out;
        }
    }
    const tn_outlet *outlet = emission->e->outlet;
    beside f = {tn_arena_strndup(emission->arena, name, strlen(name)), NULL};
    f.out = outlet->open(outlet->user, f.name);
    tn_vec_push(emission->arena, &emission->files, f);
    return f.out;
}

static tn_status write_bytes(tn_ctx *ctx, void *arg) {
    const write_args *a = arg;
    (void)ctx;
    if (a->file != NULL && (a->file[0] == '\0' || tn_os_base_name(a->file) != a->file)) {
        return tn_error(ctx, NULL, "backend '%s': '%s' cannot name a file beside the main one",
                        a->emission->e->backend->name, a->file);
    }
    tn_put_n(a->file != NULL ? sink_of(a->emission, a->file) : a->emission->e->out, a->data,
             a->size);
    return TN_OK;
}

tenure_status tenure_emission_write(tenure_emission *emission, const char *file, const void *data,
                                    size_t size) {
    write_args a = {emission, file, data, size};
    if (emission == NULL || (data == NULL && size > 0)) {
        return TENURE_USAGE;
    }
    return (tenure_status)tn_guard_run(emission->e->plan->ctx, write_bytes, &a);
}

/* ---- frontends ---- */

static tn_match match(const void *user, tn_bytes bytes) {
    const tenure_frontend_def *def = user;
    int found = def->match(bytes.data, bytes.size, def->user);
    return found <= 0 ? TN_MATCH_NO : found == 1 ? TN_MATCH_MAYBE : TN_MATCH_YES;
}

/* Rows were looked up before facts were at hand. */
static void apply_rows(tn_module *m, struct tn_op_set *set) {
    m->op_set = set;
    for (uint32_t i = 0; set != NULL && i < m->n_ops; i++) {
        tn_op *op = m->ops[i];
        op->info = tn_op_set_row(set, op->domain, op->type, op->version, op->name, &op->code);
    }
}

static tn_module *read_model(const tn_source *src) {
    const tenure_frontend_def *def = src->frontend->user;
    uint32_t before = src->ctx->n_errors;
    tenure_model *model = def->read((tenure_context *)src->ctx, src->path, src->bytes.data,
                                    src->bytes.size, def->user);
    if (model == NULL) {
        tenure_status failed = src->ctx->last == TN_NOMEM ? TENURE_NOMEM : TENURE_ERROR;
        tn_status status = tn_api_plugin_status(src->ctx, "frontend", def->name, failed, before);
        tn_loc loc = tn_loc_file(src->path);
        tn_note(src->ctx, &loc, "frontend '%s' of a plug-in has read the file", def->name);
        tn_reraise(src->ctx, status);
    }
    tn_module *m = api_module(model);
    apply_rows(m, src->op_set);
    if (tn_api_settle(m) != TN_OK) {
        tn_note(src->ctx, NULL, "frontend '%s' of a plug-in has made the model so", def->name);
        tn_reraise(src->ctx, TN_ERROR);
    }
    return m;
}

static tn_status register_frontend(tn_ctx *ctx, void *arg) {
    const tn_register_args *args = arg;
    tenure_frontend_def *def = TN_NEW(ctx->arena, tenure_frontend_def);
    memcpy(def, args->full, sizeof *def);
    tn_status status = tn_api_register_name(ctx, args, def->name, def->summary);
    if (status != TN_OK) {
        return status;
    }
    if (def->match == NULL || def->read == NULL) {
        return tn_api_register_refuse(ctx, args, "frontend '%s' matches or reads nothing",
                                      def->name);
    }
    tn_frontend *f = TN_NEW(ctx->arena, tn_frontend);
    *f = (tn_frontend){.name = def->name,
                       .summary = def->summary,
                       .read = read_model,
                       .match_for = match,
                       .user = def};
    tn_ctx_add(ctx, TN_EXTRA_FRONTEND, f);
    return TN_OK;
}

tenure_status tenure_register_frontend(tenure_context *ctx, const tenure_frontend_def *frontend) {
    tenure_frontend_def full;
    tn_register_args args = {"tenure_register_frontend", frontend, sizeof full, &full};
    return tn_api_register(ctx, &args, register_frontend);
}
