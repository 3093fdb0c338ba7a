/* From bytes to a module that is ready for passes: the steps every form takes. */
#include <string.h>

#include "frontends/core/attrs.h"
#include "frontends/core/bind.h"
#include "frontends/core/foreign.h"
#include "ir/ops/op_set.h"

static tn_match match_of(const tn_frontend *f, tn_bytes bytes) {
    return f->match != NULL ? f->match(bytes) : f->match_for(f->user, bytes);
}

/* Of those that say the same the last: one of ours says maybe to any bytes. */
static const tn_frontend *frontend_of(tn_ctx *ctx, const char *path, tn_bytes bytes) {
    uint32_t n;
    const tn_frontend *const *all = tn_frontend_all(ctx, &n);
    const tn_frontend *best = NULL;
    tn_match match = TN_MATCH_NO;
    for (uint32_t i = 0; i < n; i++) {
        tn_match m = match_of(all[i], bytes);
        if (m != TN_MATCH_NO && m >= match) {
            match = m;
            best = all[i];
        }
    }
    tn_foreign foreign = {0};
    if (match != TN_MATCH_YES) {
        foreign = tn_foreign_of(path, bytes);
    }
    if (foreign.what != NULL) {
        tn_loc loc = tn_loc_file(path);
        tn_fail(ctx, &loc, "not an ONNX model but %s; %s", foreign.what, foreign.to_do);
    }
    return best;
}

/* The option is another frontend's, or nobody's. */
TN_NORETURN static void refuse(const tn_source *src, const char *name) {
    uint32_t n;
    const tn_frontend *const *all = tn_frontend_all(src->ctx, &n);
    tn_loc loc = tn_loc_file(src->path);
    for (uint32_t i = 0; i < n; i++) {
        if (tn_frontend_option(all[i], name) != NULL) {
            tn_fail_usage(src->ctx, &loc,
                          "option '%s' is for the frontend '%s', this file is for '%s'", name,
                          all[i]->name, src->frontend->name);
        }
    }
    tn_fail_usage(src->ctx, &loc, "no frontend has an option '%s'", name);
}

static void check_settings(const tn_source *src) {
    for (uint32_t i = 0; i < src->options->n_settings; i++) {
        const tn_pair *s = &src->options->settings[i];
        const tn_frontend_opt *any = tn_frontend_option(NULL, s->key);
        const tn_frontend_opt *own = tn_frontend_option(src->frontend, s->key);
        if (own == NULL && (any == NULL || strcmp(any->fallback, s->value) != 0)) {
            refuse(src, s->key);
        }
        if (own != NULL && !tn_frontend_accepts(own, s->value)) {
            tn_loc loc = tn_loc_file(src->path);
            tn_fail_usage(src->ctx, &loc, "option '%s' must be %s, not '%s'", s->key,
                          own->type == TN_FRONTEND_FLAG ? "true or false" : own->wanted, s->value);
        }
    }
}

typedef struct job {
    tn_source src;
    tn_module *result;
} job;

static tn_status run(tn_ctx *ctx, void *arg) {
    job *j = arg;
    j->src.frontend = frontend_of(ctx, j->src.path, j->src.bytes);
    if (j->src.frontend == NULL) {
        tn_loc loc = tn_loc_file(j->src.path);
        tn_fail(ctx, &loc, "no frontend knows the form of this file");
    }
    check_settings(&j->src);
    if (j->src.options->op_set != NULL) {
        j->src.op_set = j->src.options->op_set(ctx, j->src.options->op_set_user);
    }
    j->result = j->src.frontend->read(&j->src);
    if (j->src.op_set != NULL) {
        tn_arena_join(j->result->arena, j->src.op_set->arena);
        j->src.op_set->arena = j->result->arena;
    }
    tn_settle_attrs(j->result);
    tn_bind_open(j->result, j->src.options);
    return TN_OK;
}

static tn_module *load(tn_ctx *ctx, const char *path, tn_bytes bytes, bool mapped,
                       const tn_load_options *options) {
    static const tn_load_options none = {0};
    options = options != NULL ? options : &none;
    job j = {.src = {ctx, NULL, path, bytes, mapped, options, NULL}};
    tn_progress(ctx, "read");
    tn_status status = tn_guard_run(ctx, run, &j);
    if (status != TN_OK && status != TN_ERROR) {
        tn_reraise(ctx, status);
    }
    return status == TN_OK ? j.result : NULL;
}

tn_module *tn_load_bytes(tn_ctx *ctx, const char *path, tn_bytes bytes,
                         const tn_load_options *options) {
    return load(ctx, path, bytes, false, options);
}

tn_module *tn_load_file(tn_ctx *ctx, const char *path, const tn_load_options *options) {
    tn_arena *arena = tn_arena_new(ctx);
    tn_bytes bytes;
    tn_module *m = NULL;
    if (tn_file_map(arena, path, &bytes) == TN_OK) {
        m = load(ctx, path, bytes, tn_file_is_regular(path), options);
    }
    if (m != NULL) {
        tn_arena_join(m->arena, arena);
    } else {
        tn_arena_drop(arena);
    }
    return m;
}

typedef struct note_job {
    tn_source src;
    const char *key;
    tn_bytes text;
} note_job;

static tn_status find_note(tn_ctx *ctx, void *arg) {
    note_job *j = arg;
    tn_loc loc = tn_loc_file(j->src.path);
    j->src.frontend = frontend_of(ctx, j->src.path, j->src.bytes);
    if (j->src.frontend != NULL && j->src.frontend->find_note != NULL) {
        j->text = j->src.frontend->find_note(&j->src, j->key);
    }
    if (j->text.data == NULL) {
        tn_fail(ctx, &loc, "there is no '%s' in its metadata; `tenure plan --emit=onnx` writes it",
                j->key);
    }
    return TN_OK;
}

bool tn_load_note(tn_ctx *ctx, const char *path, tn_bytes bytes, const char *key, tn_bytes *text) {
    note_job j = {.src = {.ctx = ctx, .path = path, .bytes = bytes}, .key = key};
    tn_status status = tn_guard_run(ctx, find_note, &j);
    if (status != TN_OK && status != TN_ERROR) {
        tn_reraise(ctx, status);
    }
    *text = j.text;
    return status == TN_OK;
}
