#include "cli/artefacts.h"

#include <string.h>

#include "cli/progress.h"
#include "ir/base/diag.h"
#include "ir/base/file.h"

/* KIND[,OPTION=VALUE]... */
static tn_status add_emit(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    tn_artefacts *a = target;
    (void)s;
    size_t len = strcspn(value, ",");
    const char *kind = tn_arena_strndup(c->arena, value, len);
    tn_artefact artefact = {.backend = tn_planner_backend(c->arena, kind)};
    if (artefact.backend == NULL) {
        return TN_USAGE;
    }
    artefact.args = tn_backend_defaults(c->arena, artefact.backend);
    tn_status status = TN_OK;
    if (value[len] == ',') {
        const char *origin = tn_arena_printf(c->arena, "%s=%s", c->shown, kind);
        status =
            tn_backend_set(c->arena, artefact.backend, origin, value + len + 1, &artefact.args);
    }
    tn_vec_push(c->arena, &a->list, artefact);
    return status;
}

static tn_status add_output(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    tn_artefacts *a = target;
    (void)s;
    const char *file = tn_arena_strndup(c->arena, value, strlen(value));
    tn_artefact *last = a->list.len > 0 ? &a->list.data[a->list.len - 1] : NULL;
    if (last != NULL && last->file == NULL) {
        last->file = file;
    } else {
        tn_vec_push(c->arena, &a->list, (tn_artefact){.file = file});
    }
    return TN_OK;
}

/* KIND.OPTION=VALUE, for every artefact of that kind asked for before it. */
static tn_status add_emit_opt(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    tn_artefacts *a = target;
    const char *dot = strchr(value, '.');
    bool found = false;
    if (dot == NULL) {
        return tn_set_refuse(c, s->arg, value);
    }
    const char *kind = tn_arena_strndup(c->arena, value, (size_t)(dot - value));
    const tn_backend *backend = tn_planner_backend(c->arena, kind);
    tn_status status = backend != NULL ? TN_OK : TN_USAGE;
    const char *origin = tn_arena_printf(c->arena, "%s=%s", c->shown, kind);
    for (uint32_t i = 0; i < a->list.len && status == TN_OK; i++) {
        if (a->list.data[i].backend == backend) {
            status = tn_backend_set(c->arena, backend, origin, dot + 1, &a->list.data[i].args);
            found = true;
        }
    }
    if (status == TN_OK && !found) {
        tn_error(tn_arena_ctx(c->arena), NULL, "%s: no --emit=%s stands before it", c->shown, kind);
        status = TN_USAGE;
    }
    return status;
}

static const tn_setting table[] = {
    {.name = "emit",
     .arg = "KIND[,OPTION=VALUE]...",
     .set = add_emit,
     .type = TN_SETTING_APART,
     .help = "write the plan in this form (repeatable); `tenure --list-backends` lists them"},
    {.name = "output",
     .letter = 'o',
     .arg = "FILE",
     .set = add_output,
     .type = TN_SETTING_APART,
     .help = "where the --emit before it goes; - is standard output"},
    {.name = "emit-opt",
     .arg = "KIND.OPTION=VALUE",
     .set = add_emit_opt,
     .type = TN_SETTING_APART,
     .help = "option of a backend whose --emit stands before it"},
    {0}};

tn_setting_group tn_artefacts_group(tn_artefacts *a) {
    return (tn_setting_group){"output", table, a, NULL};
}

static bool ends_with(const char *text, const char *end) {
    size_t n = strlen(text), k = strlen(end);
    return n >= k && memcmp(text + n - k, end, k) == 0;
}

/* The backend with the longest suffix that ends `file`. */
static const tn_backend *by_suffix(tn_cli *cli, const char *file) {
    uint32_t n;
    const tn_backend *const *all = tn_backend_all(&n);
    const tn_backend *best = NULL;
    for (uint32_t i = 0; i < n; i++) {
        if (ends_with(file, all[i]->suffix) &&
            (best == NULL || strlen(all[i]->suffix) > strlen(best->suffix))) {
            best = all[i];
        }
    }
    if (best == NULL) {
        tn_error(cli->ctx, NULL, "-o '%s': no backend writes files that end so; say --emit=KIND",
                 file);
    }
    return best;
}

/* "dir/net.onnx" and ".h" give "net.h" in the current folder. */
static const char *made_name(tn_cli *cli, const char *model, const char *suffix) {
    const char *slash = strrchr(model, '/');
    const char *base = slash != NULL ? slash + 1 : model;
    const char *dot = strrchr(base, '.');
    size_t len = dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base);
    if (strcmp(base, "-") == 0) {
        base = "model";
        len = strlen(base);
    }
    return tn_arena_printf(cli->arena, "%.*s%s", (int)len, base, suffix);
}

/* Under the same path, or under another. */
static bool is_model(const char *file, const char *model) {
    return strcmp(model, "-") != 0 && (strcmp(file, model) == 0 || tn_file_same(file, model));
}

