/* Text modules with dimensions bound: the text is read once as it stands, to see its symbols and
 * the inputs' shapes, and again with the values in place. */
#include "frontends/core/bind.h"
#include "ir/build.h"
#include "ir/text/text.h"
#include "ir/verify.h"

typedef struct prepared {
    tn_ctx *ctx;
    const char *path;
    const tn_load_options *options;
    tn_module *open; /* as the text stands */
    tn_arena *arena;
} prepared;

static void bind_open(void *user, tn_module *m) {
    prepared *p = user;
    const tn_graph *main = p->open->main;
    tn_bind_input *inputs = TN_ARRAY(p->arena, tn_bind_input, main->n_inputs);
    for (uint32_t i = 0; i < main->n_inputs; i++) {
        inputs[i] = (tn_bind_input){main->inputs[i]->name, main->inputs[i]->type};
    }
    tn_bind_apply(p->ctx, p->path, p->options, p->open->dims, inputs, main->n_inputs, m->dims);
}

static tn_status load_bound(tn_ctx *ctx, const char *path, tn_bytes bytes,
                            const tn_load_options *options, tn_module **out) {
    const char *text = (const char *)bytes.data;
    tn_module *open = tn_module_parse(ctx, path, text, bytes.size, NULL, NULL);
    *out = open;
    if (open != NULL && options->initialization) {
        tn_loc loc = tn_loc_file(path);
        tn_fail(ctx, &loc, "a graph can be chosen in ONNX files only; text modules hold one");
    }
    if (open == NULL ||
        (options->n_dims == 0 && options->n_shapes == 0 && options->n_values == 0)) {
        return open != NULL ? TN_OK : TN_ERROR;
    }
    tn_arena *arena = tn_arena_new(ctx);
    prepared p = {ctx, path, options, open, arena};
    *out = tn_module_parse(ctx, path, text, bytes.size, bind_open, &p);
    if (*out == NULL) {
        tn_reraise(ctx, TN_ERROR); /* drops what was made for the two readings */
    }
    tn_bind_names *names = tn_bind_names_new(arena);
    for (uint32_t i = 0; i < open->n_values; i++) {
        tn_bind_see_type(names, open->dims, open->values[i]->type);
    }
    tn_bind_finish(*out, names, options);
    tn_arena_drop(arena);
    tn_module_drop(open);
    return TN_OK;
}

/* Whoever writes the text by hand may write what no graph can be. */
static tn_status load_sound(tn_ctx *ctx, const char *path, tn_bytes bytes,
                            const tn_load_options *options, tn_module **out) {
    tn_status status = load_bound(ctx, path, bytes, options, out);
    if (status == TN_OK && tn_module_verify(*out, false) != TN_OK) {
        tn_module_drop(*out);
        *out = NULL;
        status = TN_ERROR;
    }
    return status;
}

typedef struct request {
    const char *path;
    tn_bytes bytes;
    const tn_load_options *options;
    tn_module *result;
} request;

static tn_status load(tn_ctx *ctx, void *arg) {
    request *r = arg;
    return load_sound(ctx, r->path, r->bytes, r->options, &r->result);
}

tn_module *tn_load_tir(tn_ctx *ctx, const char *path, tn_bytes bytes,
                       const tn_load_options *options) {
    request r = {path, bytes, options, NULL};
    tn_status status = tn_guard_run(ctx, load, &r);
    if (status != TN_OK && status != TN_ERROR) {
        tn_reraise(ctx, status);
    }
    return status == TN_OK ? r.result : NULL;
}
