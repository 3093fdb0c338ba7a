/* A context of the public interface for tests: what its callbacks were told, files to work on, and
 * the model of model_text.h. Define _POSIX_C_SOURCE as 200809L before all includes. */
#ifndef TENURE_TESTS_UNIT_API_SCENE_H
#define TENURE_TESTS_UNIT_API_SCENE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/model_text.h"
#include "tests/unit/unit.h"

#include "tenure/ir.h"

static const char csv_text[] = "id,lower,upper,size\na,0,2,64\nb,1,3,32\n";

typedef struct scene {
    tenure_context *ctx;
    char said[4096], logged[8192], written[8192];
    char model[64], plan[64], csv[64], reproducer[64];
    tenure_diagnostic last; /* texts are gone */
    int stop_after;         /* calls of write that are taken; below 0: all */
} scene;

static inline void add(char *to, size_t size, const char *text, size_t n) {
    size_t len = strlen(to);
    n = len + n + 1 < size ? n : size - len - 1;
    memcpy(to + len, text, n);
    to[len + n] = '\0';
}

static inline void on_diagnostic(void *user, const tenure_diagnostic *d) {
    scene *s = user;
    add(s->said, sizeof s->said, d->rendered, strlen(d->rendered));
    add(s->said, sizeof s->said, "\n", 1);
    assert_true((d->severity == TENURE_SEV_ERROR) == (d->status != TENURE_OK));
    if (d->severity == TENURE_SEV_ERROR) {
        s->last = *d;
    }
}

static inline void on_log(void *user, const char *file, const char *text, size_t size) {
    scene *s = user;
    assert_null(file);
    add(s->logged, sizeof s->logged, text, size);
}

static inline int take(void *user, const char *file, const void *data, size_t size) {
    scene *s = user;
    if (s->stop_after >= 0 && s->stop_after-- == 0) {
        return -1;
    }
    if (size == 0) {
        add(s->written, sizeof s->written, file, strlen(file));
        add(s->written, sizeof s->written, "\n", 1);
    }
    add(s->written, sizeof s->written, data, size);
    return 0;
}

static inline void put_file(char *path, const char *text) {
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
}

static inline void start(scene *s, const tenure_allocator *allocator) {
    s->ctx = tenure_context_new(allocator);
    s->said[0] = s->logged[0] = s->written[0] = '\0';
    s->stop_after = -1;
    if (s->ctx != NULL) {
        tenure_on_diagnostic(s->ctx, on_diagnostic, s);
        tenure_on_log(s->ctx, on_log, s);
    }
}

static inline void make_files(scene *s) {
    strcpy(s->model, "/tmp/tenure-model-XXXXXX");
    strcpy(s->plan, "/tmp/tenure-plan-XXXXXX");
    strcpy(s->csv, "/tmp/tenure-csv-XXXXXX");
    put_file(s->model, model_text);
    put_file(s->plan, "");
    put_file(s->csv, csv_text);
}

static inline void remove_files(const scene *s) {
    unlink(s->model);
    unlink(s->plan);
    unlink(s->csv);
}

static inline tenure_model *load(const scene *s, const tenure_options *options) {
    return tenure_load_memory(s->ctx, "net.tir", model_text, sizeof model_text - 1, options);
}

static inline bool holds(tenure_buffer *b, const char *text) {
    bool found = b != NULL && strstr(tenure_buffer_data(b), text) != NULL;
    tenure_buffer_free(b);
    return found;
}

#endif