tn_status tn_artefacts_resolve(tn_artefacts *a, tn_cli *cli, const char *model) {
    for (uint32_t i = 0; i < a->list.len; i++) {
        tn_artefact *at = &a->list.data[i];
        if (at->backend == NULL) {
            at->backend = by_suffix(cli, at->file);
            if (at->backend == NULL) {
                return TN_USAGE;
            }
            at->args = tn_backend_defaults(cli->arena, at->backend);
        }
        if (at->file == NULL) {
            at->file = a->list.len == 1 ? "-" : made_name(cli, model, at->backend->suffix);
        }
        if (is_model(at->file, model)) {
            tn_error(cli->ctx, NULL, "the output '%s' would replace the model", at->file);
            return TN_USAGE;
        }
        for (uint32_t j = 0; j < i; j++) {
            if (strcmp(a->list.data[j].file, at->file) == 0) {
                tn_error(cli->ctx, NULL, "two outputs go to '%s'", at->file);
                return TN_USAGE;
            }
        }
    }
    return TN_OK;
}

typedef struct open_file {
    const char *name; /* with folder */
    tn_file_out *file;
    tn_sink sink;
} open_file;

/* Files as the artefacts open them, over all artefacts. */
typedef struct writer {
    tn_cli *cli;
    const char *main;  /* file of the artefact that is being written */
    const char *model; /* file that no output may replace */
    TN_VEC(open_file *) files;
} writer;

static void put_piece(void *user, const char *data, size_t len) {
    open_file *f = user;
    tn_progress_hide();
    tn_status status = tn_file_put(f->file, data, len);
    if (status != TN_OK) {
        tn_reraise(tn_arena_ctx(f->sink.arena), status);
    }
}

/* `name` beside the main file. */
static const char *beside(const writer *w, const char *name) {
    const char *slash = strrchr(w->main, '/');
    int folder = slash != NULL ? (int)(slash - w->main) + 1 : 0;
    return tn_arena_printf(w->cli->arena, "%.*s%s", folder, w->main, name);
}

static void refuse_twice(const writer *w, const char *name) {
    for (uint32_t i = 0; i < w->files.len; i++) {
        if (strcmp(w->files.data[i]->name, name) == 0) {
            tn_fail(w->cli->ctx, NULL, "two outputs go to '%s'", name);
        }
    }
    if (is_model(name, w->model)) {
        tn_fail(w->cli->ctx, NULL, "the output '%s' would replace the model", name);
    }
}

static open_file *open_at(tn_arena *arena, const char *name) {
    open_file *f = TN_NEW(arena, open_file);
    f->name = name;
    f->file = tn_file_create(arena, name);
    if (f->file == NULL) {
        tn_reraise(tn_arena_ctx(arena), TN_ERROR);
    }
    f->sink = tn_sink_streamed(arena, (tn_drain){put_piece, f});
    return f;
}

static tn_sink *open_output(void *user, const char *name) {
    writer *w = user;
    const char *path = name[0] == '\0' ? w->main : beside(w, name);
    refuse_twice(w, path);
    open_file *f = open_at(w->cli->arena, path);
    tn_vec_push(w->cli->arena, &w->files, f);
    return &f->sink;
}

tn_status tn_cli_write(tn_cli *cli, const char *file, void (*put)(void *user, tn_sink *out),
                       void *user) {
    open_file *f = open_at(cli->arena, file);
    put(user, &f->sink);
    tn_sink_flush(&f->sink);
    return tn_file_commit(f->file);
}

const char *tn_cli_folder(tn_cli *cli, const char *file) {
    return strcmp(file, "-") == 0 ? NULL : tn_file_folder(cli->arena, file);
}

/* The part of a path behind its folder; "" for standard output. */
static const char *own_name(const char *file) {
    const char *slash = strrchr(file, '/');
    return strcmp(file, "-") == 0 ? "" : slash != NULL ? slash + 1 : file;
}

static tn_status write_one(writer *w, const tn_artefact *at, const tn_plan *plan,
                           const tn_module *model) {
    w->main = at->file;
    uint32_t first = w->files.len;
    tn_outlet outlet = {own_name(at->file), open_output, w, tn_cli_folder(w->cli, at->file)};
    tn_status status = tn_backend_emit(at->backend, plan, model, &at->args, &outlet);
    for (uint32_t i = first; i < w->files.len && status == TN_OK; i++) {
        tn_sink_flush(&w->files.data[i]->sink);
    }
    return status;
}

tn_status tn_artefacts_write(const tn_artefacts *a, tn_cli *cli, const tn_plan *plan,
                             const tn_module *model) {
    writer w = {.cli = cli, .model = model->file};
    tn_progress(cli->ctx, "write");
    for (uint32_t i = 0; i < a->list.len; i++) {
        tn_status status = write_one(&w, &a->list.data[i], plan, model);
        if (status != TN_OK) {
            return status;
        }
    }
    for (uint32_t i = 0; i < w.files.len; i++) {
        tn_status status = tn_file_commit(w.files.data[i]->file);
        if (status != TN_OK) {
            return status;
        }
    }
    return TN_OK;
}

uint64_t tn_artefacts_align(const tn_artefacts *a) {
    uint64_t align = 0;
    for (uint32_t i = 0; i < a->list.len; i++) {
        const tn_artefact *at = &a->list.data[i];
        uint64_t wish = at->backend->align != NULL ? at->backend->align(&at->args) : 0;
        align = wish > align ? wish : align;
    }
    return align;
}
