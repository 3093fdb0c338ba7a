/* What the page asks the library for. A model is opened once and then planned, explained and
 * written as often as wanted. Statuses are those of the library. Bytes of artefacts, messages and
 * what is being done go to three functions of the page (page_out, page_message, page_doing). */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include <emscripten.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tenure/tenure.h>

/* `bytes` are gone when it returns. */
extern void page_out(const char *file, const void *bytes, size_t size);
extern void page_message(int severity, const char *text);
extern void page_doing(const char *what);

/* A model, the options it was planned with, and its plan. */
typedef struct opened {
    char *name;
    void *bytes; /* the file; the model refers into it */
    size_t size;
    tenure_context *ctx;
    tenure_model *model;
    tenure_plan *plan;
} opened;

/* Two, so that plans can be compared. */
static opened open_models[2];

static void on_diagnostic(void *user, const tenure_diagnostic *d) {
    (void)user;
    page_message((int)d->severity, d->rendered);
}

static void on_progress(void *user, const char *what) {
    (void)user;
    page_doing(what);
}

static int on_write(void *user, const char *file, const void *data, size_t size) {
    (void)user;
    page_out(file, data, size);
    return 0;
}

static tenure_status put(tenure_status status, tenure_buffer *text) {
    if (text != NULL) {
        page_out("", tenure_buffer_data(text), tenure_buffer_size(text));
    }
    tenure_buffer_free(text);
    return status;
}

/* Nothing of the last plan stays: a context's memory goes with it. */
static tenure_status begin(opened *o) {
    tenure_plan_free(o->plan);
    tenure_model_free(o->model);
    tenure_context_free(o->ctx);
    o->plan = NULL;
    o->model = NULL;
    o->ctx = tenure_context_new(NULL);
    if (o->ctx == NULL) {
        return TENURE_NOMEM;
    }
    tenure_on_diagnostic(o->ctx, on_diagnostic, NULL);
    tenure_on_progress(o->ctx, on_progress, NULL);
    return TENURE_OK;
}

/* Words of a command line, each on a line. They are changed. */
static tenure_status read_options(tenure_options *options, char *lines) {
    enum { MOST = 256 };
    char *words[MOST + 1];
    int n = 0;
    for (char *word = strtok(lines, "\n"); word != NULL && n < MOST; word = strtok(NULL, "\n")) {
        words[n++] = word;
    }
    words[n] = NULL;
    tenure_status status = TENURE_OK;
    for (int at = 0; at < n && status == TENURE_OK;) {
        status = tenure_options_arg(options, n, words, &at);
    }
    return status;
}

static tenure_options *options_for(opened *o, const char *command, const char *lines) {
    tenure_options *options = tenure_options_for(o->ctx, command);
    char *copy = strdup(lines);
    tenure_status status =
        options != NULL && copy != NULL ? read_options(options, copy) : TENURE_NOMEM;
    free(copy);
    if (status != TENURE_OK) {
        tenure_options_free(options);
        return NULL;
    }
    return options;
}

/* Room for the file of model `which`, 0 or 1, which the page fills. NULL: there is none. */
EMSCRIPTEN_KEEPALIVE void *page_open(int which, const char *name, size_t size) {
    opened *o = &open_models[which];
    (void)begin(o);
    free(o->bytes);
    free(o->name);
    o->bytes = malloc(size > 0 ? size : 1);
    o->name = strdup(name);
    o->size = size;
    return o->name != NULL ? o->bytes : NULL;
}

/* Writes what the model leaves open, as `tenure dims` does. */
EMSCRIPTEN_KEEPALIVE int page_dims(int which) {
    opened *o = &open_models[which];
    tenure_buffer *text = NULL;
    tenure_status status = begin(o);
    if (status == TENURE_OK) {
        status = tenure_dims(o->ctx, o->name, o->bytes, o->size, &text);
    }
    return (int)put(status, text);
}

/* Loads it with the options of a command, a word a line. */
static tenure_status load(opened *o, const char *command, const char *lines,
                          tenure_options **options) {
    *options = NULL;
    tenure_status status = begin(o);
    if (status != TENURE_OK) {
        return status;
    }
    *options = options_for(o, command, lines);
    if (*options != NULL) {
        o->model = tenure_load_memory(o->ctx, o->name, o->bytes, o->size, *options);
    }
    return o->model != NULL ? TENURE_OK : tenure_last_status(o->ctx);
}

/* Plans it with the options of `tenure plan`, a word a line, and writes the report. */
EMSCRIPTEN_KEEPALIVE int page_plan(int which, const char *lines) {
    opened *o = &open_models[which];
    tenure_options *options;
    tenure_buffer *report = NULL;
    tenure_status status = load(o, "plan", lines, &options);
    if (status == TENURE_OK) {
        status = tenure_plan_make(o->model, options, &o->plan);
    }
    if (o->plan != NULL) {
        tenure_status reported = tenure_plan_report(o->plan, &report);
        status = status != TENURE_OK ? status : reported;
        (void)put(status, report);
    }
    tenure_options_free(options);
    return (int)status;
}

/* Makes it fit a budget, as `tenure fit` does: the last plan is then the one found, or the least
 * there is (TENURE_NOFIT). Writes the page of what was tried. */
EMSCRIPTEN_KEEPALIVE int page_fit(int which, const char *lines) {
    opened *o = &open_models[which];
    tenure_options *options;
    tenure_fit *fit = NULL;
    tenure_buffer *page = NULL;
    tenure_status status = load(o, "fit", lines, &options);
    if (status == TENURE_OK) {
        status = tenure_fit_make(o->model, options, &o->plan, &fit);
    }
    if (fit != NULL) {
        tenure_status reported = tenure_fit_report(fit, "html", &page);
        status = reported != TENURE_OK ? reported : status;
        (void)put(status, page);
    }
    tenure_fit_free(fit);
    tenure_options_free(options);
    return (int)status;
}

/* The last plan as a backend with these options ("" or "NAME=VALUE,...") writes it, in files named
 * after `file`. */
EMSCRIPTEN_KEEPALIVE int page_emit(int which, const char *backend, const char *options,
                                   const char *file) {
    opened *o = &open_models[which];
    tenure_sink sink = {.struct_size = sizeof sink, .name = file, .write = on_write};
    return o->plan == NULL ? TENURE_ERROR
                           : (int)tenure_emit(o->plan, o->model, backend, options, &sink);
}

/* What `tenure explain` says of a tensor, or with "" of all. */
EMSCRIPTEN_KEEPALIVE int page_explain(int which, const char *lines, const char *tensor) {
    opened *o = &open_models[which];
    tenure_buffer *text = NULL;
    tenure_options *options = o->model != NULL ? options_for(o, "explain", lines) : NULL;
    if (options == NULL) {
        return o->model != NULL ? (int)tenure_last_status(o->ctx) : TENURE_ERROR;
    }
    tenure_status status = tenure_explain(o->model, options, &tensor, tensor[0] != '\0', &text);
    tenure_options_free(options);
    return (int)put(status, text);
}

/* The page of what is different between the plans of both models. */
EMSCRIPTEN_KEEPALIVE int page_diff(const char *format) {
    opened *a = &open_models[0], *b = &open_models[1];
    tenure_buffer *text = NULL;
    if (a->plan == NULL || b->plan == NULL) {
        return TENURE_ERROR;
    }
    tenure_options *options = options_for(a, "diff", format);
    if (options == NULL) {
        return (int)tenure_last_status(a->ctx);
    }
    tenure_status status = tenure_plan_diff(a->plan, b->plan, options, NULL, &text);
    tenure_options_free(options);
    return (int)put(status, text);
}
