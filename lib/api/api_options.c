/* tenure.h: options. */
#include <string.h>

#include "ir/base/diag.h"
#include "lib/api/api_t.h"
#include "lib/request/project_args.h"
#include "lib/sets/sets.h"

typedef struct new_args {
    const char *command;
    tenure_options *options;
} new_args;

static tn_status new_options(tn_ctx *ctx, void *arg) {
    new_args *a = arg;
    a->options = tn_options_new(ctx, a->command);
    return a->options != NULL
               ? TN_OK
               : tn_usage(ctx, NULL, "there are no options of a command '%s'", a->command);
}

tenure_options *tenure_options_new(tenure_context *ctx) {
    return tenure_options_for(ctx, "plan");
}

tenure_options *tenure_options_for(tenure_context *ctx, const char *command) {
    new_args a = {command, NULL};
    if (ctx == NULL || command == NULL) {
        (void)tn_api_null(api_ctx(ctx), "tenure_options_for", "command");
        return NULL;
    }
    return tn_guard_run(api_ctx(ctx), new_options, &a) == TN_OK ? a.options : NULL;
}

void tenure_options_free(tenure_options *options) {
    if (options != NULL) {
        tn_arena_drop(options->arena);
    }
}

/* What the functions below are given. */
typedef struct call {
    tenure_options *options;
    const char *name, *value;
    const char *const *models;
    uint32_t n_models;
    tn_bytes bytes;
    int argc;
    char *const *argv;
    int *at;
    tenure_buffer *made;
} call;

static tenure_status run(call *c, tn_status (*fn)(tn_ctx *ctx, void *arg)) {
    return (tenure_status)tn_guard_run(tn_arena_ctx(c->options->arena), fn, c);
}

static tenure_status null(const tenure_options *options, const char *where, const char *what) {
    return tn_api_null(options != NULL ? tn_arena_ctx(options->arena) : NULL, where,
                       options == NULL ? "options" : what);
}

static tn_status set(tn_ctx *ctx, void *arg) {
    const call *c = arg;
    (void)ctx;
    return tn_options_set(c->options, c->name, c->value);
}

tenure_status tenure_options_set(tenure_options *options, const char *name, const char *value) {
    call c = {.options = options, .name = name, .value = value};
    return options != NULL && name != NULL ? run(&c, set)
                                           : null(options, "tenure_options_set", "name");
}

static tn_status take_arg(tn_ctx *ctx, void *arg) {
    const call *c = arg;
    const char *word = c->argv[*c->at];
    if (word[0] != '-' || word[1] == '\0') {
        return tn_usage(ctx, NULL, "'%s' is not an option", word);
    }
    return tn_options_arg(c->options, c->argc, c->argv, c->at);
}

tenure_status tenure_options_arg(tenure_options *options, int argc, char *const *argv, int *at) {
    call c = {.options = options, .argc = argc, .argv = argv, .at = at};
    if (options == NULL || argv == NULL || at == NULL || *at < 0 || *at >= argc) {
        return null(options, "tenure_options_arg", argv == NULL ? "argv" : "argument");
    }
    return run(&c, take_arg);
}

static tn_status read_options(tn_ctx *ctx, void *arg) {
    const call *c = arg;
    (void)ctx;
    return tn_options_read(c->options, c->name, c->bytes);
}

tenure_status tenure_options_read(tenure_options *options, const char *name, const void *data,
                                  size_t size) {
    call c = {.options = options, .name = name, .bytes = {data, size}};
    if (options == NULL || name == NULL || data == NULL) {
        return null(options, "tenure_options_read", name == NULL ? "name" : "data");
    }
    return run(&c, read_options);
}

static tn_status read_files(tn_ctx *ctx, void *arg) {
    const call *c = arg;
    (void)ctx;
    return tn_options_read_files(c->options);
}

tenure_status tenure_options_read_files(tenure_options *options) {
    call c = {.options = options};
    return options != NULL ? run(&c, read_files) : null(options, "tenure_options_read_files", "");
}

const char *tenure_options_model(const tenure_options *options) {
    const char *only = options != NULL && options->models.len == 1 ? options->models.data[0] : NULL;
    return only != NULL && tn_set_path(only) == only ? only : NULL;
}

const char *const *tenure_options_models(const tenure_options *options, size_t *n) {
    if (n != NULL) {
        *n = options != NULL ? options->models.len : 0;
    }
    return options != NULL && options->models.len > 0 ? options->models.data : NULL;
}

const char *tenure_options_value(const tenure_options *options, const char *name) {
    return options != NULL && name != NULL ? tn_options_value(options, name) : NULL;
}

static tn_status check(tn_ctx *ctx, void *arg) {
    const call *c = arg;
    (void)ctx;
    return tn_options_check(c->options, c->name);
}

tenure_status tenure_options_check(tenure_options *options, const char *model) {
    call c = {.options = options, .name = model};
    return options != NULL ? run(&c, check) : null(options, "tenure_options_check", "");
}

static tn_status help(tn_ctx *ctx, void *arg) {
    call *c = arg;
    c->made = tn_api_buffer_new(ctx);
    tn_setting_help(c->options->groups, c->options->n_groups, &c->made->text);
    return TN_OK;
}

static tn_status print(tn_ctx *ctx, void *arg) {
    call *c = arg;
    c->made = tn_api_buffer_new(ctx);
    tn_status status = tn_options_print(c->options, c->models, c->n_models, &c->made->text);
    if (status != TN_OK) {
        tn_arena_drop(c->made->arena);
    }
    return status;
}

static tenure_status put(call *c, tn_status (*fn)(tn_ctx *ctx, void *arg), const char *where,
                         tenure_buffer **out) {
    if (out != NULL) {
        *out = NULL;
    }
    if (c->options == NULL || out == NULL) {
        return null(c->options, where, "out");
    }
    return tn_api_put(tn_arena_ctx(c->options->arena), fn, c, &c->made, out);
}

tenure_status tenure_options_help(const tenure_options *options, tenure_buffer **out) {
    call c = {.options = (tenure_options *)options};
    return put(&c, help, "tenure_options_help", out);
}

tenure_status tenure_options_print(tenure_options *options, const char *model,
                                   tenure_buffer **out) {
    const char *text =
        options != NULL && model != NULL ? tn_set_path_text(options->arena, model) : NULL;
    return tenure_options_print_models(options, &text, text != NULL, out);
}

tenure_status tenure_options_print_models(tenure_options *options, const char *const *models,
                                          size_t n, tenure_buffer **out) {
    call c = {.options = options, .models = models, .n_models = (uint32_t)n};
    if (n > 0 && models == NULL) {
        return null(options, "tenure_options_print_models", "models");
    }
    return put(&c, print, "tenure_options_print_models", out);
}
